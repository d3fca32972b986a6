package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/internal/parquet"
	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/internal/warc"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/ascii"
)

// format is one kind of input: how its first bytes (after outer compression) show it, and its reader. To add a format,
// add a line to formats.
type format struct {
	name  string
	sniff func(head []byte) bool
	names []string // parts of a file name that show the format if the head is damaged
	open  func(m *stream.Members, o *record.Options) record.Source
}

var formats = []format{
	{"warc", warc.Sniff, []string{".warc", ".wet", ".wat"}, warc.Open},
	{"arc", warc.SniffARC, []string{".arc"}, warc.OpenARC},
	{"jsonl", table.SniffJSONL, []string{".jsonl", ".ndjson", ".json", ".jl"}, table.OpenJSONL},
	{"cdx", sniffCDX, []string{".cdx"}, openCDX},
	{"html", payload.SniffHTML, []string{".html", ".htm"}, openHTMLFile("html")},
	{"mhtml", sniffMHTML, []string{".mht"}, openHTMLFile("mhtml")},
	{"tar", sniffTar, []string{".tar", ".tgz", ".tbz", ".txz"}, openTar},
	{"parquet", parquet.Sniff, []string{".parquet", ".pq", ".parq"}, parquet.Open},
	{"csv", table.SniffCSV, []string{".csv", ".tsv"}, table.OpenCSV},
}

// Open opens a file, standard input ("-") or a folder of HTML. It recognizes the format and the compression of a file
// by its first bytes, and by its name only if these are damaged. If no source reads the file, the error is a *Skip with
// ReasonUnsupportedFormat that says what the file is.
//
// A folder is a static site: a/index.html is BASE/a/ and a/b.html is BASE/a/b.html, or BASE/a/b where canonical links, a
// sitemap or links say so. BASE is Options.Base if set. Otherwise, BASE is the place where a sitemap at the top of the
// folder lists these files. Without a sitemap, a top-level folder whose name is a host (a wget mirror:
// www.postgresql.org/) has the BASE https://HOST/, and anything else https://localhost/. Open takes fetch times from a
// sitemap, but not from the modification times of files, because copying changes them. Archives in a folder are for
// Expand. In a folder without HTML, texts are pages.
func Open(path string, o record.Options) (record.Source, error) {
	opts := o.WithDefaults()
	if path != "-" {
		info, err := os.Stat(path)
		if err != nil {
			return nil, &record.Skip{Pos: record.Position{File: path}, Reason: record.ReasonUnreadableFile, Err: err}
		}
		if info.IsDir() {
			return openFolder(path, opts)
		}
	}
	in, err := stream.Open(path)
	if err != nil {
		return nil, err
	}
	src, err := sniff(in, opts)
	if err != nil {
		in.Close()
		return nil, err
	}
	if archive, ok := src.(*warc.Source); ok {
		return archive.InRanges(), nil
	}
	return src, nil
}

// NewSource reads a stream as Open reads standard input. Positions contain name. After broken gzip data, the source
// continues at the next member. If the stream cannot seek, it also loses a member inside the damaged part.
func NewSource(name string, r io.Reader, o record.Options) (record.Source, error) {
	in := stream.New(name, io.NopCloser(r), nil, -1)
	if seek, ok := r.(io.Seeker); ok {
		if at, err := seek.Seek(0, io.SeekCurrent); err == nil && at == 0 {
			in.Seek = seek
		}
	}
	return sniff(in, o.WithDefaults())
}

