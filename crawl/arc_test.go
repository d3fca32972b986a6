package crawl

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

const arcHead = "filedesc://test.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n\n         \n"

// arcRecord writes a record of version 1.
func arcRecord(url, block string) string {
	return fmt.Sprintf("\n%s 192.0.2.1 20080430204826 text/html %d\n%s", url, len(block), block)
}

func arcPage(i int) string {
	return arcRecord(fmt.Sprintf("http://example.org/%d", i), response("", fmt.Sprintf("<html>page %d %s</html>", i, strings.Repeat("x", 50*i))))
}

func TestARC(t *testing.T) {
	second := strings.Replace(arcPage(2), "text/html ", "text/html 200 abc - 20081231 test.arc ", 1) // an offset like a date
	long := strings.Replace(arcPage(2), "text/html ", "text/html 1", 1)
	short := strings.Replace(arcPage(2), "text/html ", "text/html 1000000 7\n", 1)
	flip := func(b []byte, i int) []byte { b = bytes.Clone(b); b[i] ^= 0x55; return b }
	packed := gz(arcHead, arcPage(1), arcPage(2), arcPage(3))
	n := len(gz(arcHead, arcPage(1)))
	for _, c := range []struct {
		name   string
		in     []byte
		pages  string
		damage string
	}{
		{"version 1", []byte(arcHead + arcPage(1) + arcPage(2)), "1 2", ""},
		{"version 2", []byte(arcHead + arcPage(1) + second + arcPage(3)), "1 2 3", ""},
		{"gzip", packed, "1 2 3", ""},
		{"CRLF", []byte(arcHead + strings.ReplaceAll(arcRecord("http://example.org/1", "<html>"), "\n", "\r\n") + arcPage(2)), "1 2", ""},
		{"spaces in URL", []byte(arcHead + arcRecord("http://example.org/a b 1 c", response("", "<p>x"))), "a%20b%201%20c", ""},
		{"no response head", []byte(arcHead + arcRecord("http://example.org/1", "<html>x")), "1", ""},
		{"dns", []byte(arcHead + "\ndns:example.org 192.0.2.1 20080430204825 text/dns 4\nabcd" + arcPage(1)), "1", ""},
		{"garbage between", []byte(arcHead + arcPage(1) + "\ngarbage\n" + arcPage(2)), "1 2", "bad-record=1"},
		{"length too long", []byte(arcHead + arcPage(1) + long + arcPage(3) + arcPage(4)), "1 3 4", "bad-record=1"},
		{"length too short", []byte(arcHead + arcPage(1) + short + arcPage(3)), "1 2 3", "bad-record=1"},
		{"no length", []byte(arcHead + strings.Replace(arcPage(1), "html ", "html x", 1) + arcPage(2)), "2", "bad-record=1"},
		{"cut in block", []byte(arcHead + arcPage(1) + arcPage(2)[:150]), "1 2", "truncated-record=1"},
		{"member broken", flip(packed, n+40), "1 3", "bad-gzip=1"},
		{"first member broken", flip(packed, 40), "1 2 3", "bad-gzip=1"},
		{"first magic broken", flip(packed, 0), "1 2 3", "bad-gzip=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src, err := NewSource("x.arc.gz", bytes.NewReader(c.in), Options{})
			if err != nil {
				t.Fatal(err)
			}
			pages, l := drain(t, src)
			if urls(pages) != c.pages || damageOf(l, nil) != c.damage || src.Format() != "arc" {
				t.Errorf("%s: pages %q, damage %q; want %q, %q; %+v", src.Format(), urls(pages), damageOf(l, nil), c.pages, c.damage, l.Tallies())
			}
			for _, p := range pages {
				if want := time.Date(2008, 4, 30, 20, 48, 26, 0, time.UTC); !p.Time.Equal(want) || p.HTML == nil {
					t.Errorf("%s: time %v, want %v", p.URL, p.Time, want)
				}
			}
		})
	}
}

func FuzzARC(f *testing.F) {
	for _, s := range []string{arcHead + arcPage(1) + arcPage(2), "filedesc://x 1.1.1.1 200804302048 text/plain 0\n", arcHead + "\nhttp://a/ - 20080430204826 x 5\nabcde"} {
		f.Add([]byte(s))
		f.Add(gz(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		src, err := NewSource("x.arc", bytes.NewReader(in), Options{MaxPage: 1 << 16})
		if err == nil {
			drain(t, src)
		}
	})
}
