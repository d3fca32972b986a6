package crawl

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/internal/warc"
	"github.com/lshclust/lshclust/crawl/record"
)

// zipSource reads a zip archive. A WACZ holds WARC files in archive/ and, if the crawler saved it, the text of pages as
// a browser showed it in pages/*.jsonl; a folder around all of it does not matter. Any other zip archive is read like a
// folder: archives, which may be WACZ and zip, and the pages of a site.
//
// zipSource does not trust the metadata of a zip archive. It rejects and counts names that lead out of the archive,
// files that overlap, encryption, and methods other than store and deflate. It cuts a file that grows beyond a ratio.
type zipSource struct {
	*stream.Input
	*inside
	zip   *zip.Reader
	files []*zip.File
	kind  string // "wacz" or "zip"
	root  string // of a WACZ: the folder in which it is, with its slash
	again bool   // whether a Fetcher finds the archive; for one in another container, that is for the other to say
	done  atomic.Int64
}

func sniffZip(head []byte) bool {
	return strings.HasPrefix(string(head), "PK\x03\x04") || strings.HasPrefix(string(head), "PK\x05\x06")
}

// openZip opens a file whose first bytes are those of a zip archive. If the file cannot seek or is compressed, it makes
// a temporary copy.
func openZip(m *stream.Members, o *record.Options) (record.Source, error) {
	c, err := newInside(m.Input, o)
	if err != nil {
		return nil, err
	}
	in := m.Input
	if _, ok := in.ReaderAt(); !ok || m.Kind != stream.Plain {
		if in, err = unpacked(in, m.All(), o); err != nil {
			return nil, err
		}
	}
	s := &zipSource{Input: in, inside: c, again: m.CanSeek() || strings.Contains(m.Name(), zipMark)}
	if err = zipFits(o, in); err == nil {
		s.zip, err = zipFiles(in)
	}
	if s.zip != nil {
		s.files = s.zip.File
	}
	if little := (*record.MemoryError)(nil); err != nil && !errors.As(err, &little) {
		err = in.Skip(record.ReasonBadZip, err)
	}
	if what := foreignZip(s.files); err == nil && what != "" {
		err = in.Skip(record.ReasonUnsupportedFormat, errors.New(what))
	}
	s.judge()
	if err == nil && s.kind == "zip" && s.found[pageKind] > 0 {
		err = s.survey(in, s.zip)
	}
	if err != nil {
		if in != m.Input {
			in.Close()
		}
		return nil, err
	}
	if in != m.Input {
		m.Close()
	}
	return s, nil
}

// judge decides how to read the archive.
func (s *zipSource) judge() {
	s.kind = "zip"
	for _, f := range s.files {
		dir, base := path.Split(f.Name)
		root, ok := strings.CutSuffix(dir, "archive/")
		described := func(f *zip.File) bool { return f.Name == root+"datapackage.json" }
		if ok && kindOf(base) == archiveKind && (root == "" || strings.HasSuffix(root, "/") && slices.ContainsFunc(s.files, described)) {
			s.kind, s.root = "wacz", root
			return
		}
		if !strings.HasSuffix(f.Name, "/") {
			s.found[kindInside(f.Name)]++
		}
	}
}

