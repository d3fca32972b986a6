package mapped

import (
	"bytes"
	"hash/crc32"
	"os"
	"slices"
	"testing"
)

// FuzzOpen reads a file whose bytes were changed. If mend is set, header and footer get correct CRCs, so that later
// checks are reached.
func FuzzOpen(f *testing.F) {
	for _, path := range []string{writeExample(f), writeAll(f, 0), writeAll(f, 20)} {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, false)
		f.Add(b, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, mend bool) {
		if mend {
			b = mended(b)
		}
		file := &File{path: "fuzz", data: b, unmap: func() error { return nil }}
		if file.parse("", 0) != nil {
			return
		}
		defer file.Close()
		_ = file.Verify()
		for _, s := range file.Sections() {
			use(file, s.Name)
		}
		use(file, "names")
		use(file, "titles")
	})
}

// use calls every accessor. None may panic or read outside the file.
func use(f *File, name string) {
	if v, err := View[uint16](f, name); err == nil {
		useColumn(v)
	}
	if v, err := View[uint32](f, name); err == nil {
		useColumn(v)
	}
	if v, err := View[uint64](f, name); err == nil {
		useColumn(v)
	}
	if v, err := View[float32](f, name); err == nil {
		useColumn(v)
	}
	if v, err := View[byte](f, name); err == nil {
		useColumn(v)
	}
	if s, err := f.Strings(name); err == nil {
		sum := 0
		for i := range s.Len() {
			sum += len(s.At(i))
		}
		ascends(s)
	}
	_ = f.Err()
}

func useColumn[T Number](c Column[T]) {
	var sum T
	for i := range c.Len() {
		sum += c.At(i)
	}
	for _, x := range slices.Concat(c.All(), c.Slice(1, c.Len()-1), c.Slice(c.Len(), c.Len()+1)) {
		sum += x
	}
}

// mended corrects the CRC of the footer.
func mended(b []byte) []byte {
	b = bytes.Clone(b)
	n := len(b)
	if n < headerSize+trailerSize {
		return b
	}
	t := b[n-trailerSize:]
	length := int(t[4]) | int(t[5])<<8
	if length > n-headerSize-trailerSize {
		return b
	}
	crc := crc32.Checksum(b[:headerSize], castagnoli)
	crc = crc32.Update(crc, castagnoli, b[n-trailerSize-length:n-trailerSize+12])
	t[12], t[13], t[14], t[15] = byte(crc), byte(crc>>8), byte(crc>>16), byte(crc>>24)
	return b
}

func BenchmarkOpen(b *testing.B) {
	path := writeAll(b, 100_000)
	for b.Loop() {
		f, err := Open(path, "all", 1)
		if err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}

func BenchmarkWriteU64(b *testing.B) {
	const n = 8 << 20
	path := b.TempDir() + "/x"
	b.SetBytes(8 * n)
	for b.Loop() {
		w := Create(path, "bench", 1)
		s := w.Section("s", 8)
		for i := range uint64(n) {
			s.U64(i)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	path := writeAll(b, 1_000_000)
	f, err := Open(path, "all", 1)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	b.SetBytes(int64(len(f.data)))
	for b.Loop() {
		for i := range f.guards {
			f.guards[i].init(f, f.sections[i])
		}
		if err := f.Verify(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAt reads every number of a column that was checked before, one by one.
func BenchmarkAt(b *testing.B) {
	path := writeAll(b, 1_000_000)
	f, err := Open(path, "all", 1)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	c, err := View[uint32](f, "u32")
	if err != nil {
		b.Fatal(err)
	}
	var sum uint32
	b.SetBytes(4_000_000)
	for b.Loop() {
		for i := range c.Len() {
			sum += c.At(i)
		}
	}
	_ = sum
}
