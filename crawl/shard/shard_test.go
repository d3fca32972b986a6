package shard_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl/shard"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, name string, content []byte) string {
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, content, 0o666))
	return path
}

// read returns the texts of a file with the ranges of their records, and the reasons of the others.
func read(t testing.TB, path string, size int64, columns ...string) (texts []string, at []shard.Range, skipped []string) {
	t.Helper()
	f, err := shard.Open(path, shard.Options{Columns: columns})
	must(t, err)
	parts := []shard.Part{{}}
	if f.Divides() {
		parts = shard.Divide(f.Size, size)
	}
	for _, p := range parts {
		_, err := f.Read(t.Context(), p, func(r *shard.Record) error {
			if r.Skip != nil {
				skipped = append(skipped, string(r.Skip.Reason))
				return nil
			}
			text := string(r.Text) + string(r.HTML)
			for _, c := range r.Columns {
				text += "|" + string(c)
			}
			texts, at = append(texts, text), append(at, r.Range)
			return nil
		})
		must(t, err)
	}
	return texts, at, skipped
}

// without returns a copy of a file without the records at some places.
func without(t testing.TB, path string, at []shard.Range, leave ...int) []byte {
	t.Helper()
	f, err := shard.Open(path, shard.Options{})
	must(t, err)
	var ranges []shard.Range
	for _, i := range leave {
		ranges = append(ranges, at[i])
	}
	var out bytes.Buffer
	must(t, f.Copy(t.Context(), &out, slices.Values(ranges)))
	return out.Bytes()
}

// TestParts checks for every size of parts that lines are read once, whatever ends them.
func TestParts(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, `{"text":"%s %d"}%s`, strings.Repeat("x", i*i%37), i, []string{"\n", "\r\n", "\n\n"}[i%3])
	}
	content := strings.TrimRight(b.String(), "\n")
	path := write(t, "a.jsonl", []byte(content))
	want, at, _ := read(t, path, 1<<30)
	for size := int64(1); size < int64(len(content))+2; size += 1 + size/20 {
		got, ranges, _ := read(t, path, size)
		if !slices.Equal(got, want) || !slices.Equal(ranges, at) {
			t.Fatalf("parts of %d bytes: %d records instead of %d", size, len(got), len(want))
		}
	}
}

func pack(t testing.TB, suffix string, parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		var w io.WriteCloser = gzip.NewWriter(&b)
		if suffix == ".zst" {
			z, err := zstd.NewWriter(&b)
			must(t, err)
			w = z
		}
		_, err := io.WriteString(w, p)
		must(t, errors.Join(err, w.Close()))
	}
	return b.Bytes()
}

func unpack(t testing.TB, suffix string, packed []byte) string {
	var r io.Reader = bytes.NewReader(packed)
	var err error
	switch suffix {
	case ".gz":
		r, err = gzip.NewReader(r)
	case ".zst":
		r, err = zstd.NewReader(r)
	}
	must(t, err)
	b, err := io.ReadAll(r)
	must(t, err)
	return string(b)
}

// TestCopy leaves out records of lines and rows in every compression, and compares the rest byte for byte.
func TestCopy(t *testing.T) {
	for _, c := range []struct {
		name, content, want string
		leave               []int
	}{
		{"a.jsonl", "\ufeff{\"text\":\"a\"}\r\n{\"text\":\"b\"}\r\n\n{\"text\":\"c\", \"n\":12345678901234567}", "\ufeff{\"text\":\"a\"}\r\n\n{\"text\":\"c\", \"n\":12345678901234567}", []int{1}},
		{"a.jsonl", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"text\":\"c\"}", "{\"text\":\"b\"}\n", []int{0, 2}},
		{"a.csv", "\ufeffid,text,n\r\n1,\"a \"\"q\"\"\r\nb\",1.0\r\n2,b,\r\n3,c,12345678901234567", "\ufeffid,text,n\r\n2,b,\r\n", []int{0, 2}},
		{"a.tsv", "id\ttext\n1\ta\n2\t\"b\n3\tc\n", "id\ttext\n1\ta\n3\tc\n", []int{1}},
	} {
		for _, suffix := range []string{"", ".gz", ".zst"} {
			content := []byte(c.content)
			if suffix != "" {
				content = pack(t, suffix, c.content[:9], c.content[9:])
			}
			path := write(t, c.name+suffix, content)
			texts, at, skipped := read(t, path, 1<<30)
			if len(texts) != 3 || len(skipped) > 0 {
				t.Errorf("%s%s: read %q and %q", c.name, suffix, texts, skipped)
				continue
			}
			if got := unpack(t, suffix, without(t, path, at, c.leave...)); got != c.want {
				t.Errorf("%s%s: got\n%q, want\n%q", c.name, suffix, got, c.want)
			}
			if got := without(t, path, at); !bytes.Equal(got, content) {
				t.Errorf("%s%s: nothing is left out, and the file differs", c.name, suffix)
			}
		}
	}
}

