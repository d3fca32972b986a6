package crawl

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/internal/warc"
	"github.com/lshclust/lshclust/crawl/record"
)

// tarSource reads a tar archive: crawl files, and HTML as the pages of a site. After damage, it continues at the next
// header of a file. If the archive can be read twice, it is first searched for what concerns the whole site.
type tarSource struct {
	*stream.Members
	*inside
	refused error       // why it is not read
	at      io.ReaderAt // the archive, if it can seek and is not compressed
	input   *tarInput   // of the current pass
	files   *tar.Reader
	ended   bool
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
	s.inside, s.refused = newInside(m.Input, o)
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

// tarFile is a tarInput that can seek, so that the library passes over content without reading it.
type tarFile struct {
	*tarInput
	part *io.SectionReader
}

// Seek implements io.Seeker.
func (t tarFile) Seek(offset int64, whence int) (n int64, err error) {
	if n, err = t.part.Seek(offset, whence); n != t.read {
		t.read, t.zeros = n, 0
	}
	return n, err
}

// begin begins a pass over the archive, or over the bytes of from.
func (s *tarSource) begin(from io.Reader) {
	s.input, s.ended = &tarInput{from: from}, false
	if s.at != nil {
		part := io.NewSectionReader(s.at, 0, s.Size())
		s.input.from = part
		s.files = tar.NewReader(tarFile{s.input, part})
		return
	}
	s.files = tar.NewReader(s.input)
}

// Records implements record.Source.
func (s *tarSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		if s.refused == nil {
			s.refused = s.look(ctx)
		}
		if s.refused != nil {
			yield(nil, s.refused)
			return
		}
		for _, err := range s.wrong {
			if !yield(nil, err) {
				return
			}
		}
		s.begin(s.All())
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

// Bounds of what is looked at before an archive is read.
const (
	maxLooked  = 256 << 20 // bytes of a compressed archive, uncompressed
	maxWithout = 16 << 20  // bytes without a page
	maxListing = 8 << 20   // bytes of the listing
	listGrow   = 6         // bytes of memory that a byte of the listing takes
)

// look looks for the sitemap of a site in the archive and for what its links call the files. The files for that are
// listed as a zip archive in memory: their names, and the content of sitemaps and of the first pages.
func (s *tarSource) look(ctx context.Context) error {
	from := io.Reader(strings.NewReader(""))
	if s.at == nil && s.Reopen != nil {
		in, err := s.Reopen()
		if err != nil {
			return err
		}
		defer in.Close()
		m, err := stream.NewMembers(in, s.opts.Memory)
		if err != nil {
			return err
		}
		if _, err = m.Head(1); err != nil {
			return nil //nolint:nilerr // reading says why
		}
		from = io.LimitReader(m.All(), maxLooked)
	}
	s.begin(from)
	var list bytes.Buffer
	z := zip.NewWriter(&list)
	for ctx.Err() == nil && list.Len() < maxListing && (s.found[pageKind] > 0 || s.input.read < maxWithout) {
		h, err := s.files.Next()
		if err != nil {
			break
		}
		if name := path.Clean(h.Name); h.Typeflag == tar.TypeReg && safeName(name) {
			s.list(z, name, h.Size)
		}
	}
	if err := z.Close(); err != nil || s.found[pageKind] == 0 {
		return err
	}
	pos := record.Position{File: s.Name()}
	if err := s.opts.Needs(listGrow*int64(list.Len()), pos, "the list of the files in a tar archive, %d bytes", list.Len()); err != nil {
		return err
	}
	files, err := zip.NewReader(bytes.NewReader(list.Bytes()), int64(list.Len()))
	if err != nil {
		return s.Skip(record.ReasonBadTar, err)
	}
	return s.survey(s.Input, files)
}

// list adds the current file to a listing. A sitemap is there as a whole or not at all.
func (s *tarSource) list(z *zip.Writer, name string, size int64) {
	k, copied := kindInside(name), int64(0)
	s.found[k]++
	switch base := path.Base(name); {
	case path.Ext(strings.TrimSuffix(base, ".gz")) == ".xml", slices.Contains(sitemapNames, base), base == "robots.txt", base == "index.rdf":
		copied = size
		if size > maxListing/8 {
			return
		}
	case k == pageKind && s.found[k] <= maxVoters:
		copied = min(size, maxBallot)
	}
	if w, err := z.CreateHeader(&zip.FileHeader{Name: name}); err == nil {
		_, _ = io.CopyN(w, s.files, copied)
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
		return h, nil
	case s.input.err != nil:
		skip := s.Damaged(s.input.err)
		s.ended = true
		return nil, skip
	}
	from, damaged := s.input.read, !errors.Is(err, io.EOF)
	if !damaged && s.input.zeros < tarBlock {
		damaged, err = true, errors.New("the archive ends without the mark of its end: it may have been cut short")
	}
	found := s.find()
	switch {
	case damaged:
		return nil, &record.Skip{Pos: record.Position{File: s.Name(), Offset: from}, Reason: record.ReasonBadTar, Err: err, Passed: s.input.read - from}
	case found:
		return s.next()
	}
	return nil, io.EOF
}

// find moves to the next header of a file, and reports whether there is one.
func (s *tarSource) find() bool {
	var block [tarBlock]byte
	for {
		if _, err := io.ReadFull(s.input, block[:]); err != nil {
			s.ended = true
			return false
		}
		if sniffTar(block[:]) {
			s.files = tar.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(block[:])), s.input))
			return true
		}
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
	case k == pageKind && s.isPart(name):
		return refuse(record.ReasonCompanion, "a part of a saved page")
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
		return section(name, s.at, s.input.read, h.Size)
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
	s.begin(nil)
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
