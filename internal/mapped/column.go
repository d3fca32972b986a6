package mapped

import (
	"encoding/binary"
	"hash/crc32"
	"sync/atomic"
	"unsafe"
)

// Column is a section as numbers, or as bytes. It checks the blocks of what it hands
// out when they are first touched, whoever touches them: several goroutines may use
// it at once. A damaged block is handed out all the same and makes [File.Err] say so.
// The zero value is an empty column.
type Column[T Number] struct {
	data  []T
	guard *guard // nil of an empty column
}

// Len returns the number of elements.
func (c Column[T]) Len() int { return len(c.data) }

// At returns element i, 0 if there is none.
func (c Column[T]) At(i int) (x T) {
	if uint(i) >= uint(len(c.data)) {
		return x
	}
	if b := uint(i) * uint(unsafe.Sizeof(x)) >> blockShift; !c.guard.has(b) {
		c.guard.look(b)
	}
	return c.data[i]
}

// Slice returns the elements from from to to, without copying them; nil if from and
// to are out of range.
func (c Column[T]) Slice(from, to int) []T {
	if from < 0 || from > to || to > len(c.data) {
		return nil
	}
	if from == to {
		return c.data[from:to:to]
	}
	size := int64(unsafe.Sizeof(c.data[0]))
	c.guard.check(int64(from)*size, int64(to)*size)
	return c.data[from:to:to]
}

// All returns all elements, without copying them.
func (c Column[T]) All() []T { return c.Slice(0, len(c.data)) }

// guard knows which blocks of a section have been checked.
type guard struct {
	file *File
	info Info
	seen []atomic.Uint64 // a bit a block
}

func (g *guard) init(f *File, s Info) {
	g.file, g.info = f, s
	g.seen = make([]atomic.Uint64, (s.blocks()+63)/64)
}

func (g *guard) has(block uint) bool { return g.seen[block/64].Load()>>(block%64)&1 != 0 }

// check looks at the blocks of the bytes from from to to that nobody has looked at.
func (g *guard) check(from, to int64) {
	for b := uint(from >> blockShift); int64(b)<<blockShift < to; b++ {
		if !g.has(b) {
			g.look(b)
		}
	}
}

// look checks a block. Two goroutines may do so at once, to the same end.
func (g *guard) look(block uint) {
	s := g.info
	from := int64(block) << blockShift
	data := g.file.data[s.Offset+from : s.Offset+min(s.Length, from+blockSize)]
	if crc32.Checksum(data, castagnoli) != g.file.sum(s, int64(block)) {
		g.file.damaged(&FormatError{g.file.path, s.Offset + from, "section \"" + s.Name + "\"", ErrChecksum})
	}
	g.seen[block/64].Or(1 << (block % 64))
}

// sum is the checksum that a block is to have.
func (f *File) sum(s Info, block int64) uint32 {
	return binary.LittleEndian.Uint32(f.data[s.sums+sumSize*block:])
}

// checkSums checks the sums of a section.
func (f *File) checkSums(s Info) error {
	if crc32.Checksum(f.data[s.sums:s.sums+sumSize*s.blocks()], castagnoli) != s.CRC {
		return f.wrong(s.sums, ErrChecksum, "sums of section %q", s.Name)
	}
	return nil
}