func sniff(in *stream.Input, o *record.Options) (record.Source, error) {
	m, err := stream.NewMembers(in, o.Memory)
	if err != nil {
		return nil, err
	}
	start, _ := in.Raw.Peek(5)
	isXML := string(start) == "<?xml"
	lostKind(m)
	head, err := m.Head(payload.SniffLen)
	if sniffZip(head) {
		return openZip(m, o)
	}
	head = m.DecodeUTF16(head, func(head []byte) bool { // the charset of HTML is detected later
		name := formatOf(head)
		return name == "csv" || name == "jsonl" || name == "cdx"
	})
	name := formatOf(head)
	if err := misnamed(in, name, isXML); err != nil {
		return nil, err
	}
	if foreign := foreignFormat(head); foreign != "" {
		return nil, in.Skip(record.ReasonUnsupportedFormat, fmt.Errorf("this is %s", foreign))
	}
	if name != "" {
		return opened(name, m, o), nil
	}
	if len(head) == 0 && errors.Is(err, io.EOF) {
		return nil, in.Skip(record.ReasonEmptyFile, nil)
	}
	if len(o.Map) > 0 && stream.IsText(head) && bytes.ContainsAny(head, table.Separators) {
		return table.OpenCSV(m, o), nil
	}
	if foreign := foreignList(head); foreign != "" {
		return nil, in.Skip(record.ReasonUnsupportedFormat, fmt.Errorf("this is %s", foreign))
	}
	base := strings.ToLower(filepath.Base(in.Name()))
	for _, f := range formats {
		for _, part := range f.names {
			if strings.Contains(base, part) {
				return f.open(m, o), nil
			}
		}
	}
	lost, _ := m.Buf.Peek(stream.BufferSize)
	switch { // the start of an archive
	case warc.Find(lost) >= 0:
		return warc.Open(m, o), nil
	case warc.FindARC(lost) >= 0:
		return warc.OpenARC(m, o), nil
	case err != nil && !errors.Is(err, io.EOF):
		return nil, m.Damaged(err)
	}
	return nil, in.Skip(record.ReasonUnsupportedFormat, fmt.Errorf("begins with %q", head[:min(len(head), 16)]))
}

// opened opens a file of a format.
func opened(name string, m *stream.Members, o *record.Options) record.Source {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	return formats[i].open(m, o)
}

// misnamed returns a *Skip if a file that is named as an archive or Parquet is a page or XML: what a server answers if it
// does not have the file. JSON without pages is told from JSON with pages by reading it.
func misnamed(in *stream.Input, format string, isXML bool) error {
	name := strings.ToLower(filepath.Base(in.Name()))
	archive := kindOf(name) == archiveKind && !strings.Contains(name, ".mht") || strings.HasSuffix(name, ".parquet")
	what := ""
	switch {
	case format == "html":
		what = "an HTML page"
	case format == "" && isXML:
		what = "XML"
	}
	if archive && what != "" {
		return in.Skip(record.ReasonUnsupportedFormat,
			fmt.Errorf("this is %s under the name of an archive, perhaps an error message: fetch the file again", what))
	}
	return nil
}

// lostKind sets the compression of a file whose first bytes are damaged by its name, unless it is an archive without
// compression: a later record of one begins as it is, but so may a short record within a member.
func lostKind(m *stream.Members) {
	b, _ := m.Raw.Peek(stream.RawSize / 2)
	if m.Kind != stream.Plain || known(b[:min(len(b), payload.SniffLen)]) {
		return
	}
	named, _ := stream.KindOfName(m.Name())
	members := named == stream.Zstd && bytes.Contains(b, payload.ZstdMagic) || named == stream.Gzip && bytes.Contains(b, payload.GzipMagic)
	if members || warc.Find(b) < 0 && warc.FindARC(b) < 0 {
		m.Kind = named
	}
}

func known(head []byte) bool {
	return len(head) == 0 || foreignFormat(head) != "" || sniffZip(head) || formatOf(head) != ""
}

func formatOf(head []byte) string {
	for _, f := range formats {
		if f.sniff(head) {
			return f.name
		}
	}
	return ""
}

// sniffCDX recognizes CDX and CDXJ by their header lines, such as " CDX N b a" and "!meta {", and by lines of the form
// "SURT timestamp {json". It requires text, because an archive whose start was cut off may begin with any byte.
func sniffCDX(head []byte) bool {
	line, _, whole := bytes.Cut(head, []byte("\n"))
	for !whole && len(line) > 0 && line[len(line)-1] >= utf8.RuneSelf { // the last character may be cut
		line = line[:len(line)-1]
	}
	switch {
	case bytes.HasPrefix(head, []byte(" CDX ")):
		return true
	case bytes.HasPrefix(head, []byte("!")):
		return !bytes.ContainsFunc(line, func(r rune) bool { return r == utf8.RuneError || r < ' ' && r != '\t' && r != '\r' })
	}
	f := bytes.SplitN(line, []byte(" "), 3)
	return len(f) == 3 && bytes.ContainsAny(f[0], ")") && len(f[1]) >= 4 && ascii.IsDigits(string(f[1]))
}

// PackingOf returns how the file of a source is compressed. Call it after reading the source. For folders and zip
// archives, the name of the packing is "none".
func PackingOf(src record.Source) stream.Packing {
	if p, ok := src.(interface{ Packing() stream.Packing }); ok {
		return p.Packing()
	}
	return stream.Packing{Name: "none"}
}

