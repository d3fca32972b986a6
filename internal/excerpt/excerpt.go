// Package excerpt makes a small file of the same format out of pieces of a large one, so that the small one can be read
// in place of the large one to learn what that is like. The pieces are spread evenly over the file, as far as its format
// can be read in the middle: lines, archives of records, gzip files of several members, row groups, the files of a
// folder or of a zip archive. A record is taken if it begins in one of the equal windows of which pieces are made, so that
// long records and those beside them are as likely to be taken as others. A file that is one compressed stream is read from its beginning, up to a limit.
//
// The one rule: an excerpt is for estimates only. A piece may begin or end within a record that looks like two, and the
// readers of package crawl then leave out what they cannot read.
package excerpt

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Excerpt is a part of an input.
type Excerpt struct {
	Path    string  // an input of the same format, or the input itself if it is small
	Share   float64 // of the bytes of the input; 1 for all of it
	Reached float64 // the share of the input over which the pieces are spread
}

// whole returns an input as its own excerpt.
func whole(path string) Excerpt { return Excerpt{path, 1, 1} }

const (
	// pieces is the number of pieces that are taken from a file, if they have at least leastPiece bytes each.
	pieces     = 512
	leastPiece = 4 << 10
	// mostLooked is the number of bytes after which the search for the beginning of a record is given up.
	mostLooked = 8 << 20
)

// Make writes an excerpt of about budget uncompressed bytes to the folder dir. The result is the input itself if that is
// no larger.
func Make(dir, path string, budget int64) (Excerpt, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Excerpt{}, err
	}
	if info.IsDir() {
		return ofFolder(dir, path, budget)
	}
	f, err := os.Open(path)
	if err != nil {
		return Excerpt{}, err
	}
	defer f.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	if err != nil && n == 0 {
		return whole(path), nil // the reader reports an empty file
	}
	if n < len(head) {
		return whole(path), nil
	}
	in := &input{File: f, size: info.Size(), budget: budget, name: filepath.Join(dir, filepath.Base(path))}
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return in.ofZip()
	case bytes.HasPrefix(head, []byte("PAR1")):
		return in.ofParquet()
	case bytes.HasPrefix(head, gzipMagic):
		return in.ofGzip()
	case bytes.HasPrefix(head, zstdMagic):
		return in.ofStream(zstdStream{})
	}
	return in.ofText(head)
}

// input is a file of which an excerpt is made.
type input struct {
	*os.File
	size   int64
	budget int64
	name   string // of the excerpt
}

// counts returns the number of pieces and the size of each.
func (in *input) counts() (n, size int64) {
	n = max(1, min(pieces, in.budget/leastPiece))
	return n, in.budget / n
}

// write writes the excerpt.
func (in *input) write(fill func(w io.Writer) error) error {
	out, err := os.Create(in.name)
	if err != nil {
		return err
	}
	err = fill(out)
	if e := out.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("excerpt of %s: %w", in.Name(), err)
	}
	return nil
}

// A boundary returns the offset in b of the first record that begins after b[0], or -1.
type boundary func(b []byte) int

func lineBoundary(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 && i+1 < len(b) {
		return i + 1
	}
	return -1
}

func warcBoundary(b []byte) int {
	if i := bytes.Index(b, []byte("\nWARC/")); i >= 0 {
		return i + 1
	}
	return -1
}

// boundaryOf returns the boundaries of the records of a file, given its first bytes.
func boundaryOf(head []byte) boundary {
	if bytes.HasPrefix(bytes.TrimLeft(head, "\r\n"), []byte("WARC/")) {
		return warcBoundary
	}
	return lineBoundary
}

// isOneRecord recognizes a file that is a single page.
func isOneRecord(head []byte) bool {
	head = bytes.TrimLeft(head, "\xef\xbb\xbf \t\r\n")
	return bytes.HasPrefix(head, []byte("<"))
}

// ofText takes pieces of a file that is not compressed.
func (in *input) ofText(head []byte) (Excerpt, error) {
	if in.size <= in.budget || isOneRecord(head) {
		return whole(in.Name()), nil
	}
	next, taken := boundaryOf(head), int64(0)
	n, size := in.counts()
	err := in.write(func(w io.Writer) error {
		for i, end := int64(0), int64(0); i < n; i++ { // end: of the last piece
			window := i * in.size / n
			from, ok := in.find(max(window, end)-1, next)
			if i == 0 {
				from, ok = 0, true
			}
			if !ok {
				return nil // nothing begins in the rest
			}
			if from >= window+size {
				continue
			}
			to, ok := in.find(window+size-1, next)
			if !ok {
				to = in.size
			}
			got, err := io.Copy(w, io.NewSectionReader(in, from, to-from))
			if err != nil {
				return err
			}
			taken, end = taken+got, to
		}
		return nil
	})
	return Excerpt{in.name, float64(taken) / float64(in.size), 1}, err
}

// find returns the offset of the first record that begins after the given one.
func (in *input) find(after int64, next boundary) (at int64, ok bool) {
	for size := int64(64 << 10); after < in.size; size *= 4 {
		b := make([]byte, min(size, in.size-after))
		n, _ := in.ReadAt(b, after)
		if i := next(b[:n]); i >= 0 {
			return after + int64(i), true
		}
		if after+int64(n) >= in.size || size > mostLooked {
			return 0, false
		}
	}
	return 0, false
}
