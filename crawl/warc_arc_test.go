package crawl_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl/record"
)

func TestARC(t *testing.T) {
	second := strings.Replace(ArcPage(2), "text/html ", "text/html 200 abc - 20081231 test.arc ", 1) // the offset looks like a date
	long := strings.Replace(ArcPage(2), "text/html ", "text/html 1", 1)
	short := strings.Replace(ArcPage(2), "text/html ", "text/html 1000000 7\n", 1)
	flip := func(b []byte, i int) []byte { b = bytes.Clone(b); b[i] ^= 0x55; return b }
	packed := Gzip(ArcHead, ArcPage(1), ArcPage(2), ArcPage(3))
	n := len(Gzip(ArcHead, ArcPage(1)))
	for _, c := range []struct {
		name   string
		in     []byte
		pages  string
		damage string
	}{
		{"version 1", []byte(ArcHead + ArcPage(1) + ArcPage(2)), "1 2", ""},
		{"version 2", []byte(ArcHead + ArcPage(1) + second + ArcPage(3)), "1 2 3", ""},
		{"gzip", packed, "1 2 3", ""},
		{"CRLF", []byte(ArcHead + strings.ReplaceAll(ArcRecord("http://example.org/1", "<html>"), "\n", "\r\n") + ArcPage(2)), "1 2", ""},
		{"spaces in URL", []byte(ArcHead + ArcRecord("http://example.org/a b 1 c", Response("", "<p>x"))), "a%20b%201%20c", ""},
		{"no response head", []byte(ArcHead + ArcRecord("http://example.org/1", "<html>x")), "1", ""},
		{"dns", []byte(ArcHead + "\ndns:example.org 192.0.2.1 20080430204825 text/dns 4\nabcd" + ArcPage(1)), "1", ""},
		{"garbage between", []byte(ArcHead + ArcPage(1) + "\ngarbage\n" + ArcPage(2)), "1 2", "bad-record=1"},
		{"length too long", []byte(ArcHead + ArcPage(1) + long + ArcPage(3) + ArcPage(4)), "1 2 3 4", "bad-record=1"},
		{"length too short", []byte(ArcHead + ArcPage(1) + short + ArcPage(3)), "1 2 3", "bad-record=1"},
		{"no length", []byte(ArcHead + strings.Replace(ArcPage(1), "html ", "html x", 1) + ArcPage(2)), "2", "bad-record=1"},
		{"cut in block", []byte(ArcHead + ArcPage(1) + ArcPage(2)[:150]), "1 2", "truncated-record=1"},
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
	for _, s := range []string{ArcHead + ArcPage(1) + ArcPage(2), "filedesc://x 1.1.1.1 200804302048 text/plain 0\n", ArcHead + "\nhttp://a/ - 20080430204826 x 5\nabcde"} {
		f.Add([]byte(s))
		f.Add(Gzip(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		readAs(t, "x.arc", in, record.Options{MaxPage: 1 << 16})
	})
}
