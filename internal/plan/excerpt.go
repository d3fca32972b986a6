package plan

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// excerpt makes a file of the same format from about budget bytes of an input, in the folder dir. It returns its path
// and its share of the bytes of the input. It returns the input itself if that is no larger, or if no part of it can
// be taken.
//
// Pieces of text, of archives and of gzip files with a member for each record are spread evenly over the file.
// Folders and zip archives contribute some of their files, Parquet files some rows of each group, and a file that is
// one compressed stream its beginning. Where a piece begins or ends within a record, the readers of package crawl
// skip it.
func excerpt(dir, path string, budget int64) (made string, share float64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if info.IsDir() {
		return ofFolder(dir, path, budget)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	head := make([]byte, 512)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", 0, err
	}
	if head = head[:n]; info.Size() <= budget || bytes.HasPrefix(bytes.TrimLeft(head, "\xef\xbb\xbf \t\r\n"), []byte("<")) { // one page
		return path, 1, nil
	}
	made = filepath.Join(dir, filepath.Base(path))
	out, err := os.Create(made)
	if err != nil {
		return "", 0, err
	}
	in := input{f, info.Size(), budget}
	share, err = in.copy(out, head)
	if err := errors.Join(err, out.Close()); err != nil {
		return "", 0, fmt.Errorf("excerpt of %s: %w", path, err)
	}
	if share == 0 {
		return path, 1, nil
	}
	return made, share, nil
}

// input is a file from which an excerpt is made.
type input struct {
	*os.File
	size, budget int64
}

// copy writes an excerpt of a file that begins with head and returns its share, or 0 if no part of it can be taken.
func (in input) copy(w io.Writer, head []byte) (share float64, err error) {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return in.copyZip(w)
	case bytes.HasPrefix(head, []byte("PAR1")):
		return in.copyParquet(w)
	case bytes.HasPrefix(head, gzipMagic):
		if _, ok := in.find(1, member); ok {
			return in.copyPieces(w, member)
		}
		z, err := gzip.NewReader(io.NewSectionReader(in, 0, in.budget))
		return in.copyStream(w, z, err)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(io.NewSectionReader(in, 0, in.budget), zstd.WithDecoderConcurrency(1))
		return in.copyStream(w, z, err)
	case bytes.HasPrefix(bytes.TrimLeft(head, "\r\n"), []byte("WARC/")):
		return in.copyPieces(w, after("\nWARC/"))
	}
	return in.copyPieces(w, after("\n"))
}

// copyStream copies the decompressed content of the first bytes of a stream, as far as they can be decompressed.
func (in input) copyStream(w io.Writer, z io.Reader, err error) (share float64, _ error) {
	if err == nil {
		_, err = io.Copy(w, io.LimitReader(z, mostContent*in.budget))
	}
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, nil //nolint:nilerr // the reader of the input reports it
	}
	return float64(in.budget) / float64(in.size), nil
}

// mostContent limits the size of the copied content, in multiples of the compressed bytes.
const mostContent = 50

// Pieces have at least leastPiece bytes, and a file yields at most mostPieces of them.
const (
	mostPieces = 256
	leastPiece = 8 << 10
)

// copyPieces copies pieces from all over a file. It takes a record if it begins in one of several windows of equal
// size, so that long records are as likely to be taken as short ones.
func (in input) copyPieces(w io.Writer, next boundary) (share float64, err error) {
	n := max(1, min(mostPieces, in.budget/leastPiece))
	size, taken, end := in.budget/n, int64(0), int64(0)
	for i := range n {
		window, from, ok := i*in.size/n, int64(0), true
		if i > 0 {
			from, ok = in.find(max(window, end), next)
		}
		if !ok {
			break // no record begins in the rest
		}
		if from >= window+size {
			continue
		}
		to, ok := in.find(window+size, next)
		if !ok {
			to = in.size
		}
		if _, err := io.Copy(w, io.NewSectionReader(in, from, to-from)); err != nil {
			return 0, err
		}
		taken, end = taken+to-from, to
	}
	return float64(taken) / float64(in.size), nil
}

// A boundary returns the offset in b of the first record that begins at b[1] or later, or -1.
type boundary func(b []byte) int