// zipFiles lists the files of a zip archive in the order of their names. It rejects files that share bytes as a zip
// bomb.
func zipFiles(in *stream.Input) (*zip.Reader, error) {
	at, _ := in.ReaderAt()
	z, err := zip.NewReader(at, in.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	if !slices.ContainsFunc(z.File, func(f *zip.File) bool { return strings.Contains(f.Name, "/") }) {
		for _, f := range z.File { // some programs for Windows separate folders so
			f.Name = strings.ReplaceAll(f.Name, `\`, "/")
		}
	}
	slices.SortStableFunc(z.File, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	type span struct{ from, to int64 }
	var spans []span
	for _, f := range z.File {
		from, err := f.DataOffset()
		if err != nil || f.CompressedSize64 > uint64(in.Size()) || from+int64(f.CompressedSize64) > in.Size() {
			return nil, fmt.Errorf("%.100q lies outside of the file", f.Name)
		}
		spans = append(spans, span{from, from + int64(f.CompressedSize64)})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			return nil, errors.New("files in it overlap")
		}
	}
	return z, nil
}

// Format and Offset implement record.Source.

func (s *zipSource) Format() string { return s.kind }
func (s *zipSource) Offset() int64  { return s.done.Load() }

// Records implements record.Source.
func (s *zipSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		for _, err := range s.wrong {
			if !yield(nil, err) {
				return
			}
		}
		for _, f := range s.files {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if strings.HasSuffix(f.Name, "/") {
				continue // a folder
			}
			if !s.entry(ctx, f, yield) {
				return
			}
			s.done.Add(int64(f.CompressedSize64))
		}
	}
}

// entry reads one file. It returns false if the consumer stopped.
func (s *zipSource) entry(ctx context.Context, f *zip.File, yield func(*record.Record, error) bool) bool {
	pos := record.Position{File: nameIn(s.Name(), f.Name)}
	refuse := func(r record.Reason, why string) bool {
		return yield(nil, &record.Skip{Pos: pos, Reason: r, Err: errors.New(why)})
	}
	rest, within := strings.CutPrefix(f.Name, s.root)
	pages := s.kind == "wacz" && within && path.Dir(rest) == "pages" && path.Ext(f.Name) == ".jsonl"
	k := kindInside(f.Name)
	switch {
	case !safeName(f.Name):
		return refuse(record.ReasonUnsafeName, "leads out of the archive")
	case f.Flags&1 != 0:
		return refuse(record.ReasonBadZip, "encrypted: unpack it with its password and give the folder")
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return refuse(record.ReasonBadZip, fmt.Sprintf("compression method %d: unpack it, for example with 7z x, and give the folder", f.Method))
	case s.kind == "wacz" && !pages && (!within || path.Dir(rest) != "archive" || k != archiveKind):
		return true // indexes, logs and the description of the package
	case s.kind == "zip" && k == pageKind && s.isPart(f.Name):
		return refuse(record.ReasonCompanion, "a part of a saved page")
	case s.kind == "zip" && (!s.found.reads(k) || k == jsonKind && !isContainerName(f.Name) && !s.probe(f)):
		return yield(nil, leftOut(pos, k, f.Name, func() []byte { return headOf(s.open(f)) }))
	}
	in, err := s.open(f)
	switch {
	case err != nil:
		return yield(nil, err)
	case pages:
		return s.texts(ctx, in, yield)
	}
	return s.read(ctx, k, f.Name, in, s.again, yield)
}

// probe reports whether there is a page, or links, among the first records of a file.
func (s *zipSource) probe(f *zip.File) bool {
	in, err := s.open(f)
	if err != nil {
		return true // reading it says why
	}
	src, err := sniff(in, record.Options{MaxPage: 1 << 20, MaxLine: 8 << 20, Map: s.opts.Map, Memory: s.opts.Memory, TempDir: s.opts.TempDir}.WithDefaults())
	if err != nil {
		in.Close()
		return false
	}
	return holds(src)
}

// open returns an input for a file in the archive. If a file other than a page is stored without compression, the input
// can seek; the checksum of a page is verified.
func (s *zipSource) open(f *zip.File) (*stream.Input, error) {
	name := nameIn(s.Name(), f.Name)
	if f.Method == zip.Store && kindInside(f.Name) > pageKind {
		from, _ := f.DataOffset() // zipFiles has already checked it
		at, _ := s.ReaderAt()
		return section(name, at, from, int64(f.CompressedSize64)), nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, &record.Skip{Pos: record.Position{File: name}, Reason: record.ReasonBadZip, Err: err}
	}
	return bounded(name, r, r, f.CompressedSize64), nil
}

// file implements container. It makes a temporary copy of a deflated file.
func (s *zipSource) file(name string) (*stream.Input, error) {
	i := slices.IndexFunc(s.files, func(f *zip.File) bool { return strings.ToValidUTF8(f.Name, "\uFFFD") == name && safeName(f.Name) })
	if i < 0 {
		return nil, warc.ErrNotThere
	}
	in, err := s.open(s.files[i])
	if err != nil || in.CanSeek() {
		return in, err
	}
	defer in.Close()
	return unpacked(in, in.Raw, s.opts)
}

// texts reads from a list of pages in a WACZ the text that was saved with the pages.
func (s *zipSource) texts(ctx context.Context, in *stream.Input, yield func(*record.Record, error) bool) bool {
	m, err := stream.NewMembers(in, s.opts.Memory)
	if err != nil {
		return yield(nil, err)
	}
	_, _ = m.Head(1) // reading the first line returns the same error
	src := table.OpenTexts(m, s.opts)
	defer src.Close()
	for rec, err := range src.Records(ctx) {
		if !yield(rec, err) {
			return false
		}
	}
	return true
}

// Package archive/zip reads the whole list of the files in an archive into memory.

const (
	zipTail = 22 + 20 + 56 + 1<<16 // the end of a list, with that of large archives, and the longest comment
	zipGrow = 12                   // bytes of memory that a byte of the list takes: 46 and the name become 512 and the name, twice
)

// zipFits returns a *MemoryError if the list of the files does not fit into memory.
func zipFits(o *record.Options, in *stream.Input) error {
	at, ok := in.ReaderAt()
	if !ok || o.Memory <= 0 {
		return nil
	}
	begin, end := zipDirectory(at, in.Size())
	return o.Needs(zipGrow*(end-begin), record.Position{File: in.Name()}, "the list of the files in a zip archive, %d bytes", end-begin)
}

// zipDirectory returns where the list of the files is, or an empty range if it cannot find the list.
func zipDirectory(at io.ReaderAt, size int64) (begin, end int64) {
	from := max(0, size-zipTail)
	tail := make([]byte, size-from)
	if n, _ := at.ReadAt(tail, from); n < len(tail) {
		return 0, 0
	}
	i := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if i < 0 || len(tail)-i < 22 {
		return 0, 0
	}
	length := int64(binary.LittleEndian.Uint32(tail[i+12:]))
	if j := bytes.LastIndex(tail[:i], []byte("PK\x06\x06")); j >= 0 && i-j >= 56 { // a large archive (zip64)
		i, length = j, int64(binary.LittleEndian.Uint64(tail[j+40:]))
	}
	end = from + int64(i)
	if length < 0 || length > end {
		return 0, end // the list cannot be longer, whatever the archive says
	}
	return end - length, end
}
