package crawl_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/internal/crawltest"
)

// undecoded returns what the only record of an input says before it is decoded.
func undecoded(t *testing.T, name, content string, o crawl.Options) (fields string, at time.Time, ok bool, page crawl.Page) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	src, err := crawl.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	n := 0
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		at, ok = rec.Undecoded(func(f []byte) { fields += fmt.Sprintf("%q ", f) })
		if page, err = rec.Page(); err != nil && ok && !strings.Contains(name, "bad") {
			t.Errorf("%s: %v", content, err)
		}
		page.HTML, page.Text = []byte(string(page.HTML)), []byte(string(page.Text))
		rec.Release()
	}
	if n != 1 {
		t.Fatalf("%d records in %q", n, content)
	}
	return fields, at, ok, page
}

func response(date, head, body string) string {
	block := "HTTP/1.1 200 OK\r\nDate: " + date + "\r\n" + head + "\r\n" + body
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/\r\nWARC-Date: %s\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", date, len(block), block)
}

// Records of the same page have the same fields whatever their times, and those of other pages have others.
func TestUndecoded(t *testing.T) {
	const day1, day2 = "2024-05-01T00:00:00Z", "2024-06-01T00:00:00Z"
	const html = "Content-Type: text/html; charset=utf-8\r\n"
	packed := string(crawltest.Gzip("<p>some text"))
	for _, x := range []struct {
		name, a, b string
		same       bool
	}{
		{"x.jsonl", `{"url":"https://a.example/","html":"<p>a \"b\"\n","time":"` + day1 + `"}`, `{"time":"` + day2 + `","url":"https://a.example/","other":1,"html":"<p>a \"b\"\n"}`, true},
		{"x.jsonl", `{"url":"https://a.example/","html":"<p>a"}`, `{"url":"https://a.example/","html":"<p>b"}`, false},
		{"x.jsonl", `{"url":"https://a.example/","html":"<p>a"}`, `{"url":"https://b.example/","html":"<p>a"}`, false},
		{"x.jsonl", `{"url":"https://a.example/","html":"<p>a"}`, `{"url":"https://a.example/","text":"<p>a"}`, false},
		{"x.jsonl", `{"url":"https://a.example/","text":"a"}`, `{"url":"https://a.example/","text":"a","title":"a"}`, false},
		{"x.jsonl", `{"url":"https://a.example/","text":"a \\\\"}`, `{"text":"a \\\\","url":"https://a.example/"}`, true},
		{"x.jsonl", `{"url":"https://a.example/","text":"b","text":"a"}`, `{"url":"https://a.example/","text":"a"}`, true},
		{"x.jsonl", `{"url":"https://a.example/","text":"b","text":"a"}`, `{"url":"https://a.example/","text":"b"}`, false},
		{"x.warc", response(day1, html, "<p>some text"), response(day2, html, "<p>some text"), true},
		{"x.warc", response(day1, html, "<p>some text"), response(day2, html, "<p>some more"), false},
		{"x.warc", response(day1, html, "<p>some text"), response(day2, html+"X-Robots-Tag: noindex\r\n", "<p>some text"), false},
		{"x.warc", response(day1, html, "<p>\xe4 text"), response(day1, "Content-Type: text/html; charset=koi8-r\r\n", "<p>\xe4 text"), false},
		{"x.warc", response(day1, html+"Content-Encoding: gzip\r\n", packed), response(day2, html+"Content-Encoding: gzip\r\n", packed), true},
	} {
		a, at, ok, page := undecoded(t, x.name, x.a, crawl.Options{})
		b, _, fine, other := undecoded(t, x.name, x.b, crawl.Options{})
		if !ok || !fine || (a == b) != x.same {
			t.Errorf("%s\n%s\nhave the fields %s (%v) and %s (%v)", x.a, x.b, a, ok, b, fine)
		}
		if !at.Equal(page.Time) {
			t.Errorf("%s is of %s, and its page of %s", x.a, at, page.Time)
		}
		alike := page.URL == other.URL && string(page.HTML) == string(other.HTML) && string(page.Text) == string(other.Text) && page.Title == other.Title && page.Robots == other.Robots
		if alike != x.same {
			t.Errorf("%s\n%s\nhave the same page: %v", x.a, x.b, alike)
		}
	}
}

// A record that cannot tell, or whose page is not wanted, has no fields of use, and is read as ever.
func TestNotUndecoded(t *testing.T) {
	select2025, err := crawl.ParseSelection("2025", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		content string
		o       crawl.Options
		page    bool
	}{
		"links.jsonl":  {`{"source":"https://a.example/","target":"https://b.example/","anchor":"b"}`, crawl.Options{}, true},
		"nested.jsonl": {`{"url":"https://a.example/","text":"a","more":{"a":[1]}}`, crawl.Options{}, true},
		"time.jsonl":   {`{"url":"https://a.example/","text":"a","time":"2024\u002d05"}`, crawl.Options{}, true},
		"other.jsonl":  {`{"url":"https://a.example/","text":"a","more":"\x"}`, crawl.Options{}, false},
		"twice.jsonl":  {`{"url":"https://a.example/","text":"\x","text":"a"}`, crawl.Options{}, false},
		"cut.jsonl":    {`{"url":"https://a.example/","text":"a\"}`, crawl.Options{}, false},
		"times.jsonl":  {`{"url":"https://a.example/","text":"a","time":"\x"}`, crawl.Options{}, false},
		"bad.jsonl":    {`{"url":"https://a.example/","text":`, crawl.Options{}, false},
		"old.jsonl":    {`{"url":"https://a.example/","text":"a","time":"2024-05-01"}`, crawl.Options{Select: select2025}, false},
		"page.html":    {"<title>a</title><link rel=canonical href=https://a.example/><p>text", crawl.Options{}, true},
		"image.warc":   {response("2024-05-01T00:00:00Z", "Content-Type: image/png\r\n", "x"), crawl.Options{Select: select2025}, false},
		"broken.warc":  {strings.TrimSuffix(response("2024-05-01T00:00:00Z", "Content-Type: text/html\r\n", "<p>some text"), "xt\r\n\r\n"), crawl.Options{}, true},
	} {
		_, _, ok, page := undecoded(t, name, x.content, x.o)
		if ok || (page.Canonical != "") != x.page {
			t.Errorf("%s: %v, page of %q", name, ok, page.Canonical)
		}
	}
}
