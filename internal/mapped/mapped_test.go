package mapped

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// writeExample writes the file of the worked example in reader.go.
func writeExample(t testing.TB) string {
	path := filepath.Join(t.TempDir(), "ids.lsh")
	w := Create(path, "ids", 2)
	s := w.Section("id", 4)
	s.U32(7)
	s.U32(258)
	must(t, w.Close())
	return path
}

// TestWorkedExample compares the file with the comment in reader.go byte by byte.
func TestWorkedExample(t *testing.T) {
	got, err := os.ReadFile(writeExample(t))
	must(t, err)
	source, err := os.ReadFile("reader.go")
	must(t, err)
	var want []byte
	for line := range strings.Lines(string(source)) {
		// "//      0  4c 53 48 43  01 00 00 00           text"
		if rest, ok := strings.CutPrefix(line, fmt.Sprintf("//\t%3d  ", len(want))); ok {
			digits, _, _ := strings.Cut(rest, "   ")
			digits, padded, _ := strings.Cut(digits, " ..")
			b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
			if err != nil {
				continue
			}
			if padded != "" {
				b = append(b, make([]byte, nameSize-len(b))...)
			}
			want = append(want, b...)
		}
	}
	if diff := cmp.Diff(hex.Dump(want), hex.Dump(got)); diff != "" {
		t.Errorf("the comment in reader.go shows another file:\n%s", diff)
	}
}

// writeAll writes a file with every kind of section.
func writeAll(t testing.TB, n int) string {
	path := filepath.Join(t.TempDir(), "all.lsh")
	w := Create(path, "all", 1)
	defer w.Abort()
	side := w.Side("side", 8)
	names := w.Strings("names", "")
	u32 := w.Section("u32", 4)
	for i := range n {
		u32.U32(uint32(i * i))
		side.U64(uint64(i) << 33)
		names.Add(fmt.Sprint("name", i))
	}
	u16 := w.Section("u16", 2)
	for i := range n {
		put(u16, uint16(i))
	}
	f32 := w.Section("f32", 4)
	for i := range n {
		put(f32, float32(i)/3)
	}
	titles := w.Strings("titles", "stream")
	for i := range n {
		titles.Add(strings.Repeat("é", i%5))
	}
	raw := w.Section("raw", 12)
	for i := range n {
		raw.Bytes(fmt.Appendf(nil, "%012d", i))
	}
	w.Section("empty", 8)
	must(t, w.Close())
	return path
}

func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 3, 200_000} {
		path := writeAll(t, n)
		f, err := Open(path, "all", 1)
		must(t, err)
		if err := f.Verify(); err != nil {
			t.Error(err)
		}
		checkAll(t, f, n)
		f.Scattered(true)
		u32, err := View[uint32](f, "u32")
		must(t, err)
		u32.Fetch(0, n)
		u32.Fetch(n/2, n/2+1) // of 3 and more in the middle of a page of memory, otherwise beyond the end
		u32.Fetch(-1, n+1)
		checkAll(t, f, n)
		f.Scattered(false)
		if err := errors.Join(f.Close(), f.Close()); err != nil {
			t.Error(err)
		}
		if _, err := View[uint32](f, "u32"); !errors.Is(err, ErrClosed) {
			t.Errorf("view of a closed file: %v", err)
		}
		if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
			t.Errorf("left behind: %v", list)
		}
	}
}

