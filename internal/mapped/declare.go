package mapped

import (
	"fmt"
	"iter"
	"reflect"
	"strings"
	"unsafe"
)

// A table is declared once, for its writer and its reader, by a struct with a field of type Numbers, Starts or Texts for
// each column. The tag lsh names the section of a column, or the sections. Columns with the same tag of have one element
// for each of the same things:
//
//	type towns struct {
//		size  mapped.Numbers[uint32] `lsh:"size" of:"town"`
//		name  mapped.Texts           `lsh:"name,packed" of:"town"`
//		first mapped.Starts          `lsh:"first" of:"town"` // of the roads of each town
//		road  mapped.Numbers[uint64] `lsh:"road,stream"`
//	}
//
// Streams are written one after another. The other columns, which follow them in the file, may be written at the same
// time.

// field is a column of a declared table.
type field interface {
	create(w *Writer, name, how string)
	open(f *File, name string) error
	things() int // that the column has elements for
}

// Declare starts the columns of a table. prefix is put before the names of their sections.
func (w *Writer) Declare(prefix string, columns any) {
	for c := range fields(columns) {
		c.create(w, prefix+c.name, c.how)
	}
}

// Load opens the columns of a table that Declare started, and compares their lengths.
func (f *File) Load(prefix string, columns any) error {
	things := map[string]int{}
	for c := range fields(columns) {
		if err := c.open(f, prefix+c.name); err != nil {
			return err
		}
		n := c.things()
		if first, known := things[c.of]; n < 0 || known && c.of != "" && n != first {
			return f.Misfit()
		}
		things[c.of] = n
	}
	return f.Err()
}

// Misfit returns the error for a table whose columns have lengths that do not fit each other.
func (f *File) Misfit() error {
	return fmt.Errorf("%s: the lengths of its sections do not fit each other", f.path)
}

// declared is a field with its tags.
type declared struct {
	field
	name, how, of string
}

// fields yields the columns of a table, given a pointer to its declaration.
func fields(columns any) iter.Seq[declared] {
	return func(yield func(declared) bool) {
		table := reflect.ValueOf(columns).Elem()
		for i := range table.NumField() {
			tag := table.Type().Field(i).Tag
			name, how, _ := strings.Cut(tag.Get("lsh"), ",")
			of := table.Field(i)
			c, ok := reflect.NewAt(of.Type(), unsafe.Pointer(of.UnsafeAddr())).Interface().(field) // also of a field that is not exported
			if ok && !yield(declared{c, name, how, tag.Get("of")}) {
				return
			}
		}
	}
}

// Numbers is a column of numbers.
type Numbers[T Number] struct {
	Column[T]
	to *Section
}

func (n *Numbers[T]) create(w *Writer, name, how string) {
	n.to = w.column(name, how, int(unsafe.Sizeof(*new(T))))
}

func (n *Numbers[T]) open(f *File, name string) (err error) {
	n.Column, err = View[T](f, name)
	return err
}

func (n *Numbers[T]) things() int { return n.Len() }

// Add appends a number.
func (n *Numbers[T]) Add(v T) { put(n.to, v) }

// AddBytes appends numbers that are encoded, little-endian.
func (n *Numbers[T]) AddBytes(b []byte) { n.to.Bytes(b) }

// Size returns the number of bytes appended so far.
func (n *Numbers[T]) Size() int64 { return n.to.Size() }

// AddAll appends numbers.
func (n *Numbers[T]) AddAll(values []T) { putAll(n.to, values) }

// Starts is a column of the places in another column where the elements of each thing begin: one after another, from 0.
type Starts struct {
	Offsets
	to *OffsetsWriter
	at uint64
}

func (s *Starts) create(w *Writer, name, _ string) {
	s.to = w.Offsets(name)
	s.to.U64(0)
}

func (s *Starts) open(f *File, name string) (err error) {
	s.Offsets, err = f.Offsets(name)
	return err
}

func (s *Starts) things() int { return s.Len() - 1 }

// Add appends a thing with n elements.
func (s *Starts) Add(n int) {
	s.at += uint64(n)
	s.to.U64(s.at)
}

// Span returns where the elements of thing i begin and end in a column of the given length. It returns 0, 0 if there is no
// such thing or the places are damaged.
func (s *Starts) Span(i, length int) (from, to int) {
	if i < 0 || i+1 >= s.Len() {
		return 0, 0
	}
	a, b := s.Range(i)
	if a > b || b > uint64(length) {
		s.report(i, "entry %d is from %d to %d of %d", i, a, b, length)
		return 0, 0
	}
	return int(a), int(b)
}

// Texts is a column of strings.
type Texts struct {
	Strings
	to *StringsWriter
}

func (t *Texts) create(w *Writer, name, how string) {
	t.to = w.Strings(name, how)
}

func (t *Texts) open(f *File, name string) (err error) {
	t.Strings, err = f.Strings(name)
	return err
}

func (t *Texts) things() int { return t.Len() }

// Add appends a string.
func (t *Texts) Add(v string) { t.to.Add(v) }

// Below returns element i if there is one and it is less than n. If it is not less, the table is damaged.
func (c Column[T]) Below(i, n int) (x T, ok bool) {
	if uint(i) >= uint(len(c.data)) {
		return x, false
	}
	if x = c.At(i); uint64(x) >= uint64(n) {
		c.guard.file.Report(c.guard.info.Name, i, "%v of %d", x, n)
		return x, false
	}
	return x, true
}

// SliceBelow is Slice for elements that are less than n. If one is not, the table is damaged, and SliceBelow returns nil.
func (c Column[T]) SliceBelow(from, to, n int) []T {
	all := c.Slice(from, to)
	for i, x := range all {
		if uint64(x) >= uint64(n) {
			c.Below(from+i, n)
			return nil
		}
	}
	return all
}