// TestDamage checks that the rest of a damaged file is read and copied, and that the damage is told.
func TestDamage(t *testing.T) {
	line := func(i int) string { return fmt.Sprintf("{\"text\":\"%d %s\"}\n", i, strings.Repeat("word ", 200)) }
	one, two, three := pack(t, ".gz", line(1)+line(2)), pack(t, ".gz", line(3)), pack(t, ".gz", line(4)+line(5))
	two[len(two)/2] ^= 0xFF
	path := write(t, "a.jsonl.gz", slices.Concat(one, two, three))
	texts, at, skipped := read(t, path, 1<<30)
	if len(texts) != 4 || len(skipped) != 1 || skipped[0] != "bad-gzip" {
		t.Fatalf("%d texts, %q", len(texts), skipped)
	}
	if got := unpack(t, ".gz", without(t, path, at, 2)); got != line(1)+line(2)+line(5) {
		t.Errorf("copied %.80q", got)
	}
	cut := write(t, "b.jsonl.gz", one[:len(one)-20])
	if texts, _, skipped := read(t, cut, 1<<30); len(skipped) != 1 || skipped[0] != "truncated-gzip" || len(texts) > 2 {
		t.Errorf("cut: %d texts, %q", len(texts), skipped)
	}
}

// TestLongLine checks that a line longer than may be is passed over, counted and copied.
func TestLongLine(t *testing.T) {
	long := `{"text":"` + strings.Repeat("x", 3<<20) + "\"}\n"
	content := "{\"text\":\"a\"}\n" + long + "{\"text\":\"b\"}\n" + long[:len(long)-1]
	path := write(t, "a.jsonl", []byte(content))
	o := shard.Options{}
	o.MaxLine = 1 << 20
	f, err := shard.Open(path, o)
	must(t, err)
	var got []string
	var at []shard.Range
	for _, p := range shard.Divide(f.Size, 1<<20) {
		_, err = f.Read(t.Context(), p, func(r *shard.Record) error {
			if r.Skip != nil {
				got = append(got, string(r.Skip.Reason))
			} else {
				got, at = append(got, string(r.Text)), append(at, r.Range)
			}
			return nil
		})
		must(t, err)
	}
	if want := []string{"a", "line-too-long", "b", "line-too-long"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	var out bytes.Buffer
	must(t, f.Copy(t.Context(), &out, slices.Values(at[:1])))
	if out.String() != content[len("{\"text\":\"a\"}\n"):] {
		t.Error("the copy differs")
	}
}

// TestParquet copies a file of every kind of value, with nulls in many patterns.
func TestParquet(t *testing.T) {
	type inner struct {
		N    *int64   `parquet:"n,optional"`
		Tags []string `parquet:"tags,list"`
	}
	type row struct {
		ID    string  `parquet:"id"`
		Text  *string `parquet:"text,optional"`
		Score float64 `parquet:"score"`
		Meta  *inner  `parquet:"meta,optional"`
	}
	var rows []row
	for i := range 50 {
		r := row{ID: fmt.Sprint(i), Score: float64(i) / 3}
		if i%3 != 1 {
			r.Text = new(string)
			*r.Text = fmt.Sprint("text ", i)
		}
		if i%4 > 0 {
			r.Meta = &inner{Tags: strings.Fields(strings.Repeat("t ", i%4-1))}
		}
		if i%4 == 3 {
			n := int64(12345678901234567) + int64(i)
			r.Meta.N = &n
		}
		rows = append(rows, r)
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.Compression(&parquet.Snappy), parquet.KeyValueMetadata("key", "value"))
	for i := range rows {
		_, err := w.Write(rows[i : i+1])
		must(t, err)
		if i == 20 {
			must(t, w.Flush())
		}
	}
	must(t, w.Close())
	path := write(t, "a.parquet", b.Bytes())
	texts, at, _ := read(t, path, 1<<30, "meta.n", "score", "none")
	if len(texts) < 30 || texts[2] != "text 3|12345678901234570|1|" {
		t.Fatalf("%d texts, %q", len(texts), texts[:3])
	}
	out := without(t, path, at, 0, 5, 20)
	got, err := parquet.Read[row](bytes.NewReader(out), int64(len(out)))
	must(t, err)
	var want []row
	for i, r := range rows {
		if !slices.Contains([]int64{at[0].Offset, at[5].Offset, at[20].Offset}, int64(i)) {
			want = append(want, r)
		}
	}
	if g, w := show(got), show(want); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
	f, err := parquet.OpenFile(bytes.NewReader(out), int64(len(out)))
	must(t, err)
	if v, _ := f.Lookup("key"); v != "value" || len(f.RowGroups()) != 2 || f.Schema().String() != parquet.SchemaOf(row{}).String() {
		t.Errorf("metadata %q, %d row groups, schema %s", v, len(f.RowGroups()), f.Schema())
	}
}

func show[T any](rows []T) string {
	var b strings.Builder
	for _, r := range rows {
		j, _ := json.Marshal(r)
		b.WriteString(string(j) + "\n")
	}
	return b.String()
}

// TestArchive leaves out captures of archives whose records are members of their own.
func TestArchive(t *testing.T) {
	record := func(i int) string {
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page %d</p>", i)
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%d>\r\nWARC-Target-URI: https://a.example/%d\r\nWARC-Date: 2020-01-0%dT00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, i, i, len(block), block)
	}
	info := "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:0>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
	for _, suffix := range []string{"", ".gz", ".zst"} {
		make := func(records ...string) []byte {
			if suffix == "" {
				return []byte(strings.Join(records, ""))
			}
			return pack(t, suffix, records...)
		}
		path := write(t, "a.warc"+suffix, make(info, record(1), record(2), record(3)))
		texts, at, _ := read(t, path, 1<<30)
		if len(texts) != 3 {
			t.Fatalf("%s: %q", suffix, texts)
		}
		if got := without(t, path, at, 0, 2); !bytes.Equal(got, make(info, record(2))) {
			t.Errorf("%s: the copy differs", suffix)
		}
	}
	path := write(t, "one.warc.gz", pack(t, ".gz", record(1)+record(2)))
	if texts, _, skipped := read(t, path, 1<<30); len(texts) != 0 || !slices.Contains(skipped, "one-member") {
		t.Errorf("%q %q", texts, skipped)
	}
}

// TestFormats checks what files are taken for.
func TestFormats(t *testing.T) {
	for name, c := range map[string][2]string{
		"a.txt":    {"Some text, with a comma\nand, another", "text"},
		"b.txt":    {"{not JSON}\ntext", "text"},
		"c.txt":    {"page 1\fpage 2", "text"},
		"d.txt":    {"a,b\n1,2\n", "text"},
		"e.txt":    {"{\"text\":\"a\"}\n{\"text\":\"b\"}", "jsonl"},
		"f.txt":    {"\x00\x01\x02\x03\x04\x05", ""},
		"g.txt":    {"a\x00b\x00c\x00", "text"}, // UTF-16
		"h.md":     {"[a](b)\n", "text"},
		"README":   {"# Title\n\ntext", "text"},
		"a.html":   {"<!doctype html><p>x", "text"},
		"a.csv":    {"id,text\n1,a\n", "csv"},
		"b.csv":    {"", ""},
		"a.json":   {`[{"text":"a"}]`, ""},
		"a.ndjson": {`{"text":"a"}`, "jsonl"},
		"a.bin":    {"\x00\x01\x02", ""},
		"a.png":    {"\x89PNG\r\n\x1a\n\x00\x00", ""},
	} {
		f, err := shard.Open(write(t, name, []byte(c[0])), shard.Options{})
		must(t, err)
		if f.Format != c[1] || (f.Format == "") != (f.Why != nil) {
			t.Errorf("%s: %q, %v", name, f.Format, f.Why)
		}
	}
}
