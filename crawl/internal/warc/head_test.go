package warc

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/record"
)

func FuzzHead(f *testing.F) {
	for _, s := range []string{"", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\nx", "ICY 200\nContent-Type\n<html>"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		h, body := parseHead(in)
		if !bytes.HasSuffix(in, body) || h.status > 999 || h.status < 0 {
			t.Fatalf("status %d, body %q", h.status, body)
		}
		m := &meta{archiveHeader: archiveHeader{kind: "response"}}
		rec := &record.Record{Data: in, URL: "http://example.org/", Opts: record.Options{MaxPage: 1 << 16}.WithDefaults(), Decode: m.page, Archive: m}
		if p, err := rec.Page(); err == nil {
			if !utf8.Valid(p.HTML) || len(p.HTML) == 0 {
				t.Fatalf("a page of %q", p.HTML)
			}
		}
	})
}
