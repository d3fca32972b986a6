package mapped

import (
	"encoding/binary"
	"hash/crc32"
	"sync/atomic"
	"unsafe"
)

// Column is a section of numbers or bytes. When it returns elements, it first checks the blocks that contain them,
// each block once. Several goroutines may use a Column at the same time. It returns damaged blocks as they are, but
// then [File.Err] returns an error. The zero value is an empty column.
type Column[T Number] struct {
	data  []T
	guard *guard // nil for an empty column
}

// Len returns the number of elements.
func (c Column[T]) Len() int { return len(c.data) }

// At returns element i, or 0 if there is none.
func (c Column[T]) At(i int) (x T) {
	if uint(i) >= uint(len(c.data)) {
		return x
	}
	if b := uint(i) * uint(unsafe.Sizeof(x)) >> blockShift; !c.guard.has(b) {
		c.guard.look(b)
	}
	return c.data[i]
}

// Slice returns the elements in [from, to) without copying them. It returns nil if the range is invalid.
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

// Fetch asks the kernel to start reading the elements in [from, to), which are needed soon.
func (c Column[T]) Fetch(from, to int) {
	if from >= 0 && from < to && to <= len(c.data) {
		size := int(unsafe.Sizeof(c.data[0]))
		adviseNeeded(c.guard.file.data, unsafe.Slice((*byte)(unsafe.Pointer(&c.data[from])), (to-from)*size))
	}
}

// All returns all elements without copying them.
func (c Column[T]) All() []T { return c.Slice(0, len(c.data)) }

// guard knows which blocks of a section have been checked.
type guard struct {
	file *File
	info Info
	seen []atomic.Uint64 // one bit for each block
}

func (g *guard) init(f *File, s Info) {
	g.file, g.info = f, s
	g.seen = make([]atomic.Uint64, (s.blocks()+63)/64)
}

func (g *guard) has(block uint) bool { return g.seen[block/64].Load()>>(block%64)&1 != 0 }

// check checks the blocks of the bytes [from, to) that were not checked before.
func (g *guard) check(from, to int64) {
	for b := uint(from >> blockShift); int64(b)<<blockShift < to; b++ {
		if !g.has(b) {
			g.look(b)
		}
	}
}

// look checks a block. Two goroutines may check the same block, with the same result.
func (g *guard) look(block uint) {
	s := g.info
	from := int64(block) << blockShift
	data := g.file.data[s.Offset+from : s.Offset+min(s.Length, from+blockSize)]
	if crc32.Checksum(data, castagnoli) != g.file.sum(s, int64(block)) {
		g.file.damaged(&FormatError{g.file.path, s.Offset + from, "section \"" + s.Name + "\"", ErrChecksum})
	}
	g.seen[block/64].Or(1 << (block % 64))
}

// sum returns the checksum that a block should have.
func (f *File) sum(s Info, block int64) uint32 {
	return binary.LittleEndian.Uint32(f.data[s.sums+sumSize*block:])
}

// checkSums checks the checksums of a section.
func (f *File) checkSums(s Info) error {
	if crc32.Checksum(f.data[s.sums:s.sums+sumSize*s.blocks()], castagnoli) != s.CRC {
		return f.wrong(s.sums, ErrChecksum, "sums of section %q", s.Name)
	}
	return nil
}

// Number is an element type of a section.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32
}

// littleEndian reports whether memory has the byte order of the file.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// View returns a section of elements of the size of T, without copying. A section of any element size can be viewed as
// bytes.
func View[T Number](f *File, name string) (c Column[T], err error) {
	size := int(unsafe.Sizeof(*new(T)))
	b, g, err := f.view(name, size)
	if len(b) > 0 {
		c = Column[T]{unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/size), g}
	}
	return c, err
}

// view returns the bytes of a section of numbers, in the byte order of the machine and aligned. What does not depend on
// the type of the elements is here, because each package that reads a table compiles all methods of its columns.
func (f *File) view(name string, size int) ([]byte, *guard, error) {
	s, err := f.Info(name)
	if err == nil {
		err = f.checkSums(s)
	}
	if err != nil {
		return nil, nil, err
	}
	if s.ElemSize != size && size > 1 {
		return nil, nil, f.wrong(s.Offset, ErrElement, "section %q: elements of %d bytes, not %d", name, s.ElemSize, size)
	}
	b := f.data[s.Offset : s.Offset+s.Length : s.Offset+s.Length] // sections begin at multiples of 8
	if !littleEndian && size > 1 {
		b = swapped(b, size)
	}
	return b, &f.guards[f.byName[name]], nil
}

// Info returns the description of a section, or an error that wraps ErrNoSection.
func (f *File) Info(name string) (Info, error) {
	if f.unmap == nil {
		return Info{}, f.wrong(0, ErrClosed, "section %q", name)
	}
	i, ok := f.byName[name]
	if !ok {
		return Info{}, f.wrong(0, ErrNoSection, "section %q", name)
	}
	return f.sections[i], nil
}

// swapped returns a copy of numbers of size bytes in the other byte order, aligned for any number.
func swapped(b []byte, size int) []byte {
	words := make([]uint64, (len(b)+7)/8)
	out := bytesOf(words)[:len(b)]
	for i, x := range b {
		out[i/size*size+size-1-i%size] = x
	}
	return out
}

// bytesOf returns the memory of numbers.
func bytesOf[T Number](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T))))
}
