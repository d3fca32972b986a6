package mapped

import "unsafe"

// A list of n strings is stored in two sections. One contains the strings one after another, in elements of 1 byte.
// The other contains n+1 offsets: the first is 0 and the last is the length of the data.

// StringsWriter writes a list of strings in two side sections, so that several lists can be written at the same time.
type StringsWriter struct {
	offsets *OffsetsWriter
	data    *Section
}

// Strings starts a list of strings in the sections name+".off" and name+".str".
func (w *Writer) Strings(name string) *StringsWriter {
	s := &StringsWriter{w.Offsets(name + ".off"), w.Side(name+".str", 1)}
	s.offsets.U64(0)
	return s
}

// StreamStrings is like Strings, but writes the data to a streamed section. This saves one copy of the data. No other
// Section may be started until the list is complete.
func (w *Writer) StreamStrings(name string) *StringsWriter {
	s := &StringsWriter{w.Offsets(name + ".off"), w.Section(name+".str", 1)}
	s.offsets.U64(0)
	return s
}

// Add appends one string.
func (s *StringsWriter) Add(v string) {
	s.data.String(v)
	s.offsets.U64(uint64(s.data.Size()))
}

// Strings is a list of strings in a file, which is checked like a Column. The zero value is an empty list.
type Strings struct {
	offsets Offsets
	data    Column[byte]
}

// Strings returns the list that Writer.Strings(name) wrote.
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
	return Strings{offsets, data}, f.Err()
}

// Len returns the number of strings.
func (s Strings) Len() int { return max(s.offsets.Len()-1, 0) }

// Bytes returns string i as bytes of the file. It returns nil if i is out of range or its offsets are corrupt; it never
// panics.
func (s Strings) Bytes(i int) []byte {
	if i < 0 || i >= s.Len() {
		return nil
	}
	from, to := s.offsets.Range(i)
	if from > to || to > uint64(s.data.Len()) {
		s.offsets.report(i, "string %d is from byte %d to %d of %d", i, from, to, s.data.Len())
		return nil
	}
	return s.data.Slice(int(from), int(to))
}

// At returns string i without copying it; clone it if it must outlive the file. At returns the empty string if i is out
// of range or its offsets are corrupt.
func (s Strings) At(i int) string {
	b := s.Bytes(i)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Check reports whether the offsets ascend. If they do not, the file is damaged.
func (s Strings) Check() bool {
	for i := 1; i < s.offsets.Len(); i++ {
		if s.offsets.At(i) < s.offsets.At(i-1) {
			return false
		}
	}
	return true
}
