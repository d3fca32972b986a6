package stream

import (
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/s2"
	"github.com/pierrec/lz4/v4"
	"github.com/therootcompany/xz"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// packings describes how files are compressed, by [Compression]. A file of gzip or zstd has many members. The other
// formats are codecs: their decoders read all streams of a file as one member, and a further member begins only after
// damage.
var packings = [...]struct {
	name   string
	suffix string   // of file names
	magics []string // beginnings of a stream
	memory int64    // bytes that a decoder takes
	open   func(m *Members) (io.Reader, error)
}{
	Plain: {name: "none"},
	Gzip:  {name: "gzip", suffix: ".gz", magics: []string{string(payload.GzipMagic)}, open: openGzip},
	Zstd:  {name: "zstd", suffix: ".zst", magics: []string{string(payload.ZstdMagic)}},
	Bzip2: {"bzip2", ".bz2", []string{"BZh"}, 5 << 20, func(m *Members) (io.Reader, error) { return bzip2.NewReader(m.Raw), nil }},
	Xz:    {"xz", ".xz", []string{"\xfd7zXZ\x00"}, 0, openXz},
	LZ4: {"lz4", ".lz4", []string{"\x04\x22\x4d\x18", "\x02\x21\x4c\x18"}, 24 << 20, func(m *Members) (io.Reader, error) {
		return lz4.NewReader(m.Raw), nil
	}},
	Snappy: {"snappy", ".sz", []string{"\xff\x06\x00\x00sNaPpY", "\xff\x06\x00\x00S2sTwO"}, 12 << 20, func(m *Members) (io.Reader, error) {
		return s2.NewReader(m.Raw), nil
	}},
	Brotli: {"brotli", ".br", nil, 24 << 20, func(m *Members) (io.Reader, error) { return brotli.NewReader(m.Raw), nil }},
}

// kindOf recognizes the compression of a file by its first bytes.
func kindOf(head []byte) Compression {
	if IsZstd(head) {
		return Zstd
	}
	for kind, p := range packings {
		for _, magic := range p.magics {
			if bytes.HasPrefix(head, []byte(magic)) && (Compression(kind) != Bzip2 || isBzip2(head)) {
				return Compression(kind)
			}
		}
	}
	return Plain
}

// IsPacked reports whether head begins a compressed file.
func IsPacked(head []byte) bool { return kindOf(head) != Plain }

// isBzip2 reports whether head begins a stream of bzip2: with a block, or without one if the stream is empty.
func isBzip2(head []byte) bool {
	if len(head) < 10 || head[3] < '1' || head[3] > '9' {
		return false
	}
	return string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90"
}

// maxMagic is the number of bytes that kindOf needs.
const maxMagic = 10

// KindOfName returns the compression that the suffix of a file name stands for, and the name without it.
func KindOfName(name string) (Compression, string) {
	lower := strings.ToLower(name)
	for kind, p := range packings {
		if p.suffix != "" && strings.HasSuffix(lower, p.suffix) {
			return Compression(kind), name[:len(name)-len(p.suffix)]
		}
	}
	return Plain, name
}

// Splits reports whether a reader can begin at any member of a file.
func (c Compression) Splits() bool { return c <= Zstd }

func openGzip(m *Members) (io.Reader, error) {
	err := m.gz.Reset(m.Raw)
	m.gz.Multistream(false)
	return &m.gz, NoEOF(err) // the library also returns io.EOF within the file name in a header
}

// maxDictionaryXz is the largest dictionary of xz that is read. It is twice that of xz -9.
const maxDictionaryXz = 128 << 20

func openXz(m *Members) (io.Reader, error) {
	limit, needed := int64(maxDictionaryXz), int64(maxDictionaryXz)+RawSize
	if m.memory > 0 {
		limit = min(limit, max(m.memory-RawSize, 1<<12))
	}
	r, err := xz.NewReader(m.Raw, uint32(limit))
	return errorReader{r, func(err error) error {
		if !errors.Is(err, xz.ErrMemlimit) {
			return err
		}
		if limit < maxDictionaryXz {
			return m.needs(needed, "xz with a dictionary of more than %d MiB", limit>>20)
		}
		return unsupported("xz with a dictionary of more than %d MiB: decompress it first, with xz -dk", limit>>20)
	}}, err
}

// nextStream begins the member at the next byte of Raw. The error is io.EOF if there are no more bytes.
func (m *Members) nextStream() error {
	if m.begun && m.onlyPadding() {
		return io.EOF
	}
	p := packings[m.Kind]
	_, err := m.Raw.Peek(1)
	if err == nil {
		err = m.needs(p.memory, "%s", p.name)
	}
	var r io.Reader
	if err == nil {
		r, err = p.open(m)
	}
	if err != nil {
		return err
	}
	m.count++
	if !m.Kind.Splits() {
		r = &untilError{r: r}
	}
	m.from = m.decoded(r)
	return nil
}

// needs returns a *MemoryError for the current member if bytes is more than the memory.
func (m *Members) needs(bytes int64, what string, args ...any) error {
	return (&record.Options{Memory: m.memory}).Needs(bytes, record.Position{File: m.Name(), Offset: m.Start}, what, args...)
}

// errorReader changes the errors of a reader.
type errorReader struct {
	io.Reader
	change func(error) error
}

// Read implements io.Reader.
func (e errorReader) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err != nil {
		err = e.change(err)
	}
	return n, err
}

// Unsupported is the error for compressed data that is sound but is not read. It says what to do.
type Unsupported string

// Error implements error.
func (u Unsupported) Error() string { return string(u) }

func unsupported(format string, args ...any) error { return Unsupported(fmt.Sprintf(format, args...)) }

// Packing describes how a file is compressed.
type Packing struct {
	Name    string `json:"name"`              // "gzip", "zstd", "bzip2", "xz", "lz4", "snappy", "brotli", or "none"
	Members int64  `json:"members,omitempty"` // members begun
}

// Packing returns how the file is compressed. Call it after reading the file.
func (m *Members) Packing() Packing {
	return Packing{packings[m.Kind].name, m.count}
}
