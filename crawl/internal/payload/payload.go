package payload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/lshclust/lshclust/internal/ascii"
)

// Limits of decompression. Text that compresses better than MaxRatio is meant to exhaust memory. Small bodies are
// exempt.
const (
	MaxRatio  = 200
	RatioFree = 1 << 20 // the ratio does not limit bodies that decode to fewer bytes
)

var (
	errNotEncoded = errors.New("unknown content encoding")
	gzips         sync.Pool // of *gzip.Reader
	zstds         sync.Pool // of *zstd.Decoder
)

// DecodeContent undoes one content encoding and returns at most limit bytes.
func (m *Room) DecodeContent(coding string, b []byte, limit int64) ([]byte, error) {
	switch coding {
	case "gzip", "x-gzip":
		if !bytes.HasPrefix(b, GzipMagic) {
			return b, nil
		}
		return m.Gunzip(b, limit)
	case "deflate":
		return m.undeflate(b, limit)
	case "br":
		return m.ReadUpTo(brotli.NewReader(bytes.NewReader(b)), limit, len(b))
	case "zstd":
		if !bytes.HasPrefix(b, ZstdMagic) {
			return b, nil
		}
		return m.unzstd(b, limit)
	case "", "identity", "none", "utf-8", "utf8", "binary", "8bit", "7bit", "text/html", "chunked":
		return b, nil
	}
	return nil, errNotEncoded
}

// Gunzip decompresses the gzip members of b one after another. After the first member, it drops data that is not gzip.
func (m *Room) Gunzip(b []byte, limit int64) ([]byte, error) {
	z, _ := gzips.Get().(*gzip.Reader)
	if z == nil {
		z = new(gzip.Reader)
	}
	defer gzips.Put(z)
	src := bytes.NewReader(b)
	if err := z.Reset(src); err != nil {
		return nil, err
	}
	z.Multistream(false)
	out, err := m.ReadUpTo(z, limit, len(b))
	for err == nil && int64(len(out)) < limit && z.Reset(src) == nil {
		z.Multistream(false)
		out, err = m.ReadOn(out, z, limit)
	}
	return out, err
}

// undeflate decompresses zlib data, or the raw deflate data that some servers send under the same name.
func (m *Room) undeflate(b []byte, limit int64) ([]byte, error) {
	if z, err := zlib.NewReader(bytes.NewReader(b)); err == nil {
		return m.ReadUpTo(z, limit, len(b))
	}
	return m.ReadUpTo(flate.NewReader(bytes.NewReader(b)), limit, len(b))
}

func (m *Room) unzstd(b []byte, limit int64) ([]byte, error) {
	z, _ := zstds.Get().(*zstd.Decoder)
	if z == nil {
		var err error
		if z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20)); err != nil {
			return nil, err
		}
	}
	defer zstds.Put(z)
	if err := z.Reset(bytes.NewReader(b)); err != nil {
		return nil, err
	}
	return m.ReadUpTo(z, limit, len(b))
}

// ReadUpTo reads at most limit bytes. If there is an error, it also returns what it read before it.
func (m *Room) ReadUpTo(r io.Reader, limit int64, encoded int) ([]byte, error) {
	return m.ReadOn(m.Grow(nil, int(min(limit, 4*int64(encoded)+512))), r, limit)
}

// ReadOn appends to out from r until out has limit bytes.
func (m *Room) ReadOn(out []byte, r io.Reader, limit int64) ([]byte, error) {
	for int64(len(out)) < limit {
		if len(out) == cap(out) {
			out = m.Grow(out, 1)
		}
		n, err := r.Read(out[len(out):min(int64(cap(out)), limit)])
		out = out[:len(out)+n]
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// Coding returns the content encoding that the first bytes of a body show, or "".
func Coding(b []byte) string {
	switch {
	case IsGzip(b):
		return "gzip"
	case bytes.HasPrefix(b, ZstdMagic):
		return "zstd"
	}
	return ""
}

// IsGzip reports whether b begins like a gzip member.
func IsGzip(b []byte) bool { return bytes.HasPrefix(b, GzipMagic) }

var (
	// GzipMagic is the beginning of a gzip member.
	GzipMagic = []byte{0x1f, 0x8b, 8}
	// ZstdMagic is the beginning of a zstd frame.
	ZstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// Dechunk undoes chunked transfer encoding. A body that does not begin with a chunk is returned unchanged and without
// an error, because some crawlers store bodies that they have already dechunked. If a later chunk is malformed, Dechunk
// keeps the rest of the body unchanged and returns an error. It drops trailers.
func (m *Room) Dechunk(b []byte) ([]byte, error) {
	size, data, ok := chunkSize(b)
	if !ok || size > 0 && len(data) == 0 {
		return b, nil
	}
	if size <= len(data) && isLastChunk(data[size:]) {
		return data[:size:size], nil // one chunk: no copy is needed
	}
	out := m.Grow(nil, len(b))
	for {
		if size == 0 {
			return out, nil
		}
		if size > len(data) {
			return append(out, data...), fmt.Errorf("chunk of %d bytes has %d", size, len(data))
		}
		out = append(out, data[:size]...)
		rest := bytes.TrimPrefix(bytes.TrimPrefix(data[size:], []byte("\r")), []byte("\n"))
		if len(rest) == 0 {
			return out, errors.New("no last chunk")
		}
		if size, data, ok = chunkSize(rest); !ok {
			return append(out, rest...), fmt.Errorf("no chunk after %d bytes", len(out))
		}
	}
}

func isLastChunk(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\r\n0\r\n"))
}

// maxChunkDigits keeps chunk sizes in the range of int.
const maxChunkDigits = 8

// chunkSize parses a line such as "1a2b;extension\r\n".
func chunkSize(b []byte) (size int, data []byte, ok bool) {
	i, digits := 0, 0
	for ; i < len(b) && ascii.Unhex(b[i]) < 16; i++ {
		if size = size<<4 | int(ascii.Unhex(b[i])); size > 0 {
			digits++
		}
		if digits > maxChunkDigits {
			return 0, nil, false
		}
	}
	if i == 0 {
		return 0, nil, false
	}
	line, data, found := CutLine(b[i:])
	line = bytes.TrimLeft(line, " \t")
	return size, data, (found || size == 0) && (len(line) == 0 || line[0] == ';')
}

// CutLine cuts b after the next line ending, which is CRLF or LF. ok is false if there is none.
func CutLine(b []byte) (line, rest []byte, ok bool) {
	line, rest, ok = bytes.Cut(b, []byte("\n"))
	return bytes.TrimRight(line, "\r"), rest, ok
}
