package crawl

import (
	"archive/zip"
	"bytes"
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
)

// zipSource reads a zip archive. A WACZ holds WARC files in archive/, and in pages/*.jsonl the text of pages as a browser
// showed it, if the crawler saved it. Any other zip is a site, read as a folder of HTML is, if there is HTML in it,
// and else holds crawl files, which are read one after another. A file in it is called ZIP!/NAME in positions.
//
// What a zip says of itself is not trusted: names that lead out of it, files that overlap, encryption and other
// methods than store and deflate are refused and counted, and a file that swells beyond maxRatio is cut there.
type zipSource struct {
	*input
	opts  *Options
	files []*zip.File
	kind  string // "wacz", "zip"
	done  atomic.Int64
	site  folderSource
	seen  int64
}

// zipMark stands between the path of a zip archive and a name in it.
const zipMark = "!/"

func sniffZip(head []byte) bool { return strings.HasPrefix(string(head), "PK\x03\x04") }

// openZip opens a file whose first bytes are those of a zip archive.
func openZip(in *input, o *Options) (Source, error) {
	if err := o.zipFits(in); err != nil {
		return nil, err
	}
	files, err := zipFiles(in)
	if err != nil {
		return nil, in.skip(ReasonBadZip, err)
	}
	s := &zipSource{input: in, opts: o, files: files, kind: "zip"}
	if s.site.base, s.site.hosts = o.Base, o.Base == ""; s.site.hosts {
		s.site.base = localBase
	}
	if s.site.base, err = siteBase(s.site.base); err != nil {
		return nil, in.skip(ReasonBadURL, fmt.Errorf("base URL: %w", err))
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

// zipFiles lists a zip in the order of its names. Files that share bytes are a bomb.
func zipFiles(in *input) ([]*zip.File, error) {
	at, ok := in.file.(io.ReaderAt)
	if !ok || in.seek == nil {
		return nil, errors.New("a zip archive is read from a file, not from a stream")
	}
	z, err := zip.NewReader(at, in.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	slices.SortStableFunc(z.File, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	type span struct{ from, to int64 }
	var spans []span
	for _, f := range z.File {
		from, err := f.DataOffset()
		if err != nil || f.CompressedSize64 > uint64(in.size) || from+int64(f.CompressedSize64) > in.size {
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

// Format and Offset are of Source.

func (s *zipSource) Format() string {
	if s.kind == "site" {
		return "zip"
	}
	return s.kind
}
func (s *zipSource) Offset() int64 { return s.done.Load() }

// Records implements Source.
func (s *zipSource) Records(ctx context.Context) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
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

// entry reads one file; false when nobody wants more.
func (s *zipSource) entry(ctx context.Context, f *zip.File, yield func(*Record, error) bool) bool {
	pos := Position{File: s.name + zipMark + strings.ToValidUTF8(f.Name, "\uFFFD")}
	refuse := func(r Reason, why string) bool { return yield(nil, &Skip{Pos: pos, Reason: r, Err: errors.New(why)}) }
	switch {
	case !safeName(f.Name):
		return refuse(ReasonUnsafeName, "leads out of the archive")
	case f.Flags&1 != 0:
		return refuse(ReasonBadZip, "encrypted")
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return refuse(ReasonBadZip, fmt.Sprintf("compression method %d", f.Method))
	case s.kind == "site":
		return yield(s.page(f, pos))
	case s.kind == "wacz" && path.Dir(f.Name) == "pages" && path.Ext(f.Name) == ".jsonl":
		return s.texts(ctx, f, pos, yield)
	case s.kind == "wacz" && !isWACZArchive(f.Name):
		return true // indexes, logs and description of the package
	case !isCrawlName(f.Name):
		return refuse(ReasonNotHTML, "no crawl file")
	}
	return s.nested(ctx, f, pos, yield)
}

// safeName tells names that stay in the archive.
func safeName(name string) bool {
	drive := len(name) > 1 && name[1] == ':'
	return !drive && !strings.ContainsAny(name, "\\\x00") && !strings.HasPrefix(name, "/") && !slices.Contains(strings.Split(name, "/"), "..")
}

// nested reads a crawl file.
func (s *zipSource) nested(ctx context.Context, f *zip.File, pos Position, yield func(*Record, error) bool) bool {
	in, err := s.open(f, pos.File)
	if err != nil {
		return yield(nil, err)
	}
	src, err := sniff(in, s.opts)
	if err != nil {
		in.Close()
		return yield(nil, err)
	}
	if archive, ok := src.(*archiveSource); ok {
		src = archive.inRanges()
	}
	defer src.Close()
	for rec, err := range src.Records(ctx) {
		if rec != nil && f.Method == zip.Deflate {
			rec.again = rec.kind != "" // of an archive: a Fetcher unpacks it
		}
		if !yield(rec, err) {
			return false
		}
	}
	return ctx.Err() != nil || wholeEntry(in, f, pos, yield)
}

// wholeEntry warns of a file that was cut, for it swells as no crawl does.
func wholeEntry(in *input, f *zip.File, pos Position, yield func(*Record, error) bool) bool {
	file, _ := in.file.(boundedFile)
	if limited, ok := file.Reader.(*io.LimitedReader); !ok || limited.N > 0 {
		return true
	}
	return yield(nil, &Skip{Pos: pos, Reason: ReasonRatio, Err: fmt.Errorf("%d bytes make %d and more", f.CompressedSize64, swollen(f))})
}

// open makes an input of a file in the archive: what is stored as it is can be read from any place.
func (s *zipSource) open(f *zip.File, name string) (*input, error) {
	if f.Method == zip.Store {
		return s.section(f, name), nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, &Skip{Pos: Position{File: name}, Reason: ReasonBadZip, Err: err}
	}
	return newInput(name, boundedFile{&io.LimitedReader{R: r, N: swollen(f)}, r}, nil, -1), nil
}

func (s *zipSource) section(f *zip.File, name string) *input {
	from, _ := f.DataOffset() // it was asked before
	at, _ := s.file.(io.ReaderAt)
	part := io.NewSectionReader(at, from, int64(f.CompressedSize64))
	in := newInput(name, io.NopCloser(part), part, part.Size())
	in.reopen = func() (*input, error) { return s.section(f, name), nil }
	return in
}

type boundedFile struct {
	io.Reader
	io.Closer
}

// swollen is the number of bytes to which a file may grow.
func swollen(f *zip.File) int64 {
	n := min(f.CompressedSize64, math.MaxInt64/maxRatio)
	return max(maxRatio*int64(n), ratioFree)
}

// page makes a record of a file of a site. It is read here, for the archive may be closed when it is decoded.
func (s *zipSource) page(f *zip.File, pos Position) (*Record, error) {
	s.seen++
	pos.Record = s.seen
	if !mayBeHTML(path.Base(f.Name)) {
		return nil, &Skip{Pos: pos, Reason: ReasonNotHTML, Err: fmt.Errorf("extension %.20q", path.Ext(f.Name))}
	}
	rec := &Record{Pos: pos, url: s.site.url(f.Name), opts: s.opts, decode: func(r *Record) (Page, error) { return r.htmlPage(r.data) }}
	file, err := f.Open()
	if err != nil {
		return nil, rec.skip(ReasonBadZip, rec.url, err)
	}
	defer file.Close()
	limit := min(s.opts.maxRecord(), swollen(f))
	rec.room = s.opts.room()
	if rec.data, err = rec.room.readUpTo(file, limit, int(min(f.CompressedSize64, 1<<20))); err != nil {
		rec.Release()
		return nil, rec.skip(ReasonBadZip, rec.url, err)
	}
	if int64(len(rec.data)) == limit && limit < s.opts.maxRecord() {
		rec.notes = append(rec.notes, rec.skip(ReasonRatio, rec.url, fmt.Errorf("%d bytes make %d and more", f.CompressedSize64, limit)))
	}
	return rec, nil
}

// texts reads a list of pages of a WACZ for the text that was saved with them.
func (s *zipSource) texts(ctx context.Context, f *zip.File, pos Position, yield func(*Record, error) bool) bool {
	in, err := s.open(f, pos.File)
	if err != nil {
		return yield(nil, err)
	}
	m, err := newMembers(in)
	if err != nil {
		return yield(nil, err)
	}
	m.memory = s.opts.Memory
	_, _ = m.head(1) // an error comes again with the first line
	src := openJSONL(m, s.opts)
	defer src.Close()
	for rec, err := range src.Records(ctx) {
		if rec != nil {
			if rec.decode = decodeWACZText; !bytes.Contains(rec.data, []byte(`"text"`)) {
				rec.Release()
				continue
			}
		}
		if !yield(rec, err) {
			return false
		}
	}
	return true
}

func decodeWACZText(r *Record) (Page, error) {
	line, err := parseLine(r.data, waczNames, &r.room)
	if err != nil {
		return Page{}, r.skip(ReasonBadJSON, "", err)
	}
	r.url, r.time, r.data = valid(line.of[fieldURL]), parseTime(string(line.of[fieldTime])), line.of[fieldText]
	r.contentType, r.rendered = "text/plain; charset=utf-8", RenderedLoaded
	return decodeRendered(r)
}

// waczNames are the members of a line of a list of pages.
var waczNames = func() *names {
	n := newNames()
	n.add("url", use{field: fieldURL})
	n.add("text", use{field: fieldText})
	n.add("ts", use{field: fieldTime})
	return n
}()

// openEntry opens a crawl file in a zip archive by its name in positions, to be read at any place.
func openEntry(name string, o *Options) (Source, error) {
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
	z := &zipSource{input: newInput(archive, f, f, info.Size()), opts: o}
	files, err := zipFiles(z.input)
	i := slices.IndexFunc(files, func(f *zip.File) bool { return strings.ToValidUTF8(f.Name, "\uFFFD") == entry && safeName(f.Name) })
	if err != nil || i < 0 {
		f.Close()
		return nil, errors.Join(err, errNotThere)
	}
	in := z.section(files[i], name)
	if files[i].Method == zip.Store {
		in.file = boundedFile{in.file, f}
		return sniff(in, o)
	}
	defer f.Close()
	if in, err = z.unpack(files[i], name); err != nil {
		return nil, err
	}
	return sniff(in, o)
}

// unpack makes a temporary copy of a deflated file, which has no places to read from. It goes when it is closed.
func (s *zipSource) unpack(f *zip.File, name string) (*input, error) {
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
	n, _ := io.Copy(to, io.LimitReader(packed.file, maxSpool)) // of a broken one the start, as it was read before
	if _, err := to.Seek(0, io.SeekStart); err != nil {
		to.Close()
		return nil, err
	}
	return newInput(name, to, to, n), nil
}