func checkAll(t *testing.T, f *File, n int) {
	t.Helper()
	u32, err1 := View[uint32](f, "u32")
	side, err2 := View[uint64](f, "side")
	f32, err3 := View[float32](f, "f32")
	raw, err4 := View[byte](f, "raw")
	names, err5 := f.Strings("names")
	titles, err6 := f.Strings("titles")
	empty, err7 := View[uint64](f, "empty")
	u16, err8 := View[uint16](f, "u16")
	must(t, errors.Join(err8, err1, err2, err3, err4, err5, err6, err7))
	if u32.Len() != n || u16.Len() != n || side.Len() != n || f32.Len() != n || raw.Len() != 12*n || names.Len() != n || titles.Len() != n || empty.Len() != 0 {
		t.Fatalf("n is %d: %d %d %d %d %d %d", n, u32.Len(), side.Len(), f32.Len(), raw.Len(), names.Len(), titles.Len())
	}
	for i := range n {
		if u32.At(i) != uint32(i*i) || u16.At(i) != uint16(i) || side.At(i) != uint64(i)<<33 || f32.At(i) != float32(i)/3 ||
			names.At(i) != fmt.Sprint("name", i) || string(titles.Bytes(i)) != strings.Repeat("é", i%5) {
			t.Fatalf("element %d differs", i)
		}
	}
	if !ascends(names) || names.At(-1) != "" || names.Bytes(n) != nil || u32.At(-1) != 0 || u32.At(n) != 0 || len(u32.Slice(n, n+1)) != 0 || len(u32.All()) != n {
		t.Error("elements out of range")
	}
	if err := f.Err(); err != nil {
		t.Error(err)
	}
	var got []string
	for _, s := range f.Sections() {
		got = append(got, fmt.Sprintf("%s %d %d", s.Name, s.ElemSize, s.Length/int64(s.ElemSize)))
	}
	if s := slices.Index(got, fmt.Sprintf("raw 12 %d", n)); s < 0 {
		t.Errorf("sections %q", got)
	}
}

// TestFallback reads with the code for other operating systems and for big-endian machines.
func TestFallback(t *testing.T) {
	path := writeAll(t, 1000)
	data, done, err := readFile(path)
	must(t, err)
	f := &File{path: path, data: data, unmap: done}
	must(t, f.parse("all", 1))
	checkAll(t, f, 1000)
	checkSwapped[uint16](t, f, "u16")
	checkSwapped[uint32](t, f, "u32")
	checkSwapped[uint64](t, f, "side")
}

// checkSwapped reads a section with the code for other byte orders, as such a machine would.
func checkSwapped[T Number](t *testing.T, f *File, name string) {
	t.Helper()
	numbers, err := View[T](f, name)
	must(t, err)
	b, err := View[byte](f, name)
	must(t, err)
	got := make([]T, numbers.Len())
	_, err = binary.Decode(swapped(b.All(), binary.Size(T(0))), binary.BigEndian, got)
	must(t, err)
	if !slices.Equal(got, numbers.All()) {
		t.Errorf("%s: numbers differ", name)
	}
}

func TestWriterMisuse(t *testing.T) {
	for name, use := range map[string]func(w *Writer){
		"half an element": func(w *Writer) { w.Section("a", 4).Bytes([]byte{1}) },
		"half at side":    func(w *Writer) { w.Side("a", 8).U32(1) },
		"name twice":      func(w *Writer) { w.Section("a", 4); w.Side("a", 4) },
		"no name":         func(w *Writer) { w.Section("", 4) },
		"long name":       func(w *Writer) { w.Section(strings.Repeat("x", 25), 4) },
		"path":            func(w *Writer) { w.Side("../a", 4) },
		"element size":    func(w *Writer) { w.Section("a", 0) },
		"ended section":   func(w *Writer) { a, b := w.Section("a", 4), w.Section("b", 4); b.U32(1); a.U32(1) },
	} {
		dir := t.TempDir()
		w := Create(filepath.Join(dir, "x"), "kind", 1)
		use(w)
		if w.Close() == nil {
			t.Errorf("%s: no error", name)
		}
		if list, _ := os.ReadDir(dir); len(list) > 0 {
			t.Errorf("%s: left behind %v", name, list)
		}
	}
	for _, w := range []*Writer{Create(filepath.Join(t.TempDir(), "x"), "kind too long", 1), Create(filepath.Join(t.TempDir(), "none", "x"), "kind", 1)} {
		w.Strings("s", "").Add("x")
		w.Section("a", 4).U32(1)
		if w.Err() == nil || w.Close() == nil {
			t.Error("a file that cannot be created")
		}
		w.Abort()
	}
}

func TestAbort(t *testing.T) {
	dir := t.TempDir()
	w := Create(filepath.Join(dir, "x"), "kind", 1)
	w.Side("s", 4).U32(1)
	w.Abort()
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("left behind %v", list)
	}
	if w.Close() == nil {
		t.Error("Close after Abort must not succeed")
	}
}

