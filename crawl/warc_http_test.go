package crawl_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

func TestPayload(t *testing.T) {
	const html = "<html><p>the page</p></html>"
	var br, zl, fl bytes.Buffer
	bw, zw := brotli.NewWriter(&br), zlib.NewWriter(&zl)
	fw, _ := flate.NewWriter(&fl, 6)
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{bw, zw, fw} {
		_, _ = w.Write([]byte(html))
		w.Close()
	}
	ze, _ := zstd.NewWriter(nil)
	packed := string(Gzip(html))
	rnd := strings.Repeat(html, 3)
	for _, c := range []struct{ name, block, want, trouble string }{
		{"plain", Response("", html), html, ""},
		{"LF only", "HTTP/1.1 200 OK\nContent-Type: text/html\n\n" + html, html, ""},
		{"no reason", "HTTP/1.1 200\r\ncontent-type:text/html\r\n\r\n" + html, html, ""},
		{"HTTP/2", "HTTP/2 200 \r\nContent-Type: TEXT/HTML;charset=utf-8\r\n\r\n" + html, html, ""},
		{"ICY", "ICY 200 OK\r\nContent-Type: text/html\r\n\r\n" + html, html, ""},
		{"odd status", "HTTP/1.1 OK\r\nContent-Type: text/html\r\n\r\n" + html, html, ""},
		{"no status", html, html, ""},
		{"broken header", "HTTP/1.1 200 OK\r\n???\r\n: x\r\nContent-Type: text/html\r\n\r\n" + html, html, ""},
		{"no blank line", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + html, html, ""},
		{"no type", "HTTP/1.1 200 OK\r\n\r\n" + html, html, ""},
		{"no type, no HTML", "HTTP/1.1 200 OK\r\n\r\nabc", "", "not-html=1"},
		{"xhtml", "HTTP/1.1 200 OK\r\nContent-Type: application/xhtml+xml\r\n\r\n" + html, html, ""},
		{"image", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n" + html, "", "looks-like-html=1"},
		{"404", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n" + html, "", "http-status=1"},
		{"empty", Response("", " \r\n"), "", "empty-page=1"},
		{"head alone", "HTTP/1.1 200 OK\r\nContent-Type: text/html", "", "empty-page=1"},
		{"wrong length", Response("Content-Length: 3\r\n", html), html, ""},
		{"gzip", Response("Content-Encoding: gzip\r\n", packed), html, ""},
		{"gzip twice", Response("Content-Encoding: gzip, gzip\r\n", string(Gzip(packed))), html, ""},
		{"gzip without a header", Response("", packed), html, ""},
		{"not gzip", Response("Content-Encoding: gzip\r\n", html), html, ""},
		{"cut gzip", Response("Content-Encoding: gzip\r\n", packed[:len(packed)-4]), html, "truncated-payload=1"},
		{"zlib", Response("Content-Encoding: deflate\r\n", zl.String()), html, ""},
		{"bare deflate", Response("Content-Encoding: deflate\r\n", fl.String()), html, ""},
		{"not deflate", Response("Content-Encoding: deflate\r\n", html), html, ""},
		{"br", Response("Content-Encoding: br\r\n", br.String()), html, ""},
		{"not br", Response("Content-Encoding: br\r\n", html), html, ""},
		{"zstd", Response("Content-Encoding: zstd\r\n", string(ze.EncodeAll([]byte(html), nil))), html, ""},
		{"unknown encoding", Response("Content-Encoding: rot13\r\n", html), html, ""},
		{"unknown, opaque", Response("Content-Encoding: rot13\r\n", "\x01\x02bc\x03\x04"), "", "bad-encoding=1"},
		{"unknown, text", Response("Content-Encoding: rot13\r\n", "abc"), "abc", ""},
		{"gzip named br", Response("Content-Encoding: br\r\n", packed), html, ""},
		{"gzip named deflate, after a line end", Response("Content-Encoding: deflate\r\n", "\r\n"+packed), html, ""},
		{"zstd unnamed", Response("", string(ze.EncodeAll([]byte(html), nil))), html, ""},
		{"br unnamed", Response("", br.String()), html, ""},
		{"br named gzip", Response("Content-Encoding: gzip\r\n", br.String()), html, ""},
		{"not deflate, after a line end", Response("Content-Encoding: deflate\r\n", "\n"+html), "\n" + html, ""},
		{"a head twice", Response("", "") + Response("", html), html, ""},
		{"interim heads", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" + Response("", html), html, ""},
		{"head of a proxy", "HTTP/1.0 200 Connection established\r\n\r\n" + Response("", html), html, ""},
		{"two types", "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Type: text/html\r\nContent-Type: */*\r\n\r\n" + html, html, ""},
		{"no semicolon", "HTTP/1.1 200 OK\r\nContent-Type: text/html charset=utf-8\r\n\r\n" + html, html, ""},
		{"no pair", "HTTP/1.1 200 OK\r\nContent-Type: html\r\n\r\n" + html, html, ""},
		{"HTML as a download", "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n" + html, "", "looks-like-html=1"},
		{"an image", Response("", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), "", "not-html=1"},
		{"noise", Response("", strings.Repeat("\x01\x02\xf3\x94a\xb6\xd5", 99)), "", "not-html=1"},
		{"charset guessed", Response("", "<p>\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0"), "<p>Привет, мир", "charset-guessed=1"},
		{"unknown charset", "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=none\r\n\r\n" + html, html, ""},
		{"folded header", "HTTP/1.1 200 OK\r\nX: a\r\n b: c\r\nContent-Type: text/html\r\n\r\n" + html, html, ""},
		{"chunked, then length", Response("Content-Length: 99\r\nTransfer-Encoding: chunked\r\n", "1c\r\n"+html+"\r\n0\r\n\r\n"), html, ""},
		{"chunked", Response("Transfer-Encoding: chunked\r\n", "5\r\n<html\r\n17;x=y\r\n><p>the page</p></html>\r\n0\r\nX: y\r\n\r\n"), html, ""},
		{"one chunk", Response("Transfer-Encoding: chunked\r\n", "1c\r\n"+html+"\r\n0\r\n\r\n"), html, ""},
		{"chunked gzip", Response("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", "5\r\n"+packed[:5]+"\r\n"+fmt.Sprintf("%02X", len(packed)-5)+"\r\n"+packed[5:]+"\r\n0\r\n\r\n"), html, ""},
		{"not chunked", Response("Transfer-Encoding: chunked\r\n", html), html, ""},
		{"chunk cut", Response("Transfer-Encoding: chunked\r\n", "fff\r\n"+html), html, "truncated-payload=1"},
		{"chunks broken", Response("Transfer-Encoding: chunked\r\n", "54\r\n"+rnd+"\r\nzz\r\n"), rnd + "zz\r\n", "truncated-payload=1"},
		{"chunk of nothing", Response("Transfer-Encoding: chunked\r\n", "0\r\n\r\n"), "", "empty-page=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pages, l, err := ReadBytes(t, []byte(WarcRecord("response", "http://example.org/", c.block)), record.Options{})
			var trouble []string
			for _, row := range l.Tallies() {
				trouble = append(trouble, string(row.Reason)+"="+string(rune('0'+row.Count)))
			}
			got := ""
			if len(pages) > 0 {
				got = string(pages[0].HTML)
			}
			if err != nil || got != c.want || strings.Join(trouble, " ") != c.trouble {
				t.Errorf("page %q, trouble %v, %v; want %q, %q", got, trouble, err, c.want, c.trouble)
			}
		})
	}
}

// TestPagesConcurrent cuts records on one goroutine and decodes them on many. Run it with -race.
func TestPagesConcurrent(t *testing.T) {
	var archive strings.Builder
	for i := range 50 {
		body := "<html>" + strings.Repeat("x", 1000+i)
		archive.WriteString(WarcRecord("response", fmt.Sprintf("http://example.org/%d", i), Response("Content-Encoding: gzip\r\n", string(Gzip(body)))))
	}
	src, err := crawl.NewSource("memory", strings.NewReader(archive.String()), record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if p, err := rec.Page(); err != nil || len(p.HTML) != 1005+int(rec.Pos.Record) {
				t.Errorf("%v: %d bytes, %v", rec.Pos, len(p.HTML), err)
			}
		})
	}
	wg.Wait()
}
