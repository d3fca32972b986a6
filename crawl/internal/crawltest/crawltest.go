package crawltest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/stream"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/urls"
)

// Read reads an input to its end and holds it to what every source promises.
func Read(t testing.TB, path string, o record.Options) ([]record.Page, *crawl.Ledger, error) {
	t.Helper()
	src, err := crawl.Open(path, o)
	if err != nil {
		var s *record.Skip
		if !errors.As(err, &s) || s.Pos.File != path {
			t.Fatalf("Open(%s): %v is not a located *Skip", path, err)
		}
		return nil, &crawl.Ledger{}, err
	}
	defer src.Close()
	pages, l := Drain(t, src)
	return pages, l, nil
}

// ReadBytes reads an input from memory.
func ReadBytes(t testing.TB, b []byte, o record.Options) ([]record.Page, *crawl.Ledger, error) {
	t.Helper()
	src, err := crawl.NewSource("memory", bytes.NewReader(b), o)
	if err != nil {
		return nil, &crawl.Ledger{}, err
	}
	defer src.Close()
	pages, l := Drain(t, src)
	return pages, l, nil
}

func Drain(t testing.TB, src record.Source) (pages []record.Page, l *crawl.Ledger) {
	t.Helper()
	l = &crawl.Ledger{}
	for rec, err := range src.Records(context.Background()) {
		if err == nil {
			var p record.Page
			if p, err = rec.Page(); err == nil {
				CheckPage(t, &p)
				pages = append(pages, p)
				l.AddPage(&p)
				continue
			}
		}
		var s *record.Skip
		if !errors.As(err, &s) || !l.Add(err) || s.Pos.File == "" {
			t.Fatalf("%s: %v is not a located *Skip", src.Name(), err)
		}
	}
	return pages, l
}

func CheckPage(t testing.TB, p *record.Page) {
	t.Helper()
	if !utf8.Valid(p.HTML) || !utf8.Valid(p.Text) || len(p.HTML)+len(p.Text) == 0 && p.Links == nil || p.HTML != nil && p.Text != nil {
		t.Fatalf("%v: page of %d bytes HTML and %d bytes text is not valid", p.Pos, len(p.HTML), len(p.Text))
	}
	if c, err := urls.DefaultRules().Canonical(p.URL); err != nil && p.Canonical != p.URL || err == nil && c != p.Canonical {
		t.Fatalf("%v: %q has canonical %q", p.Pos, p.URL, p.Canonical)
	}
}

func DamageOf(l *crawl.Ledger, err error) string {
	var s *record.Skip
	if errors.As(err, &s) {
		return string(s.Reason)
	}
	return Tallied(l, true)
}

func Tallied(l *crawl.Ledger, damage bool) string {
	var out []string
	for _, row := range l.Tallies() {
		if row.Damage == damage {
			out = append(out, string(row.Reason)+"="+strconv.FormatInt(row.Count, 10))
		}
	}
	return strings.Join(out, " ")
}

// record writes a WARC record as it should be.
func WarcRecord(kind, uri, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, uri, len(block), block)
}

func Response(head, body string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + head + "\r\n" + body
}

// page is record number i of a small crawl.
func WarcPage(i int) string {
	return WarcRecord("response", fmt.Sprintf("http://example.org/%d", i), Response("", fmt.Sprintf("<html>page %d %s</html>", i, strings.Repeat("x", 50*i))))
}

func Gzip(parts ...string) []byte { return gzLevel(gzip.DefaultCompression, parts...) }

func gzLevel(level int, parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		w, _ := gzip.NewWriterLevel(&b, level)
		_, _ = w.Write([]byte(p))
		w.Close()
	}
	return b.Bytes()
}

func Ends(pages []record.Page) string {
	var out []string
	for _, p := range pages {
		out = append(out, strings.TrimPrefix(p.Canonical, "https://example.org/"))
	}
	return strings.Join(out, " ")
}

const ArcHead = "filedesc://test.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n\n         \n"

// ArcRecord writes a record of version 1.
func ArcRecord(url, block string) string {
	return fmt.Sprintf("\n%s 192.0.2.1 20080430204826 text/html %d\n%s", url, len(block), block)
}

