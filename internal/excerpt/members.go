package excerpt

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// largeMember is the number of uncompressed bytes above which a member is not taken as one piece.
const largeMember = 256 << 10

// ofGzip takes members of a gzip file that has several, and pieces of the content of any other.
func (in *input) ofGzip() (Excerpt, error) {
	_, content, ok := in.members(0, 1, in.size)
	if _, size := in.counts(); !ok || content > max(size, largeMember) {
		return in.ofStream(gzipStream{})
	}
	end, content, _ := in.members(0, in.budget, in.size)
	if end >= in.size {
		return whole(in.Name()), nil
	}
	n, size := in.counts()
	size = max(1, int64(float64(size)*float64(end)/float64(max(content, 1)))) // in compressed bytes
	taken := int64(0)
	err := in.write(func(w io.Writer) error {
		last := int64(0)
		for i := range n {
			window := i * in.size / n
			from, found := in.findMember(max(window, last), window+size)
			if !found {
				continue
			}
			to, _, ok := in.members(from, in.budget, window+size)
			if !ok {
				continue
			}
			got, err := io.Copy(w, io.NewSectionReader(in, from, to-from))
			if err != nil {
				return err
			}
			taken, last = taken+got, to
		}
		return nil
	})
	return Excerpt{in.name, float64(taken) / float64(in.size), 1}, err
}

// members inflates members from an offset on until they have content of at least that many bytes or the next one begins
// at upTo or later. It returns the end of the last one, and false if there is damage or a member is too large.
func (in *input) members(from, least, upTo int64) (end, content int64, ok bool) {
	r := &counted{Reader: bufio.NewReaderSize(io.NewSectionReader(in, from, in.size-from), 64<<10)}
	z, err := gzip.NewReader(r)
	if err != nil {
		return 0, 0, false
	}
	for end = from; content < least && end < upTo; {
		z.Multistream(false)
		n, err := io.Copy(io.Discard, io.LimitReader(z, mostLooked))
		if err != nil || n == mostLooked {
			return from, content, false
		}
		content, end = content+n, from+r.n
		if err := z.Reset(r); err != nil {
			break // the end, or something that is no member
		}
	}
	return end, content, end > from
}

// inflates reports whether a member seems to begin at an offset.
func (in *input) inflates(from int64) bool {
	z, err := gzip.NewReader(bufio.NewReader(io.NewSectionReader(in, from, in.size-from)))
	if err != nil {
		return false
	}
	_, err = io.CopyN(io.Discard, z, 1<<10)
	return err == nil || errors.Is(err, io.EOF)
}

// findMember returns the offset of the first member that begins at or after an offset and before the end.
func (in *input) findMember(from, end int64) (at int64, ok bool) {
	if from >= end {
		return 0, false
	}
	b := make([]byte, min(end+int64(len(gzipMagic))-1, in.size)-from)
	n, _ := in.ReadAt(b, from)
	for i := 0; ; i++ {
		j := bytes.Index(b[i:n], gzipMagic)
		if j < 0 {
			return 0, false
		}
		if i += j; in.inflates(from + int64(i)) {
			return from + int64(i), true
		}
	}
}
