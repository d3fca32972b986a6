package mapped

import (
	"encoding/binary"
	"math/bits"
)

// Offsets, such as the places of strings in a section, are stored in two sections. NAME, of 8 bytes an element, has two
// elements for each block of 64 offsets: the first offset, and the place of the differences of the block in the other
// section, times 256, plus their width; and after the last block it has the number of all offsets. NAME.low has the
// differences of the offsets of a block from the first one, in 0, 1, 2, 4 or 8 bytes each, modulo 2^64. So any numbers can
// be stored, and ascending ones take little.
const offsetsBlock = 64

// OffsetsWriter writes offsets in two side sections.
type OffsetsWriter struct {
	head, low *Section
	block     [offsetsBlock]uint64
	n         int
}

// Offsets starts a list of offsets in the sections name and name+".low".
func (w *Writer) Offsets(name string) *OffsetsWriter {
	o := &OffsetsWriter{head: w.Side(name, 8), low: w.Side(name+".low", 1)}
	w.offsets = append(w.offsets, o)
	return o
}

// U64 appends an offset.
func (o *OffsetsWriter) U64(v uint64) {
	o.block[o.n%offsetsBlock] = v
	if o.n++; o.n%offsetsBlock == 0 {
		o.flush(o.block[:])
	}
}

func (o *OffsetsWriter) flush(block []uint64) {
	first, all := block[0], uint64(0)
	for _, v := range block {
		all |= v - first
	}
	width := (bits.Len64(all) + 7) / 8
	if width > 2 {
		width = 1 << bits.Len(uint(width-1)) // 4 or 8
	}
	o.head.U64(first)
	o.head.U64(uint64(o.low.Size())<<8 | uint64(width))
	var b [8]byte
	for _, v := range block {
		binary.LittleEndian.PutUint64(b[:], v-first)
		o.low.Bytes(b[:width])
	}
}

// end writes the last block and the number of offsets.
func (o *OffsetsWriter) end() {
	if rest := o.n % offsetsBlock; rest > 0 {
		o.flush(o.block[:rest])
	}
	o.head.U64(uint64(o.n))
}

// Offsets is a list of offsets in a file, which is checked like a Column. The zero value is an empty list.
type Offsets struct {
	head Column[uint64]
	low  Column[byte]
	n    int
}

// Offsets returns the list that Writer.Offsets(name) wrote.
func (f *File) Offsets(name string) (o Offsets, err error) {
	if o.head, err = View[uint64](f, name); err != nil {
		return o, err
	}
	if o.low, err = View[byte](f, name+".low"); err != nil {
		return o, err
	}
	blocks, n := o.head.Len()/2, uint64(0)
	if o.head.Len() > 0 {
		n = o.head.data[o.head.Len()-1] // its checksum is checked when the last block is read
	}
	if o.head.Len()%2 == 0 || n > uint64(blocks)*offsetsBlock || (n+offsetsBlock-1)/offsetsBlock != uint64(blocks) {
		s, _ := f.Info(name)
		return o, f.wrong(s.Offset, ErrBounds, "section %q: %d blocks of %d offsets", name, blocks, n)
	}
	o.n = int(n)
	return o, f.Err()
}

// Len returns the number of offsets.
func (o Offsets) Len() int { return o.n }

// At returns offset i, or 0 if there is none or the file is damaged.
func (o Offsets) At(i int) uint64 {
	if uint(i) >= uint(o.n) {
		return 0
	}
	v, _ := o.read(i, 1)
	return v
}

// Range returns offsets i and i+1, or zeros if there are none or the file is damaged.
func (o Offsets) Range(i int) (from, to uint64) {
	if i < 0 || i >= o.n-1 {
		return 0, 0
	}
	if i%offsetsBlock == offsetsBlock-1 {
		return o.At(i), o.At(i + 1)
	}
	return o.read(i, 2)
}

// read returns n offsets of a block, one or two, from number i on.
func (o Offsets) read(i, n int) (a, b uint64) {
	block := i / offsetsBlock * 2
	head := o.head.Slice(block, block+2)
	first, place := head[0], head[1]
	width := int(place & 0xff)
	from := int(place>>8) + i%offsetsBlock*width
	d := o.low.Slice(from, from+n*width)
	if len(d) < n*width {
		o.report(block+1, "differences at byte %d of %d", from, o.low.Len())
		return 0, 0
	}
	switch last := d[max(0, len(d)-width):]; width {
	case 0:
		return first, first
	case 1:
		return first + uint64(d[0]), first + uint64(last[0])
	case 2:
		return first + uint64(binary.LittleEndian.Uint16(d)), first + uint64(binary.LittleEndian.Uint16(last))
	case 4:
		return first + uint64(binary.LittleEndian.Uint32(d)), first + uint64(binary.LittleEndian.Uint32(last))
	case 8:
		return first + binary.LittleEndian.Uint64(d), first + binary.LittleEndian.Uint64(last)
	}
	o.report(block+1, "differences of %d bytes", width)
	return 0, 0
}

// report reports damage at an element of the head, or at an offset.
func (o Offsets) report(i int, what string, args ...any) {
	o.head.guard.file.Report(o.head.guard.info.Name, i, what, args...)
}