// after returns the boundary of records that begin after the first byte of text.
func after(text string) boundary {
	return func(b []byte) int {
		if i := bytes.Index(b, []byte(text)); i >= 0 && i+1 < len(b) {
			return i + 1
		}
		return -1
	}
}

var gzipMagic = []byte{0x1f, 0x8b, 8}

// member is the boundary of the members of a gzip file: bytes that look like a header, and decompress.
func member(b []byte) int {
	for i := 1; i < len(b); i++ {
		j := bytes.Index(b[i:], gzipMagic)
		if j < 0 {
			break
		}
		i += j
		z, err := gzip.NewReader(bytes.NewReader(b[i:]))
		if err != nil {
			continue
		}
		if _, err := io.CopyN(io.Discard, z, 1<<10); err == nil || errors.Is(err, io.EOF) {
			return i
		}
	}
	return -1
}

// mostLooked is the number of bytes to search for the beginning of a record.
const mostLooked = 4 << 20

// find returns the offset of the first record that begins at or after from, which is not 0.
func (in input) find(from int64, next boundary) (at int64, ok bool) {
	for size := int64(64 << 10); from < in.size && size <= mostLooked; size *= 4 {
		b := make([]byte, min(size, in.size-from+1))
		n, _ := in.ReadAt(b, from-1)
		if i := next(b[:n]); i >= 0 {
			return from - 1 + int64(i), true
		}
	}
	return 0, false
}

// ofFolder links to some of the files of a folder. It always includes a sitemap, because URLs come from it.
func ofFolder(dir, root string, budget int64) (made string, share float64, err error) {
	root, err = filepath.Abs(root)
	if err != nil {
		return "", 0, err
	}
	var names []string
	sizes, total, taken := map[string]int64{}, int64(0), int64(0)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // the reader of the folder reports it
		}
		if info, err := d.Info(); err == nil {
			names, sizes[path], total = append(names, path), info.Size(), total+info.Size()
		}
		return nil
	})
	step := int(total/budget) + 1
	if err != nil || step == 1 {
		return root, 1, err
	}
	made = filepath.Join(dir, filepath.Base(root))
	for i, name := range names {
		if i%step != 0 && !strings.Contains(filepath.Base(name), "sitemap") {
			continue
		}
		to := filepath.Join(made, strings.TrimPrefix(name, root))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return "", 0, err
		}
		if err := os.Symlink(name, to); err != nil {
			return "", 0, err
		}
		taken += sizes[name]
	}
	return made, float64(taken) / float64(total), nil
}

// copyZip copies some of the files of a zip archive without decompressing them.
func (in input) copyZip(w io.Writer) (share float64, err error) {
	z, err := zip.NewReader(in, in.size)
	if err != nil {
		return 0, nil //nolint:nilerr // the reader of the input reports it
	}
	step, taken, total, out := int(in.size/in.budget)+1, uint64(0), uint64(1), zip.NewWriter(w)
	for i, f := range z.File {
		if total += f.CompressedSize64; i%step != 0 {
			continue
		}
		if err := out.Copy(f); err != nil {
			return 0, err
		}
		taken += f.CompressedSize64
	}
	return float64(taken) / float64(total), out.Close()
}

// copyParquet copies the first rows of each group of a Parquet file.
func (in input) copyParquet(w io.Writer) (share float64, err error) {
	f, err := parquet.OpenFile(in, in.size)
	if err != nil || f.NumRows() == 0 {
		return 0, nil //nolint:nilerr // the reader of the input reports it
	}
	taken, out := 0, parquet.NewGenericWriter[any](w, f.Schema(), parquet.Compression(&parquet.Snappy))
	for _, g := range f.RowGroups() {
		rows, some := g.Rows(), make([]parquet.Row, max(1, g.NumRows()*in.budget/in.size))
		n, err := rows.ReadRows(some)
		if err == nil || errors.Is(err, io.EOF) {
			_, err = out.WriteRows(some[:n])
		}
		if err := errors.Join(err, rows.Close()); err != nil {
			return 0, err
		}
		taken += n
	}
	return float64(taken) / float64(f.NumRows()), out.Close()
}
