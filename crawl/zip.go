package crawl

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/table"
	"github.com/lshclust/lshclust/crawl/warc"
)

// zipSource reads a zip archive. A WACZ holds WARC files in archive/ and, if the crawler saved it, the text of pages as
// a browser showed it in pages/*.jsonl. Any other zip archive that contains HTML is a site and is read like a folder of
// HTML. Without HTML, it holds crawl files, which are read one after another. Positions name a file in the archive
// ZIP!/NAME.
//
// zipSource does not trust the metadata of a zip archive. It rejects and counts names that lead out of the archive,
// files that overlap, encryption, and methods other than store and deflate. It cuts a file that grows beyond maxRatio.
type zipSource struct {
	*stream.Input
	opts  *record.Options
	files []*zip.File
	kind  string // "wacz" or "zip"
	done  atomic.Int64
	site  site
	seen  int64
}

// zipMark separates the path of a zip archive from the name of a file in it.
const zipMark = "!/"

func sniffZip(head []byte) bool { return strings.HasPrefix(string(head), "PK\x03\x04") }

// openZip opens a file whose first bytes are those of a zip archive.
func openZip(in *stream.Input, o *record.Options) (record.Source, error) {
	if err := zipFits(o, in); err != nil {
		return nil, err
	}
	files, err := zipFiles(in)
	if err != nil {
		return nil, in.Skip(record.ReasonBadZip, err)
	}
	s := &zipSource{Input: in, opts: o, files: files, kind: "zip"}
	if err := s.site.place(o, "", ""); err != nil {
		return nil, in.Skip(record.ReasonBadURL, err)
	}
	if slices.ContainsFunc(files, func(f *zip.File) bool { return isWACZArchive(f.Name) }) {
		s.kind = "wacz"
	} else if slices.ContainsFunc(files, func(f *zip.File) bool { return isHTMLName(strings.ToLower(f.Name)) }) ||
		!slices.ContainsFunc(files, func(f *zip.File) bool { return isCrawlName(f.Name) }) {
		s.kind = "site"
	}
	return s, nil
}

func isWACZArchive(name string) bool { return path.Dir(name) == "archive" && isCrawlName(name) }

