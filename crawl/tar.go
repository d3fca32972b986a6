package crawl

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/warc"
)

// tarSource reads a tar archive in one pass: crawl files, and HTML as the pages of a site. After damage, it continues
// at the next header of a file.
type tarSource struct {
	*stream.Members
	*inside
	wrong error       // why it is not read
	at    io.ReaderAt // the archive, if it can seek and is not compressed
	input tarInput    // of the current pass
	files *tar.Reader
	ended bool
	data  int64 // offset of the current file's content in the archive
}

const tarBlock = 512

// sniffTar reports whether head begins with the header of a file in a tar archive: the sum of its bytes is in it.
func sniffTar(head []byte) bool {
	if len(head) < tarBlock || head[0] == 0 {
		return false
	}
	stated, err := strconv.ParseInt(string(bytes.Trim(head[148:156], " \x00")), 8, 64)
	if err != nil {
		return false
	}
	sum := int64(8 * ' ')
	for i, b := range head[:tarBlock] {
		if i < 148 || i >= 156 {
			sum += int64(b)
		}
	}
	return sum == stated
}

func openTar(m *stream.Members, o *record.Options) record.Source {
	s := &tarSource{Members: m}
	s.inside, s.wrong = newInside(m.Input, o)
	if at, ok := m.ReaderAt(); ok && m.Kind == stream.Plain {
		s.at = at
	}
	return s
}

// Format implements record.Source.
func (s *tarSource) Format() string { return "tar" }

// tarInput reads the bytes of a tar archive. It notes an error, after which the archive ends.
type tarInput struct {
	from  io.Reader
	read  int64
	zeros int64 // bytes of value 0 that were read last
	err   error
}

// Read implements io.Reader.
func (t *tarInput) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	t.read += int64(n)
	if other := len(bytes.TrimRight(p[:n], "\x00")); other > 0 {
		t.zeros = -int64(other)
	}
	t.zeros += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		t.err, err = err, io.EOF
	}
	return n, err
}

// begin begins a pass.
func (s *tarSource) begin() {
	s.input, s.ended = tarInput{from: s.All()}, false
	if s.at != nil {
		s.input.from = io.NewSectionReader(s.at, 0, s.Size())
	}
	s.files = tar.NewReader(s.reader())
}

// reader returns the input of the library, which passes over content without reading it if the reader can seek.
func (s *tarSource) reader() io.Reader {
	if part, ok := s.input.from.(*io.SectionReader); ok {
		return part
	}
	return &s.input
}

// Records implements record.Source.
func (s *tarSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		if s.wrong != nil {
			yield(nil, s.wrong)
			return
		}
		s.begin()
		for {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			h, err := s.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil && !yield(nil, err) || err == nil && !s.entry(ctx, h, yield) {
				return
			}
		}
	}
}

// next moves to the next file. The error is a *Skip for damage, or io.EOF. Several archives may be one after another.
func (s *tarSource) next() (*tar.Header, error) {
	if s.ended {
		return nil, io.EOF
	}
	h, err := s.files.Next()
	switch {
	case err == nil || errors.Is(err, tar.ErrInsecurePath):
		s.data = s.place()
		return h, nil
	case s.input.err != nil:
		skip := s.Damaged(s.input.err)
		s.ended = true
		return nil, skip
	}
	from, damaged := s.place(), !errors.Is(err, io.EOF)
	if !damaged && !s.marked(from) {
		damaged, err = true, errors.New("the archive ends without the mark of its end: it may have been cut short")
	}
	found := s.find()
	switch {
	case damaged:
		return nil, &record.Skip{Pos: record.Position{File: s.Name(), Offset: from}, Reason: record.ReasonBadTar, Err: err, Passed: s.place() - from}
	case found:
		return s.next()
	}
	return nil, io.EOF
}

// place returns the offset of the next byte in the archive.
func (s *tarSource) place() int64 {
	if part, ok := s.input.from.(*io.SectionReader); ok {
		at, _ := part.Seek(0, io.SeekCurrent)
		return at
	}
	return s.input.read
}

// marked reports whether a block of zeros precedes an offset, which is the current one.
func (s *tarSource) marked(at int64) bool {
	if s.at == nil {
		return s.input.zeros >= tarBlock
	}
	var block [tarBlock]byte
	n, _ := s.at.ReadAt(block[:], max(at-tarBlock, 0))
	return n == tarBlock && block == [tarBlock]byte{}
}

// find moves to the next header of a file, and reports whether there is one.
func (s *tarSource) find() bool {
	var block [tarBlock]byte
	r := s.reader()
	for {
		if _, err := io.ReadFull(r, block[:]); err != nil {
			s.ended = true
			return false
		}
		if !sniffTar(block[:]) {
			continue
		}
		if part, ok := r.(*io.SectionReader); ok {
			_, _ = part.Seek(-tarBlock, io.SeekCurrent)
			s.files = tar.NewReader(part)
		} else {
			s.files = tar.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(block[:])), r))
		}
		return true
	}
}

// entry reads one file. It returns false if the consumer stopped.
func (s *tarSource) entry(ctx context.Context, h *tar.Header, yield func(*record.Record, error) bool) bool {
	name := path.Clean(h.Name)
	refuse := func(r record.Reason, format string, args ...any) bool {
		return yield(nil, &record.Skip{Pos: record.Position{File: nameIn(s.Name(), name)}, Reason: r, Err: fmt.Errorf(format, args...)})
	}
	k := kindInside(name)
	switch {
	case h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader:
		return true
	case !safeName(name):
		return refuse(record.ReasonUnsafeName, "leads out of the archive")
	case h.Typeflag == tar.TypeLink || h.Typeflag == tar.TypeSymlink:
		if s.found.reads(k) && k != unknownKind {
			return refuse(record.ReasonLooksHTML, "a link to %.100q, which is read under that name only: unpack the archive and give the folder", h.Linkname)
		}
		return refuse(record.ReasonNotHTML, "a link")
	case h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeGNUSparse && h.Typeflag != tar.TypeCont:
		return refuse(record.ReasonNotHTML, "not a regular file")
	case !s.found.reads(k):
		return yield(nil, leftOut(record.Position{File: nameIn(s.Name(), name)}, k, name, func() []byte { return headOf(s.content(h), nil) }))
	}
	s.found[k]++
	return s.read(ctx, k, name, s.content(h), s.at != nil, yield)
}

// content returns an input for the current file. The input can seek if the archive can and the file has no holes. A
// file with holes is cut if it has grown too much.
func (s *tarSource) content(h *tar.Header) *stream.Input {
	name := nameIn(s.Name(), path.Clean(h.Name))
	holes := isSparse(h)
	if s.at != nil && !holes {
		return section(name, s.at, s.data, h.Size)
	}
	r := io.NopCloser(s.files)
	if holes {
		return bounded(name, s.files, r, 0)
	}
	return stream.New(name, r, nil, -1)
}

// isSparse reports whether a file has holes, which take no space in the archive.
func isSparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
}

// file implements container.
func (s *tarSource) file(name string) (*stream.Input, error) {
	if s.at == nil {
		return nil, warc.ErrNotThere
	}
	s.begin()
	for {
		h, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, warc.ErrNotThere
		case err == nil && strings.ToValidUTF8(path.Clean(h.Name), "\uFFFD") == name && h.Typeflag == tar.TypeReg && !isSparse(h):
			return s.content(h), nil
		}
	}
}
