package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Source reads one input of one kind. It is used by one goroutine; only Offset may be called by others.
type Source interface {
	// Records cuts the input into records, in the order of the input. In the error position stand *Skip
	// for what was left out (go on) and at the end the context's error if it was cancelled.
	// It can be ranged over once.
	Records(ctx context.Context) iter.Seq2[*Record, error]
	Name() string   // path as given to Open
	Format() string // "jsonl", "html", "warc", "arc", "cdx", "wacz", "zip", "csv" or "parquet"
	Size() int64    // bytes on disk, -1 if not known
	Offset() int64  // of Size, how many have been read: for progress
	Close() error
}

// format is one kind of input: how the first bytes (after outer compression) tell it, and its reader.
// A later format is one more line in formats.
type format struct {
	name  string
	sniff func(head []byte) bool
	names []string // parts of a file name that tell it when the head is damaged
	open  func(m *members, o *Options) Source
}

var formats = []format{
	{"warc", sniffWARC, []string{".warc", ".wet", ".wat"}, openWARC},
	{"arc", sniffARC, []string{".arc"}, openARC},
	{"jsonl", sniffJSONL, []string{".jsonl", ".ndjson", ".json"}, openJSONL},
	{"cdx", sniffCDX, []string{".cdx"}, openCDX},
	{"html", sniffHTML, []string{".html", ".htm"}, openHTMLFile},
	{"parquet", sniffParquet, []string{".parquet"}, openParquet},
	{"csv", sniffTable, []string{".csv", ".tsv"}, openTable},
}

// foreign are the formats that are known and not read.
var foreign = []struct {
	what  string
	sniff func(head []byte) bool
}{
	{"bzip2 data", func(h []byte) bool { return bytes.HasPrefix(h, []byte("BZh")) }},
	{"xz data", func(h []byte) bool { return bytes.HasPrefix(h, []byte("\xfd7zXZ\x00")) }},
	{"a PDF file", func(h []byte) bool { return bytes.HasPrefix(h, []byte("%PDF-")) }},
}

// Open opens a file, standard input ("-") or a folder of HTML. What a file is, and how it is compressed,
// is decided by its first bytes, and only where these are damaged by its name. A file that no source reads
// gives a *Skip with ReasonUnsupportedFormat that says what it is.
//
// A folder is a static site: a/index.html is BASE/a/ and a/b.html is BASE/a/b.html. BASE is Options.Base;
// without it, where a sitemap.xml at the top says that these files stand; else a top folder named like a host (a wget
// mirror: www.postgresql.org/) gives https://HOST/ and anything else https://localhost/. Modification times are not
// taken for fetch times, since they change on copying, but those that a sitemap gives are.
func Open(path string, o Options) (Source, error) {
	opts := o.withDefaults()
	if path != "-" {
		info, err := os.Stat(path)
		if err != nil {
			return nil, &Skip{Pos: Position{File: path}, Reason: ReasonUnreadableFile, Err: err}
		}
		if info.IsDir() {
			return openFolder(path, opts)
		}
	}
	in, err := openInput(path)
	if err != nil {
		return nil, err
	}
	src, err := sniff(in, opts)
	if err != nil {
		in.Close()
		return nil, err
	}
	if archive, ok := src.(*archiveSource); ok {
		return archive.inRanges(), nil
	}
	return src, nil
}

// NewSource reads a stream as Open reads standard input; name is used in positions. Behind broken gzip it
// goes on at the next member; in a stream that cannot seek, a member that the damage swallowed is lost too.
func NewSource(name string, r io.Reader, o Options) (Source, error) {
	in := newInput(name, io.NopCloser(r), nil, -1)
	if seek, ok := r.(io.Seeker); ok {
		if at, err := seek.Seek(0, io.SeekCurrent); err == nil && at == 0 {
			in.seek = seek
		}
	}
	return sniff(in, o.withDefaults())
}

const sniffLen = 4096