// zipFiles lists the files of a zip archive in the order of their names. It rejects files that share bytes as a zip
// bomb.
func zipFiles(in *stream.Input) ([]*zip.File, error) {
	at, ok := in.ReaderAt()
	if !ok {
		return nil, errors.New("a zip archive is read from a file, not from a stream")
	}
	z, err := zip.NewReader(at, in.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
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
	return z.File, nil
}

// Format and Offset implement record.Source.

func (s *zipSource) Format() string {
	if s.kind == "site" {
		return "zip"
	}
	return s.kind
}
func (s *zipSource) Offset() int64 { return s.done.Load() }

// Records implements record.Source.
func (s *zipSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
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
	pos := record.Position{File: s.Name() + zipMark + strings.ToValidUTF8(f.Name, "\uFFFD")}
	refuse := func(r record.Reason, why string) bool {
		return yield(nil, &record.Skip{Pos: pos, Reason: r, Err: errors.New(why)})
	}
	switch {
	case !safeName(f.Name):
		return refuse(record.ReasonUnsafeName, "leads out of the archive")
	case f.Flags&1 != 0:
		return refuse(record.ReasonBadZip, "encrypted")
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return refuse(record.ReasonBadZip, fmt.Sprintf("compression method %d", f.Method))
	case s.kind == "site":
		return yield(s.page(f, pos))
	case s.kind == "wacz" && path.Dir(f.Name) == "pages" && path.Ext(f.Name) == ".jsonl":
		return s.texts(ctx, f, pos, yield)
	case s.kind == "wacz" && !isWACZArchive(f.Name):
		return true // indexes, logs and the description of the package
	case !isCrawlName(f.Name):
		return refuse(record.ReasonNotHTML, "no crawl file")
	}
	return s.nested(ctx, f, pos, yield)
}

// safeName reports whether a name stays within the archive.
func safeName(name string) bool {
	drive := len(name) > 1 && name[1] == ':'
	return !drive && !strings.ContainsAny(name, "\\\x00") && !strings.HasPrefix(name, "/") && !slices.Contains(strings.Split(name, "/"), "..")
}

// nested reads a crawl file in the archive.
func (s *zipSource) nested(ctx context.Context, f *zip.File, pos record.Position, yield func(*record.Record, error) bool) bool {
	in, err := s.open(f, pos.File)
	if err != nil {
		return yield(nil, err)
	}
	src, err := sniff(in, s.opts)
	if err != nil {
		in.Close()
		return yield(nil, err)
	}
	if archive, ok := src.(*warc.Source); ok {
		src = archive.InRanges()
	}
	defer src.Close()
	for rec, err := range src.Records(ctx) {
		if rec != nil && f.Method == zip.Deflate {
			rec.Fetchable = rec.Archive != nil // a Fetcher can unpack archive files
		}
		if !yield(rec, err) {
			return false
		}
	}
	return ctx.Err() != nil || wholeEntry(in, f, pos, yield)
}

// wholeEntry yields a warning if a file was cut because its compression ratio is not that of a crawl.
func wholeEntry(in *stream.Input, f *zip.File, pos record.Position, yield func(*record.Record, error) bool) bool {
	file, _ := in.File.(boundedFile)
	if limited, ok := file.Reader.(*io.LimitedReader); !ok || limited.N > 0 {
		return true
	}
	return yield(nil, &record.Skip{Pos: pos, Reason: record.ReasonRatio, Err: fmt.Errorf("%d bytes decode to %d or more", f.CompressedSize64, swollen(f))})
}

// open returns an input for a file in the archive. If the file is stored without compression, the input can seek.
func (s *zipSource) open(f *zip.File, name string) (*stream.Input, error) {
	if f.Method == zip.Store {
		return s.section(f, name), nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, &record.Skip{Pos: record.Position{File: name}, Reason: record.ReasonBadZip, Err: err}
	}
	return stream.New(name, boundedFile{&io.LimitedReader{R: r, N: swollen(f)}, r}, nil, -1), nil
}

func (s *zipSource) section(f *zip.File, name string) *stream.Input {
	from, _ := f.DataOffset() // zipFiles has already checked it
	at, _ := s.ReaderAt()
	part := io.NewSectionReader(at, from, int64(f.CompressedSize64))
	in := stream.New(name, io.NopCloser(part), part, part.Size())
	in.Reopen = func() (*stream.Input, error) { return s.section(f, name), nil }
	return in
}

type boundedFile struct {
	io.Reader
	io.Closer
}

// swollen returns the number of bytes to which a file may grow.
func swollen(f *zip.File) int64 {
	n := min(f.CompressedSize64, math.MaxInt64/payload.MaxRatio)
	return max(payload.MaxRatio*int64(n), payload.RatioFree)
}

// page returns the record for a file of a site. It reads the file at once, because the archive may be closed when the
// record is decoded.
func (s *zipSource) page(f *zip.File, pos record.Position) (*record.Record, error) {
	s.seen++
	pos.Record = s.seen
	if k := kindOf(path.Base(f.Name)); k > pageKind {
		return nil, leftOut(pos, k, f.Name)
	}
	rec := &record.Record{Pos: pos, URL: s.site.url(f.Name), Opts: s.opts, Decode: func(r *record.Record) (record.Page, error) { return s.site.page(r, r.Data, f.Name) }}
	file, err := f.Open()
	if err != nil {
		return nil, rec.Skip(record.ReasonBadZip, rec.URL, err)
	}
	defer file.Close()
	limit := min(s.opts.MaxRecord(), swollen(f))
	rec.Room = s.opts.NewRoom()
	if rec.Data, err = rec.Room.ReadUpTo(file, limit, int(min(f.CompressedSize64, 1<<20))); err != nil {
		rec.Release()
		return nil, rec.Skip(record.ReasonBadZip, rec.URL, err)
	}
	if int64(len(rec.Data)) == limit && limit < s.opts.MaxRecord() {
		rec.Notes = append(rec.Notes, rec.Skip(record.ReasonRatio, rec.URL, fmt.Errorf("%d bytes decode to %d or more", f.CompressedSize64, limit)))
	}
	return rec, nil
}

// texts reads from a list of pages in a WACZ the text that was saved with the pages.
func (s *zipSource) texts(ctx context.Context, f *zip.File, pos record.Position, yield func(*record.Record, error) bool) bool {
	in, err := s.open(f, pos.File)
	if err != nil {
		return yield(nil, err)
	}
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

// openEntry opens a crawl file in a zip archive by its name in positions. The source can seek.
func openEntry(name string, o *record.Options) (record.Source, error) {
	archive, entry, _ := strings.Cut(name, zipMark)
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	z := &zipSource{Input: stream.New(archive, f, f, info.Size()), opts: o}
	files, err := zipFiles(z.Input)
	i := slices.IndexFunc(files, func(f *zip.File) bool { return strings.ToValidUTF8(f.Name, "\uFFFD") == entry && safeName(f.Name) })
	if err != nil || i < 0 {
		f.Close()
		return nil, errors.Join(err, warc.ErrNotThere)
	}
	in := z.section(files[i], name)
	if files[i].Method == zip.Store {
		in.File = boundedFile{in.File, f}
		return sniff(in, o)
	}
	defer f.Close()
	if in, err = z.unpack(files[i], name); err != nil {
		return nil, err
	}
	return sniff(in, o)
}

// maxUnpacked is the maximum size of the temporary copy of a deflated file.
const maxUnpacked = 64 << 30

// unpack makes a temporary copy of a deflated file, which cannot seek. Closing the copy removes it.
func (s *zipSource) unpack(f *zip.File, name string) (*stream.Input, error) {
	packed, err := s.open(f, name)
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	to, err := os.CreateTemp("", "lshclust-*.unpacked")
	if err != nil {
		return nil, err
	}
	os.Remove(to.Name())
	n, _ := io.Copy(to, io.LimitReader(packed.File, maxUnpacked)) // a broken file yields its start, as when it was first read
	if _, err := to.Seek(0, io.SeekStart); err != nil {
		to.Close()
		return nil, err
	}
	return stream.New(name, to, to, n), nil
}
