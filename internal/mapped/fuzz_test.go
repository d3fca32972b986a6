package mapped

import (
	"bytes"
	"hash/crc32"
	"os"
	"testing"
)

// FuzzOpen takes a file apart whose bytes were changed. With mend, header and
// footer get a right CRC again, so that the checks behind it are reached.
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

// use calls every accessor; none may panic or leave the file's bounds.
func use(f *File, name string) {
	var sum uint64
	if v, err := f.U32(name); err == nil {
		for _, x := range v {
			sum += uint64(x)
		}
	}
	if v, err := f.U64(name); err == nil {
		for _, x := range v {
			sum += x
		}
	}
	if v, err := f.F32(name); err == nil {
		sum += uint64(len(v))
	}
	if s, err := f.Strings(name); err == nil {
		for i := range s.Len() {
			sum += uint64(len(s.At(i)))
		}
		s.Check()
	}
	if b, err := f.Bytes(name); err == nil {
		_ = bytes.Count(b, []byte{byte(sum)})
	}
}

// mended puts the footer's CRC right.
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
		w, err := Create(path, "bench", 1)
		if err != nil {
			b.Fatal(err)
		}
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
	b.SetBytes(f.Size())
	for b.Loop() {
		if err := f.Verify(); err != nil {
			b.Fatal(err)
		}
	}
}
