package mapped

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/lshclust/lshclust/internal/symbols"
)

// A list of n strings is stored in two sections. One contains the strings one after another, in elements of 1 byte.
// The other contains n+1 offsets: the first is 0 and the last is the length of the data. If the list has a third section
// and it is not empty, it holds a table of symbols (see package symbols) with which each string is packed.

// StringsWriter writes a list of strings in side sections, so that several lists can be written at the same time.
type StringsWriter struct {
	offsets *OffsetsWriter
	data    *Section

	symbols *Section         // nil for a list that is never packed
	sample  []byte           // the strings so far, until there are symbols
	ends    []int            // of these strings
	encoder *symbols.Encoder // nil until there are symbols
	packed  []byte
}

// Strings starts a list of strings in the sections name+".off" and name+".str". If how is "stream", the strings are streamed,
// which saves one copy of them; if it is "packed", those of a long list are packed, with symbols in the section name+".sym".
func (w *Writer) Strings(name, how string) *StringsWriter {
	s := &StringsWriter{offsets: w.Offsets(name + ".off"), data: w.column(name+".str", how, 1)}
	s.offsets.U64(0)
	if how == "packed" {
		s.symbols = w.Side(name+".sym", 1)
		w.packed = append(w.packed, s)
	}
	return s
}

// sampleBytes is the number of bytes at the beginning of a list from which its symbols are made. A shorter list is not packed.
const sampleBytes = 1 << 17

// Add appends one string.
func (s *StringsWriter) Add(v string) {
	switch {
	case s.symbols == nil:
		s.data.String(v)
		s.offsets.U64(uint64(s.data.Size()))
	case s.encoder != nil:
		s.pack([]byte(v))
	default:
		s.sample = append(s.sample, v...)
		s.ends = append(s.ends, len(s.sample))
		if len(s.sample) < sampleBytes {
			return
		}
		table := symbols.Train(s.sampled())
		s.symbols.Bytes(table.Bytes())
		s.encoder = table.Encoder()
		for _, v := range s.sampled() {
			s.pack(v)
		}
		s.sample, s.ends = nil, nil
	}
}

func (s *StringsWriter) pack(v []byte) {
	s.packed = s.encoder.Append(s.packed[:0], v)
	s.data.Bytes(s.packed)
	s.offsets.U64(uint64(s.data.Size()))
}

// sampled returns the strings of the sample.
func (s *StringsWriter) sampled() (all [][]byte) {
	from := 0
	for _, to := range s.ends {
		all, from = append(all, s.sample[from:to]), to
	}
	return all
}

// end writes a list that is too short to be packed.
func (s *StringsWriter) end() {
	for _, v := range s.sampled() {
		s.data.Bytes(v)
		s.offsets.U64(uint64(s.data.Size()))
	}
}

// Strings is a list of strings in a file, which is checked like a Column. The zero value is an empty list.
type Strings struct {
	offsets Offsets
	data    Column[byte]
	table   *symbols.Table // nil if the strings are not packed
}

// Strings returns the list that Writer.Strings wrote.
func (f *File) Strings(name string) (Strings, error) {
	offsets, err := f.Offsets(name + ".off")
	if err != nil {
		return Strings{}, err
	}
	data, err := View[byte](f, name+".str")
	if err != nil {
		return Strings{}, err
	}
	n := offsets.Len()
	if n == 0 || offsets.At(0) != 0 || offsets.At(n-1) != uint64(data.Len()) {
		s, _ := f.Info(name + ".off")
		return Strings{}, f.wrong(s.Offset, ErrBounds, "strings %q: %d offsets for %d bytes", name, n, data.Len())
	}
	var table *symbols.Table
	if f.Has(name + ".sym") {
		c, err := View[byte](f, name+".sym")
		if err != nil {
			return Strings{}, err
		}
		if b := c.All(); len(b) > 0 {
			if table, err = symbols.Parse(b); err != nil {
				s, _ := f.Info(name + ".sym")
				return Strings{}, f.wrong(s.Offset, ErrBounds, "strings %q: %v", name, err)
			}
		}
	}
	return Strings{offsets, data, table}, f.Err()
}

// Len returns the number of strings.
func (s Strings) Len() int { return max(s.offsets.Len()-1, 0) }

// Bytes returns string i as bytes of the file or, if the list is packed, in a new slice. It returns nil if i is out of range
// or its offsets are corrupt; it never panics.
func (s Strings) Bytes(i int) []byte {
	if i < 0 || i >= s.Len() {
		return nil
	}
	from, to := s.offsets.Range(i)
	if from > to || to > uint64(s.data.Len()) {
		s.offsets.report(i, "string %d is from byte %d to %d of %d", i, from, to, s.data.Len())
		return nil
	}
	b := s.data.Slice(int(from), int(to))
	if s.table == nil || len(b) == 0 {
		return b
	}
	b, ok := s.table.String(b)
	if !ok {
		s.offsets.report(i, "string %d is not packed", i)
	}
	return b
}

// At returns string i without copying it; clone it if it must outlive the file. At returns the empty string if i is out
// of range or its offsets are corrupt.
func (s Strings) At(i int) string {
	b := s.Bytes(i)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

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