func ArcPage(i int) string {
	return ArcRecord(fmt.Sprintf("http://example.org/%d", i), Response("", fmt.Sprintf("<html>page %d %s</html>", i, strings.Repeat("x", 50*i))))
}

// Stored writes members that are not compressed, so that what is in them can be mistaken for members of the file.
func Stored(parts ...string) (out []byte) {
	for _, p := range parts {
		out = append(out, gzLevel(0, p)...)
	}
	return out
}

// zst writes frames, each after a skippable one of a few bytes.
func Zstd(dict []byte, parts ...string) []byte {
	opts := []zstd.EOption{zstd.WithEncoderCRC(true), zstd.WithZeroFrames(true)}
	if dict != nil {
		opts = append(opts, zstd.WithEncoderDict(dict))
	}
	w, err := zstd.NewWriter(nil, opts...)
	if err != nil {
		panic(err)
	}
	var out []byte
	for _, p := range parts {
		out = append(w.EncodeAll([]byte(p), out), Skippable(0x184d2a50, []byte("abc"))...)
	}
	return out
}

func Skippable(magic uint32, b []byte) []byte {
	out := binary.LittleEndian.AppendUint32(nil, magic)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(b))), b...)
}

func RecordsOf(t *testing.T, path string) (out []*record.Record) {
	src, err := crawl.Open(path, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		if err == nil {
			out = append(out, rec)
		}
	}
	return out
}

// dataPath returns the path of a file of the shared test data.
func Path(t testing.TB, name string) string {
	t.Helper()
	folder, file := filepath.Split(filepath.FromSlash(name))
	return filepath.Join(shareddata.Dir(t, folder), file)
}

func Long(n int) string { return strings.Repeat("a", n) }

// InMemory is an input that can be read at any place, as a file can.
func InMemory(name string, b []byte) *stream.Input {
	r := bytes.NewReader(b)
	in := stream.New(name, memoryFile{r}, r, int64(len(b)))
	in.Reopen = func() (*stream.Input, error) { return InMemory(name, b), nil }
	return in
}

type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// Allocated is the number of bytes that f takes from the heap in all, garbage included: no less than it held at any time.
func Allocated(f func()) uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	before := s[0].Value.Uint64()
	f()
	metrics.Read(s)
	return s[0].Value.Uint64() - before
}

const FuzzContent = 1 << 20 // of all members, more is given up

// LinesOf returns a line for a page and one for each of its links: SOURCE → TARGET [before|anchor|after] rel, with its place.
func LinesOf(pages []record.Page) []string {
	var out []string
	for _, p := range pages {
		for _, l := range p.Links {
			s := strings.TrimSpace(fmt.Sprintf("%s → %s [%s|%s|%s] %s", p.URL, l.Target, l.Before, l.Anchor, l.After, l.Rel))
			if !p.Time.IsZero() {
				s += p.Time.Format(" 2006-01-02")
			}
			out = append(out, s)
		}
		switch {
		case p.HTML != nil:
			out = append(out, fmt.Sprintf("%s html %s", p.URL, p.HTML))
		case p.Text != nil:
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s text %s %s", p.URL, p.Text, p.Title)))
		}
	}
	return out
}

func LeftOut(l *crawl.Ledger) string {
	var out []string
	for _, t := range l.Tallies() {
		out = append(out, fmt.Sprintf("%s=%d", t.Reason, t.Count))
	}
	return strings.Join(out, " ")
}

// Tree writes files into a new folder. A value that begins with "->" is a symbolic link.
func Tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "site")
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if to, ok := strings.CutPrefix(content, "->"); ok {
			if err := os.Symlink(to, path); err != nil {
				t.Skip(err)
			}
		} else if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Endless returns n bytes of one kind behind a prefix, without holding them.
func Endless(prefix string, c byte, n int64) io.Reader {
	return io.MultiReader(strings.NewReader(prefix), io.LimitReader(same(c), n))
}

type same byte

func (s same) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(s)
	}
	return len(p), nil
}