// VersionOf returns the WARC version of the last record read, or "" for other sources.
func VersionOf(src record.Source) string {
	if s, ok := src.(*warc.Source); ok {
		return s.Version
	}
	return ""
}

// maxDocument is the maximum number of bytes that ReadFile reads.
const maxDocument = 64 << 20

// ReadFile reads one document that has no URL, HTML or plain text, from a file or from standard input ("-"). For anything
// else, the error is a *record.Skip whose detail says what it is.
func ReadFile(ctx context.Context, path string) (record.Page, error) {
	in := io.ReadCloser(os.Stdin)
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return record.Page{}, err
		}
		in = f
	}
	defer in.Close()
	raw, err := io.ReadAll(io.LimitReader(in, maxDocument))
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return record.Page{}, fmt.Errorf("%s: %w", path, err)
	}
	if kind := payload.NotText(raw); kind != "" {
		return record.Page{}, &record.Skip{Pos: record.Position{File: path}, Reason: record.ReasonUnsupportedFormat, Err: errors.New(kind)}
	}
	p := Document(raw)
	p.Pos.File = path
	return p, nil
}

// Document returns a document that has no URL, HTML or plain text, in any charset.
func Document(raw []byte) (p record.Page) {
	body, charset, guessed := payload.ToUTF8(raw, "")
	p.Charset = charset
	if guessed {
		p.Warn(&record.Skip{Reason: record.ReasonCharsetGuessed, Err: errors.New(charset)})
	}
	if payload.SniffHTML(body[:min(len(body), payload.SniffLen)]) {
		p.HTML = body
	} else {
		p.Text = body
	}
	return p
}

// Fetcher reads single records again by their positions. A Fetcher with Options and no other field set is ready to use;
// the caller must Close it. Ascending positions cost least, because within one member the Fetcher reads on from where
// it is. A Fetcher is not safe for concurrent use.
type Fetcher struct {
	Options record.Options

	src   *warc.Source
	outer []container // around the current file, outermost first
}

// Record reads the record at a position that a WARC or ARC source returned.
func (f *Fetcher) Record(pos record.Position) (*record.Record, error) {
	err := f.open(pos)
	var rec *record.Record
	if err == nil {
		rec, err = f.src.RecordAt(pos)
	}
	if err != nil {
		return nil, fmt.Errorf("%v: %w", pos, err)
	}
	return rec, nil
}

// open opens the file of a position, unless it is the current file. Containers that are open already stay open.
func (f *Fetcher) open(pos record.Position) error {
	if f.src != nil && f.src.Name() == pos.File {
		return nil
	}
	f.closeSource()
	paths, same := containerPaths(pos.File), 0
	for same < min(len(paths), len(f.outer)) && f.outer[same].Name() == paths[same] {
		same++
	}
	f.closeOuter(same)
	for _, path := range paths[same:] {
		src, err := f.source(path)
		if err != nil {
			return err
		}
		c, ok := src.(container)
		if !ok {
			src.Close()
			return warc.ErrNotThere
		}
		f.outer = append(f.outer, c)
	}
	src, err := f.source(pos.File)
	if err != nil {
		return err
	}
	archive, ok := src.(*warc.Source)
	if !ok || !archive.CanSeek() {
		src.Close()
		return warc.ErrNotThere
	}
	f.src = archive
	return nil
}

// source opens a file, in the innermost container that is open if there is one.
func (f *Fetcher) source(name string) (src record.Source, err error) {
	var in *stream.Input
	if len(f.outer) == 0 {
		in, err = stream.Open(name)
	} else {
		last := f.outer[len(f.outer)-1]
		in, err = last.file(strings.TrimPrefix(name, last.Name()+zipMark))
	}
	if err != nil {
		return nil, err
	}
	o := f.Options
	o.Workers = 0
	if src, err = sniff(in, o.WithDefaults()); err != nil {
		in.Close()
	}
	return src, err
}

// Close closes the current file.
func (f *Fetcher) Close() {
	f.closeSource()
	f.closeOuter(0)
}

func (f *Fetcher) closeSource() {
	if f.src != nil {
		f.src.Close()
		f.src = nil
	}
}

// closeOuter closes all containers but the first n, innermost first.
func (f *Fetcher) closeOuter(n int) {
	for _, c := range slices.Backward(f.outer[n:]) {
		c.Close()
	}
	f.outer = f.outer[:n]
}
