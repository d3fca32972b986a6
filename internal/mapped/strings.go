package mapped

import (
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