func sniff(in *input, o *Options) (Source, error) {
	if head, _ := in.raw.Peek(4); sniffZip(head) {
		return openZip(in, o)
	}
	m, err := newMembers(in)
	if err != nil {
		return nil, err
	}
	m.memory = o.Memory
	lost := m.lostHeader()
	head, err := m.head(sniffLen)
	head = m.decodeUTF16(head)
	if name := formatOf(head); name != "" {
		lost = name
	}
	for _, f := range formats {
		if f.name == lost {
			return f.open(m, o), nil
		}
	}
	if len(head) == 0 && errors.Is(err, io.EOF) {
		return nil, in.skip(ReasonEmptyFile, nil)
	}
	for _, f := range foreign {
		if f.sniff(head) {
			return nil, in.skip(ReasonUnsupportedFormat, fmt.Errorf("this is %s", f.what))
		}
	}
	if len(o.Map) > 0 && isText(head) && bytes.ContainsAny(head, separators) {
		return openTable(m, o), nil
	}
	base := strings.ToLower(filepath.Base(in.name))
	for _, f := range formats {
		for _, part := range f.names {
			if strings.Contains(base, part) {
				return f.open(m, o), nil
			}
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, m.damaged(err)
	}
	return nil, in.skip(ReasonUnsupportedFormat, fmt.Errorf("begins with %q", head[:min(len(head), 16)]))
}

// lostHeader recognises a file whose first bytes are damaged: an archive by a later record, a compressed file by a later
// member that begins like a format, or by its name if that is too far off. It returns the name of the format, if known.
func (m *members) lostHeader() (name string) {
	b, _ := m.raw.Peek(rawBuffer / 2)
	whatever := func([]byte) bool { return true }
	switch {
	case m.kind == gzipped && m.inflates(b, whatever), m.kind == zstandard, m.kind == plain && known(b[:min(len(b), sniffLen)]):
		return ""
	}
	if name = m.laterMember(b, "warc", "arc"); name != "" {
		return name
	}
	switch {
	case m.kind != plain:
		return m.laterMember(b, "jsonl", "cdx", "csv")
	case warcStart(b) >= 0:
		return "warc"
	case arcStart(b) >= 0:
		return "arc"
	}
	if name = m.laterMember(b, "jsonl", "cdx", "csv", "parquet"); name != "" { // not HTML: the body of a response may be a member too
		return name
	}
	switch strings.ToLower(filepath.Ext(m.name)) {
	case ".gz":
		m.kind = gzipped
	case ".zst":
		m.kind = zstandard
	}
	return ""
}

// laterMember looks for a member that begins like one of some formats; then the file is compressed so.
func (m *members) laterMember(b []byte, formats ...string) (name string) {
	fits := func(head []byte) bool {
		if name = formatOf(head); name == "" && arcSyntax.begins(bytes.TrimLeft(head, "\r\n")) {
			name = "arc" // a record behind the first
		}
		return slices.Contains(formats, name)
	}
	switch {
	case m.kind != zstandard && containsMember(b, gzipMagic, m.inflates, fits):
		m.kind = gzipped
	case m.kind != gzipped && containsMember(b, zstdMagic, m.inflatesFrame, fits):
		m.kind = zstandard
	default:
		return ""
	}
	return name
}

func containsMember(b, magic []byte, inflates func([]byte, func([]byte) bool) bool, fits func([]byte) bool) bool {
	for {
		i := bytes.Index(b, magic)
		if i < 0 {
			return false
		}
		if inflates(b[i:], fits) {
			return true
		}
		b = b[i+1:]
	}
}

func known(head []byte) bool {
	for _, f := range foreign {
		if f.sniff(head) {
			return true
		}
	}
	return len(head) == 0 || formatOf(head) != ""
}

func formatOf(head []byte) string {
	for _, f := range formats {
		if f.sniff(head) {
			return f.name
		}
	}
	return ""
}

func sniffWARC(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, "\r\n"), []byte("WARC/"))
}

func sniffJSONL(head []byte) bool {
	head = bytes.TrimPrefix(head, utf8BOM)
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{"))
}

// sniffHTML follows the sniffing of browsers: a tag, a comment or a doctype after white space.
func sniffHTML(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, utf8BOM), " \t\r\n\f")
	if len(head) < 2 || head[0] != '<' {
		return false
	}
	head = bytes.ToLower(head[1:min(len(head), 64)])
	for _, tag := range []string{"!doctype html", "html", "head", "body", "title", "meta", "script", "style", "link",
		"div", "p", "a ", "h1", "h2", "h3", "table", "font", "br", "b>", "center", "iframe", "base", "article", "main"} {
		if bytes.HasPrefix(head, []byte(tag)) {
			return true
		}
	}
	if bytes.HasPrefix(head, []byte("!--")) {
		return true
	}
	return bytes.HasPrefix(head, []byte("?xml")) && bytes.Contains(head, []byte("html"))
}

// sniffCDX knows the header lines of CDX and CDXJ, such as " CDX N b a" and "!meta {", and lines "SURT timestamp {json" without
// one. What is not text is no index: an archive whose start was cut off may begin with any byte.
func sniffCDX(head []byte) bool {
	line, _, whole := bytes.Cut(head, []byte("\n"))
	for !whole && len(line) > 0 && line[len(line)-1] >= utf8.RuneSelf { // of a letter that may be cut
		line = line[:len(line)-1]
	}
	switch {
	case bytes.HasPrefix(head, []byte(" CDX ")):
		return true
	case bytes.HasPrefix(head, []byte("!")):
		return !bytes.ContainsFunc(line, func(r rune) bool { return r == utf8.RuneError || r < ' ' && r != '\t' && r != '\r' })
	}
	f := bytes.SplitN(line, []byte(" "), 3)
	return len(f) == 3 && bytes.ContainsAny(f[0], ")") && len(f[1]) >= 4 && isDigits(string(f[1]))
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