// TestEveryFlippedBit checks that Open or Verify finds every flipped bit.
func TestEveryFlippedBit(t *testing.T) {
	good, err := os.ReadFile(writeAll(t, 3))
	must(t, err)
	for i := range 8 * len(good) {
		b := bytes.Clone(good)
		b[i/8] ^= 1 << (i % 8)
		if err := verifyBytes(b); err == nil {
			t.Errorf("bit %d of byte %d is not checked", i%8, i/8)
		}
	}
	for n := range good {
		var e *FormatError
		if err := verifyBytes(good[:n]); !errors.As(err, &e) || e.File == "" {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
	if err := verifyBytes(append(bytes.Clone(good), good...)); err == nil {
		t.Error("two files in one are accepted")
	}
}

func verifyBytes(b []byte) error {
	f := &File{path: "x", data: b, unmap: func() error { return nil }}
	if err := f.parse("", 0); err != nil {
		return err
	}
	return f.Verify()
}

func TestTypedErrors(t *testing.T) {
	path, folder := writeExample(t), t.TempDir()
	for _, c := range []struct {
		path, kind string
		version    uint32
		want       error
	}{
		{path, "other", 2, ErrKind},
		{path, "ids", 3, ErrVersion},
		{path + "x", "ids", 2, os.ErrNotExist},
		{folder, "ids", 2, errNotRegular},
	} {
		if _, err := Open(c.path, c.kind, c.version); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%v expected: %v", c.want, err)
		}
	}
}

func TestWrongView(t *testing.T) {
	f, err := Open(writeExample(t), "ids", 2)
	must(t, err)
	defer f.Close()
	if _, err := View[uint64](f, "id"); !errors.Is(err, ErrElement) {
		t.Error(err)
	}
	if _, err := View[float32](f, "nothing"); !errors.Is(err, ErrNoSection) {
		t.Error(err)
	}
	if _, err := f.Strings("id"); !errors.Is(err, ErrNoSection) {
		t.Error(err)
	}
}

// TestCorruptOffsets checks that At never panics on offsets that a checksum would have caught, and that Err reports
// them.
func TestCorruptOffsets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.lsh")
	w := Create(path, "strings", 1)
	off := w.Offsets("s.off")
	for _, x := range []uint64{0, 5, 2, math.MaxUint64, 4, 4} {
		off.U64(x)
	}
	w.Section("s.str", 1).String("abcd")
	must(t, w.Close())
	f, err := Open(path, "strings", 1)
	must(t, err)
	defer f.Close()
	s, err := f.Strings("s")
	if err != nil || f.Err() != nil {
		t.Fatal(err, f.Err())
	}
	for i := -2; i < 9; i++ {
		s.At(i)
	}
	if ascends(s) || s.At(0) != "" || s.At(1) != "" || (Strings{}).Len() != 0 || !errors.Is(f.Err(), ErrIndex) {
		t.Error("corrupt offsets are believed:", f.Err())
	}
}

// TestStringsLaw checks that strings come back from lists that are packed, and from those that are not.
func TestStringsLaw(t *testing.T) {
	dir, packed := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.String()).Draw(t, "strings")
		if rapid.IntRange(0, 9).Draw(t, "long") == 0 {
			want = append(want, strings.Repeat("long ", sampleBytes/5), "an end")
			want = append(want, want...)
		}
		path := filepath.Join(dir, "s.lsh")
		w := Create(path, "strings", 1)
		lists := map[string]*StringsWriter{"plain": w.Strings("plain", ""), "packed": w.Strings("packed", "packed")}
		for _, s := range lists {
			for _, v := range want {
				s.Add(v)
			}
		}
		must(t, w.Close())
		f, err := Open(path, "strings", 1)
		must(t, err)
		defer f.Close()
		for name := range lists {
			got, err := f.Strings(name)
			if err != nil || got.Len() != len(want) || !ascends(got) {
				t.Fatal(err, got.Len())
			}
			for i := range want {
				if got.At(i) != want[i] {
					t.Fatalf("string %d", i)
				}
			}
			if got.table != nil {
				packed++
			}
		}
	})
	if packed == 0 {
		t.Error("no list was packed")
	}
}

// must ends a test if a step of it fails.
func must(t interface {
	Helper()
	Fatal(args ...any)
}, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// ascends reports whether the offsets of strings ascend.
func ascends(s Strings) bool {
	for i := 1; i < s.offsets.Len(); i++ {
		if s.offsets.At(i) < s.offsets.At(i-1) {
			return false
		}
	}
	return true
}
