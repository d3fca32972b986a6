package crawl_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// Read reads an input to its end and checks what every source guarantees.
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

// Drain reads a source to its end and checks what every source guarantees.
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

// CheckPage checks what every page guarantees.
func CheckPage(t testing.TB, p *record.Page) {
	t.Helper()
	if !utf8.Valid(p.HTML) || !utf8.Valid(p.Text) || len(p.HTML)+len(p.Text) == 0 && p.Links == nil || p.HTML != nil && p.Text != nil {
		t.Fatalf("%v: page of %d bytes HTML and %d bytes text is not valid", p.Pos, len(p.HTML), len(p.Text))
	}
	if c, err := urls.DefaultRules().Canonical(p.URL); err != nil && p.Canonical != p.URL || err == nil && c != p.Canonical {
		t.Fatalf("%v: %q has canonical %q", p.Pos, p.URL, p.Canonical)
	}
}

// DamageOf returns the damage in a ledger, or the reason of err if err is a *Skip.
func DamageOf(l *crawl.Ledger, err error) string {
	var s *record.Skip
	if errors.As(err, &s) {
		return string(s.Reason)
	}
	return Tallied(l, true)
}

// Tallied returns the reasons in a ledger, either damage or policy.
func Tallied(l *crawl.Ledger, damage bool) string {
	var out []string
	for _, row := range l.Tallies() {
		if row.Damage == damage {
			out = append(out, string(row.Reason)+"="+strconv.FormatInt(row.Count, 10))
		}
	}
	return strings.Join(out, " ")
}

// WarcRecord returns a well-formed WARC record.
func WarcRecord(kind, uri, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, uri, len(block), block)
}

// Response returns an HTTP response with additional header lines and a body.
func Response(head, body string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + head + "\r\n" + body
}

// WarcPage returns record number i of a small crawl.
func WarcPage(i int) string {
	return WarcRecord("response", fmt.Sprintf("http://example.org/%d", i), Response("", fmt.Sprintf("<html>page %d %s</html>", i, strings.Repeat("x", 50*i))))
}

// Gzip compresses each part as one member.
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

// Ends returns the paths of the pages at example.org.
func Ends(pages []record.Page) string {
	var out []string
	for _, p := range pages {
		out = append(out, strings.TrimPrefix(p.Canonical, "https://example.org/"))
	}
	return strings.Join(out, " ")
}

// ArcHead is the first record of an ARC file.
const ArcHead = "filedesc://test.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n\n         \n"

// ArcRecord returns an ARC record of version 1.
func ArcRecord(url, block string) string {
	return fmt.Sprintf("\n%s 192.0.2.1 20080430204826 text/html %d\n%s", url, len(block), block)
}

// ArcPage returns page number i of a small crawl as an ARC record.
func ArcPage(i int) string {
	return ArcRecord(fmt.Sprintf("http://example.org/%d", i), Response("", fmt.Sprintf("<html>page %d %s</html>", i, strings.Repeat("x", 50*i))))
}

// Stored returns gzip members that are not compressed, so that their content can be mistaken for members of the file.
func Stored(parts ...string) (out []byte) {
	for _, p := range parts {
		out = append(out, gzLevel(0, p)...)
	}
	return out
}

// Zstd returns frames, each preceded by a skippable frame of a few bytes.
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

// Skippable returns a skippable zstd frame.
func Skippable(magic uint32, b []byte) []byte {
	out := binary.LittleEndian.AppendUint32(nil, magic)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(b))), b...)
}

// Path returns the path of a file of the shared test data.
func Path(t testing.TB, name string) string {
	t.Helper()
	folder, file := filepath.Split(filepath.FromSlash(name))
	return filepath.Join(shareddata.Dir(t, folder), file)
}

// InMemory returns an input that can seek, as a file can.
func InMemory(name string, b []byte) *stream.Input {
	r := bytes.NewReader(b)
	in := stream.New(name, memoryFile{r}, r, int64(len(b)))
	in.Reopen = func() (*stream.Input, error) { return InMemory(name, b), nil }
	return in
}

type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// Allocated returns the number of bytes that f allocates on the heap, including garbage. f never holds more than that.
func Allocated(f func()) uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	before := s[0].Value.Uint64()
	f()
	metrics.Read(s)
	return s[0].Value.Uint64() - before
}

// LinesOf returns a line for each page and one for each of its links: SOURCE → TARGET [before|anchor|after] rel, with
// its position.
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

// LeftOut returns what a ledger counts, with the first detail of each reason.
func LeftOut(l *crawl.Ledger) string {
	var out []string
	for _, t := range l.Tallies() {
		out = append(out, fmt.Sprintf("%s=%d", t.Reason, t.Count))
	}
	return strings.Join(out, " ")
}

// ParquetOf returns a Parquet file of the rows, in row groups of two.
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

// ParquetFile writes a file and returns its path.
func ParquetFile(t testing.TB, b []byte) string {
	path := filepath.Join(t.TempDir(), "table.parquet")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// WatRecords returns a WAT record for each JSON body.
func WatRecords(bodies ...string) []string {
	out := []string{"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"}
	for _, body := range bodies {
		out = append(out, fmt.Sprintf("WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: https://a.example/p/\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(body), body))
	}
	return out
}

// Dictionary returns a zstd dictionary.
func Dictionary(t *testing.T) []byte {
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

// DataTrove is a row as datatrove writes it.
type DataTrove struct {
	Text     string `parquet:"text,snappy"`
	ID       int64  `parquet:"id"`
	Metadata struct {
		URL  string `parquet:"url"`
		Date string `parquet:"date"`
	} `parquet:"metadata"`
}
