package excerpt

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

var (
	gzipMagic = []byte{0x1f, 0x8b, 8}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// A packing compresses and decompresses a stream.
type packing interface {
	reader(r io.Reader) (io.ReadCloser, error)
	writer(w io.Writer) (io.WriteCloser, error)
}

type gzipStream struct{}

func (gzipStream) reader(r io.Reader) (io.ReadCloser, error)  { return gzip.NewReader(r) }
func (gzipStream) writer(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }

type zstdStream struct{}

func (zstdStream) reader(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}
func (zstdStream) writer(w io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
}

// counted counts the bytes that were read. It reads single bytes, so that a decompressor reads no further than it needs.
type counted struct {
	*bufio.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// ReadByte implements io.ByteReader.
func (c *counted) ReadByte() (byte, error) {
	b, err := c.Reader.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// mostScanned is the number of uncompressed bytes of a stream that are read for an excerpt, about a second's work.
const mostScanned = 256 << 20

// ofStream takes pieces of a file that is one compressed stream. It reads it up to a limit.
func (in *input) ofStream(p packing) (Excerpt, error) {
	from := &counted{Reader: bufio.NewReaderSize(io.NewSectionReader(in, 0, in.size), 256<<10)}
	unpacked, err := p.reader(from)
	if err != nil {
		return whole(in.Name()), nil //nolint:nilerr // the reader of the input reports it
	}
	defer unpacked.Close()
	r := bufio.NewReaderSize(unpacked, 64<<10)
	first := make([]byte, min(in.budget, 4<<20))
	n, err := io.ReadFull(r, first)
	if first = first[:n]; err != nil && in.budget >= int64(n) && from.n >= in.size || isOneRecord(first) {
		return whole(in.Name()), nil // all of it fits
	}
	most := min(mostScanned, 100*in.budget)
	total := min(int64(float64(n)*float64(in.size)/float64(max(from.n, 1))), most)
	if total <= in.budget {
		return whole(in.Name()), nil
	}
	pieces, size := in.counts()
	s := &scan{r: r, next: boundaryOf(first), size: size, stride: total / pieces, most: most}
	err = in.write(func(w io.Writer) error {
		packed, err := p.writer(w)
		if err != nil {
			return err
		}
		return errors.Join(s.copy(packed, first), packed.Close())
	})
	if s.read == 0 {
		s.read = 1
	}
	reached := min(1, float64(from.n)/float64(in.size))
	return Excerpt{in.name, float64(s.taken) / float64(s.read) * reached, reached}, err
}

// scan takes pieces of a stream.
type scan struct {
	r            io.Reader
	next         boundary
	size, stride int64 // of the pieces, and from one to the next
	most         int64 // to read
	read, taken  int64
}

// copy copies pieces, from begun on, which was read already.
func (s *scan) copy(w io.Writer, begun []byte) error {
	r := io.MultiReader(bytes.NewReader(begun), s.r)
	buf, within, start := make([]byte, 0, 2<<20), true, int64(0) // within: a piece; start: of the window
	begin := func(at int64) {                                    // a record begins at at
		start = at - at%s.stride
		if within = at-start < s.size; !within {
			start += s.stride
		}
	}
	for s.read < s.most {
		n, err := io.ReadFull(r, buf[:min(int64(cap(buf)), 256<<10)])
		b := buf[:n]
		for at := s.read; len(b) > 0; {
			from := max(0, start-at) // from here on, the next record decides
			if within {
				from = max(0, start+s.size-at)
			}
			cut, found := len(b), false
			if from < int64(len(b)) {
				if i := s.next(b[from:]); i >= 0 {
					cut, found = int(from)+i, true
				}
			}
			if within {
				if _, err := w.Write(b[:cut]); err != nil {
					return err
				}
				s.taken += int64(cut)
			}
			if at, b = at+int64(cut), b[cut:]; found {
				begin(at)
			}
		}
		s.read += int64(n)
		if err != nil {
			return nil //nolint:nilerr // the end, or damage that the reader of the input reports
		}
	}
	return nil
}
