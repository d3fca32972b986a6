package warc_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl/internal/crawltest"
	"github.com/lshclust/lshclust/crawl/record"
)

func TestARC(t *testing.T) {
	second := strings.Replace(crawltest.ArcPage(2), "text/html ", "text/html 200 abc - 20081231 test.arc ", 1) // the offset looks like a date
	long := strings.Replace(crawltest.ArcPage(2), "text/html ", "text/html 1", 1)
	short := strings.Replace(crawltest.ArcPage(2), "text/html ", "text/html 1000000 7\n", 1)
	flip := func(b []byte, i int) []byte { b = bytes.Clone(b); b[i] ^= 0x55; return b }
	packed := crawltest.Gzip(crawltest.ArcHead, crawltest.ArcPage(1), crawltest.ArcPage(2), crawltest.ArcPage(3))
	n := len(crawltest.Gzip(crawltest.ArcHead, crawltest.ArcPage(1)))
	for _, c := range []struct {
		name   string
		in     []byte
		pages  string
		damage string
	}{
		{"version 1", []byte(crawltest.ArcHead + crawltest.ArcPage(1) + crawltest.ArcPage(2)), "1 2", ""},
		{"version 2", []byte(crawltest.ArcHead + crawltest.ArcPage(1) + second + crawltest.ArcPage(3)), "1 2 3", ""},
		{"gzip", packed, "1 2 3", ""},
		{"CRLF", []byte(crawltest.ArcHead + strings.ReplaceAll(crawltest.ArcRecord("http://example.org/1", "<html>"), "\n", "\r\n") + crawltest.ArcPage(2)), "1 2", ""},
		{"spaces in URL", []byte(crawltest.ArcHead + crawltest.ArcRecord("http://example.org/a b 1 c", crawltest.Response("", "<p>x"))), "a%20b%201%20c", ""},
		{"no response head", []byte(crawltest.ArcHead + crawltest.ArcRecord("http://example.org/1", "<html>x")), "1", ""},
		{"dns", []byte(crawltest.ArcHead + "\ndns:example.org 192.0.2.1 20080430204825 text/dns 4\nabcd" + crawltest.ArcPage(1)), "1", ""},
		{"garbage between", []byte(crawltest.ArcHead + crawltest.ArcPage(1) + "\ngarbage\n" + crawltest.ArcPage(2)), "1 2", "bad-record=1"},
		{"length too long", []byte(crawltest.ArcHead + crawltest.ArcPage(1) + long + crawltest.ArcPage(3) + crawltest.ArcPage(4)), "1 2 3 4", "bad-record=1"},
		{"length too short", []byte(crawltest.ArcHead + crawltest.ArcPage(1) + short + crawltest.ArcPage(3)), "1 2 3", "bad-record=1"},
		{"no length", []byte(crawltest.ArcHead + strings.Replace(crawltest.ArcPage(1), "html ", "html x", 1) + crawltest.ArcPage(2)), "2", "bad-record=1"},
		{"cut in block", []byte(crawltest.ArcHead + crawltest.ArcPage(1) + crawltest.ArcPage(2)[:150]), "1 2", "truncated-record=1"},
		{"member broken", flip(packed, n+40), "1 3", "bad-gzip=1"},
		{"first member broken", flip(packed, 40), "1 2 3", "bad-gzip=1"},
		{"first magic broken", flip(packed, 0), "1 2 3", "bad-gzip=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, p := range checkDamage(t, "x.arc.gz", c.in, c.pages, c.damage) {
				if want := time.Date(2008, 4, 30, 20, 48, 26, 0, time.UTC); !p.Time.Equal(want) || p.HTML == nil {
					t.Errorf("%s: time %v, want %v", p.URL, p.Time, want)
				}
			}
		})
	}
}

func FuzzARC(f *testing.F) {
	for _, s := range []string{crawltest.ArcHead + crawltest.ArcPage(1) + crawltest.ArcPage(2), "filedesc://x 1.1.1.1 200804302048 text/plain 0\n", crawltest.ArcHead + "\nhttp://a/ - 20080430204826 x 5\nabcde"} {
		f.Add([]byte(s))
		f.Add(crawltest.Gzip(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		readAs(t, "x.arc", in, record.Options{MaxPage: 1 << 16})
	})
}