// Bomb compresses endless bytes.
func Bomb(t *testing.T, prefix string, c byte, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, Endless(prefix, c, n)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ParquetOf writes rows in row groups of two.
func ParquetOf[T any](t testing.TB, rows []T, options ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, append(options, parquet.MaxRowsPerRowGroup(2))...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func ParquetFile(t testing.TB, b []byte) string {
	path := filepath.Join(t.TempDir(), "table.parquet")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func Held(t *testing.T, want []string, left string, pages []record.Page, l *crawl.Ledger) {
	t.Helper()
	if d := cmp.Diff(want, LinesOf(pages)); d != "" {
		t.Error(d)
	}
	reasons, detail, _ := strings.Cut(left, " ")
	if got := LeftOut(l); got != reasons || detail != "" && !strings.Contains(l.Tallies()[0].Examples[0].Detail, detail) {
		t.Errorf("left out %+v, want %s", l.Tallies(), left)
	}
}

func HashOf(p *record.Page) uint64 {
	h := xxh3.HashString(p.Canonical) ^ xxh3.Hash(p.HTML) + 3*xxh3.Hash(p.Text)
	for _, l := range p.Links {
		h = xxh3.HashStringSeed(l.Target+"\x00"+l.Anchor, h)
	}
	return h
}

// member is what was read of one.
type member struct {
	at   int64
	Data []byte
	Err  error
}

// MembersOf reads an input member by member, and behind damage from the next on.
func MembersOf(t *testing.T, in []byte) (out []member, kind stream.Compression) {
	t.Helper()
	m, err := stream.NewMembers(InMemory("x", in), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	total := 0
	for err = m.Next(); !errors.Is(err, io.EOF); err = m.Next() {
		for ; err == nil || !errors.Is(err, io.EOF); _, err = m.Resync(func([]byte) bool { return true }) {
			one := member{at: m.Start, Err: err}
			if err == nil {
				one.Data, one.Err = io.ReadAll(io.LimitReader(m.Buf, int64(FuzzContent-total)))
			}
			if m.RawOffset() > int64(len(in)) || one.at > m.RawOffset() {
				t.Fatalf("member at %d, read to %d of %d", one.at, m.RawOffset(), len(in))
			}
			out = append(out, one)
			if total += len(one.Data); total >= FuzzContent {
				return out, m.Kind
			}
			if one.Err == nil {
				break
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
	}
	return out, m.Kind
}

// CheckMembers holds the reading of an input to its laws; whole is another reader of the whole input.
func CheckMembers(t *testing.T, in []byte, whole func(io.Reader) (io.Reader, error)) {
	t.Helper()
	list, kind := MembersOf(t, in)
	var all []byte
	for i, one := range list {
		if i > 0 && one.at <= list[i-1].at {
			t.Fatalf("a member at %d behind one at %d", one.at, list[i-1].at)
		}
		all = append(all, one.Data...)
		if one.Err == nil && kind != stream.Plain {
			checkAgain(t, in, one)
		}
	}
	r, err := whole(bytes.NewReader(in))
	if err != nil || len(all) >= FuzzContent {
		return
	}
	want, err := io.ReadAll(io.LimitReader(r, FuzzContent))
	if err == nil && len(want) < FuzzContent && !bytes.Equal(all, want) {
		t.Fatalf("%d bytes in %d members, another reader has %d; %v", len(all), len(list), len(want), list)
	}
}

// checkAgain reads a member that was good from its place.
func checkAgain(t *testing.T, in []byte, one member) {
	t.Helper()
	if len(in) > 1<<16 || one.at == 0 {
		return
	}
	m, err := stream.NewMembers(InMemory("x", in), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	_ = m.Next() // a dictionary stands before all else
	err = m.GoTo(one.at)
	var b []byte
	if err == nil {
		b, err = io.ReadAll(io.LimitReader(m.Buf, FuzzContent))
	}
	if m.Kind == stream.Zstd && bytes.HasPrefix(in[one.at:], payload.ZstdMagic) && err == nil && bytes.Equal(b, one.Data) {
		return
	}
	if m.Kind == stream.Gzip && err == nil && bytes.Equal(b, one.Data) {
		return
	}
	t.Fatalf("the member at %d gave %d bytes, and from its place %d, %v", one.at, len(one.Data), len(b), err)
}

// WarcFixtures: what each file of data/warc gives. Pages were counted a second time by a script that shares
// no code with this; where the two differ, note says why.
var WarcFixtures = map[string]struct {
	Pages  int
	Damage string // reasons with counts, "" for none
	Note   string
	Rest   string // the other reasons, where the manifest does not count records
}{
	"ipwb__indexes_5mementos.cdxj":                                                    {Damage: "bad-index=5", Note: "= for : in JSON"},
	"ipwb__indexes_froggie_badHeaderHash.cdxj":                                        {Damage: "no-archive=3", Note: "as in all of these the records lie in IPFS"},
	"ipwb__indexes_salam-home.cdxj":                                                   {Damage: "no-archive=1"},
	"ipwb__indexes_sample-1.cdxj":                                                     {Damage: "no-archive=65"},
	"ipwb__indexes_sample-2.cdxj":                                                     {Damage: "no-archive=1"},
	"ipwb__indexes_sample-encrypted.cdxj":                                             {Damage: "no-archive=1"},
	"ipwb__indexes_sample-old.cdxj":                                                   {Damage: "no-archive=65"},
	"ipwb__warcs_1memento.warc":                                                       {Pages: 3},
	"ipwb__warcs_1memento_noContentType.warc":                                         {Pages: 1, Note: "no Content-Type, known as HTML by its content"},
	"ipwb__warcs_2mementos.warc":                                                      {Pages: 4},
	"ipwb__warcs_2mementos_htmlXhtml.warc":                                            {Pages: 2},
	"ipwb__warcs_2mementos_queryString.warc":                                          {Pages: 2},
	"ipwb__warcs_3mementos.warc":                                                      {Pages: 5},
	"ipwb__warcs_4mementos.warc":                                                      {Pages: 6},
	"ipwb__warcs_5mementos.warc":                                                      {Pages: 7},
	"ipwb__warcs_5mementosAndFroggie.warc":                                            {Pages: 7},
	"ipwb__warcs_HTTP204.warc":                                                        {Pages: 1, Damage: "bad-record=2", Note: "two lengths are too short"},
	"ipwb__warcs_HTTP404.warc":                                                        {},
	"ipwb__warcs_IAH-20080430204825-00000-blackbook.warc.gz":                          {Pages: 94},
	"ipwb__warcs_baconIpsum.warc.gz":                                                  {Pages: 1},
	"ipwb__warcs_baconIpsum_chunked.warc":                                             {Pages: 1},
	"ipwb__warcs_baconIpsum_chunkedWithMetadata.warc":                                 {Pages: 1},
	"ipwb__warcs_baconIpsum_chunked_httpTrailors.warc":                                {Pages: 1},
	"ipwb__warcs_broken.warc":                                                         {Pages: 1, Damage: "bad-record=1", Note: "an image of length 7"},
	"ipwb__warcs_frogTest.warc":                                                       {Pages: 1},
	"ipwb__warcs_froggie.warc.gz":                                                     {Pages: 1},
	"ipwb__warcs_mkelly1.warc":                                                        {Pages: 1},
	"ipwb__warcs_mkelly2.warc":                                                        {Pages: 1},
	"ipwb__warcs_redirect.warc":                                                       {Damage: "truncated-record=1", Note: "the length is 9 bytes too long"},
	"ipwb__warcs_redirectRelative.warc":                                               {},
	"ipwb__warcs_salam-home.warc":                                                     {Pages: 1},
	"ipwb__warcs_sample-1.warc.gz":                                                    {Pages: 63},
	"ipwb__warcs_slash.warc":                                                          {Pages: 1},
	"ipwb__warcs_variableSizedDates.warc":                                             {Pages: 4},
	"jwarc__org_netpreserve_jwarc_cc.warc.gz":                                         {Pages: 1},
	"jwarc__org_netpreserve_jwarc_gzip_extra_sl.warc.gz":                              {},
	"warcio__bad.arc":                                                                 {Damage: "bad-record=3", Rest: "not-html=1", Note: "lengths -1, -1 and abc"},
	"warcio__example-bad-non-chunked.warc.gz":                                         {Pages: 1},
	"warcio__example-bad.warc.gz.bad":                                                 {Pages: 1},
	"warcio__example-digest.warc":                                                     {},
	"warcio__example-iana.org-chunked.warc":                                           {Pages: 1},
	"warcio__example-resource.warc.gz":                                                {Pages: 1},
	"warcio__example-space-in-target-uri.warc.gz":                                     {},
	"warcio__example-space-in-url.arc":                                                {Pages: 1, Damage: "truncated-record=1", Rest: "arc-filedesc=1", Note: "12 carriage returns are missing"},
	"warcio__example-trunc.warc":                                                      {Pages: 1, Damage: "bad-record=1 truncated-payload=1", Note: "the gzip body was cut short"},
	"warcio__example-wget-bad-target-uri.warc.gz":                                     {Pages: 1},
	"warcio__example-wrong-chunks.warc.gz":                                            {Pages: 1},
	"warcio__example.arc":                                                             {Pages: 1, Rest: "arc-filedesc=1"},
	"warcio__example.arc.gz":                                                          {Pages: 1, Rest: "arc-filedesc=1"},
	"warcio__example.warc":                                                            {Pages: 1},
	"warcio__example.warc.gz":                                                         {Pages: 1},
	"warcio__post-test.warc.gz":                                                       {},
	"webarchive-commons__format_gzip_IAH-urls-wget.warc.gz":                           {Pages: 2},
	"webarchive-commons__format_gzip_abcd.gz":                                         {Damage: "unsupported-format"},
	"webarchive-commons__format_gzip_double-single-inflate-error.gz":                  {Damage: "bad-gzip"},
	"webarchive-commons__format_gzip_empty.gz":                                        {Damage: "empty-file"},
	"webarchive-commons__format_gzip_hi-2.gz":                                         {Damage: "unsupported-format"},
	"webarchive-commons__format_gzip_hi.gz":                                           {Damage: "unsupported-format"},
	"webarchive-commons__format_warc_IAH-urls-wget.warc":                              {Pages: 2},
	"webarchive-commons__format_warc_mutliple-headers.warc":                           {Pages: 1},
	"webarchive-commons__resource_html_link-extraction-test.warc":                     {Pages: 6, Note: "a seventh has no URL"},
	"whirlwind-python__whirlwind.warc":                                                {Pages: 1},
	"whirlwind-python__whirlwind.warc.gz":                                             {Pages: 1},
	"whirlwind-python__whirlwind.warc.wat":                                            {Note: "about a request, which has no links"},
	"whirlwind-python__whirlwind.warc.wat.gz":                                         {Note: "the same"},
	"whirlwind-python__whirlwind.warc.wet":                                            {Pages: 1, Note: "plain text"},
	"whirlwind-python__whirlwind.warc.wet.gz":                                         {Pages: 1, Note: "plain text"},
	"webarchive-commons__format_arc_IAH-20080430204825-00000-blackbook-truncated.arc": {Pages: 2, Rest: "arc-filedesc=1 not-html=6"},
}

// WatRecords makes WAT records of JSON.
func WatRecords(bodies ...string) []string {
	out := []string{"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"}
	for _, body := range bodies {
		out = append(out, fmt.Sprintf("WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: https://a.example/p/\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(body), body))
	}
	return out
}

func TestDict(t *testing.T) []byte {
	var samples [][]byte
	for i := range 200 {
		samples = append(samples, fmt.Appendf(nil, "%s %d", WarcPage(i%7), i*i))
	}
	dict, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 77, Contents: samples, History: []byte(WarcPage(3)), Offsets: [3]int{1, 4, 8}})
	if err != nil {
		t.Fatal(err)
	}
	return dict
}

type DataTrove struct {
	Text     string `parquet:"text,snappy"`
	ID       int64  `parquet:"id"`
	Metadata struct {
		URL  string `parquet:"url"`
		Date string `parquet:"date"`
	} `parquet:"metadata"`
}
