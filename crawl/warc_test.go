package crawl

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// record writes a WARC record as it should be.
func warcRecord(kind, uri, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, uri, len(block), block)
}

func response(head, body string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + head + "\r\n" + body
}

// page is record number i of a small crawl.
func warcPage(i int) string {
	return warcRecord("response", fmt.Sprintf("http://example.org/%d", i), response("", fmt.Sprintf("<html>page %d %s</html>", i, strings.Repeat("x", 50*i))))
}

func gz(parts ...string) []byte { return gzLevel(gzip.DefaultCompression, parts...) }

func gzLevel(level int, parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		w, _ := gzip.NewWriterLevel(&b, level)
		_, _ = w.Write([]byte(p))
		w.Close()
	}
	return b.Bytes()
}

func urls(pages []Page) string {
	var out []string
	for _, p := range pages {
		out = append(out, strings.TrimPrefix(p.Canonical, "https://example.org/"))
	}
	return strings.Join(out, " ")
}

func TestWARCDamage(t *testing.T) {
	long := strings.Replace(warcPage(2), "Content-Length: ", "Content-Length: 1", 1)
	huge := strings.Replace(warcPage(2), "Content-Length: ", "Content-Length: 99999999", 1)
	short := strings.Replace(warcPage(2), "Content-Length: ", "Content-Length: 7\r\nX: ", 1)
	flip := func(b []byte, i int) []byte { b = bytes.Clone(b); b[i] ^= 0x55; return b }
	three := gz(warcPage(1), warcPage(2), warcPage(3))
	n1, n2 := len(gz(warcPage(1))), len(gz(warcPage(2)))
	for _, c := range []struct {
		name   string
		in     []byte
		pages  string
		damage string
	}{
		{"sound", []byte(warcPage(1) + warcPage(2) + warcPage(3)), "1 2 3", ""},
		{"sound gzip", three, "1 2 3", ""},
		{"one member", gz(warcPage(1) + warcPage(2) + warcPage(3)), "1 2 3", ""},
		{"record over members", gz(warcPage(1)[:100], warcPage(1)[100:]+warcPage(2)[:300], warcPage(2)[300:]), "1 2", ""},
		{"zero padding", append(bytes.Clone(three), make([]byte, 1000)...), "1 2 3", ""},
		{"empty members", gz("", warcPage(1), "", "", warcPage(2), ""), "1 2", ""},
		{"LF only", []byte(strings.ReplaceAll(warcRecord("response", "http://example.org/1", "HTTP/1.0 200\nContent-Type: text/html\n\n<p>x"), "\r\n", "\n")), "1", ""},
		{"garbage first", []byte("WARC-nonsense\n" + warcPage(1)), "1", "bad-record=1"},
		{"garbage between", []byte(warcPage(1) + "garbage\r\n\r\nmore\r\n" + warcPage(2)), "1 2", "bad-record=1"},
		{"garbage last", []byte(warcPage(1) + "garbage"), "1", "bad-record=1"},
		{"length too long", []byte(warcPage(1) + long + warcPage(3) + warcPage(4)), "1 3 4", "bad-record=1"},
		{"length too long, gzip", gz(warcPage(1), long, warcPage(3)), "1 2 3", "truncated-record=1"},
		{"length huge", []byte(warcPage(1) + huge + warcPage(3) + warcPage(4)), "1 3 4", "bad-record=1"},
		{"length too short", []byte(warcPage(1) + short + warcPage(3)), "1 3", "bad-record=1"},
		{"no length", []byte(warcPage(1) + strings.Replace(warcPage(2), "Content-Length", "Content-Breadth", 1) + warcPage(3)), "1 3", "bad-record=1"},
		{"bad length", []byte(warcPage(1) + strings.Replace(warcPage(2), "Content-Length: ", "Content-Length: -", 1) + warcPage(3)), "1 3", "bad-record=1"},
		{"cut in block", []byte(warcPage(1) + warcPage(2)[:300]), "1 2", "truncated-record=1"},
		{"cut in the head of the response", []byte(warcPage(1) + warcPage(2)[:len(warcPage(2))-len("<html>page 2 </html>\r\n\r\n")-100]), "1", "truncated-record=1"},
		{"cut in an image", []byte(warcPage(1) + strings.Replace(warcPage(2), "text/html", "image/png", 1)[:300]), "1", "truncated-record=1"},
		{"cut in header", []byte(warcPage(1) + warcPage(2)[:50]), "1", "truncated-record=1"},
		{"cut gzip", three[:len(three)-20], "1 2 3", "truncated-gzip=1"},
		{"cut gzip trailer", three[:len(three)-4], "1 2 3", "truncated-gzip=1"},
		{"cut gzip header", three[:n1+n2+5], "1 2", "truncated-gzip=1"},
		{"middle member broken", flip(three, n1+60), "1 3", "bad-gzip=1"},
		{"middle checksum broken", flip(three, n1+n2-6), "1 3", "bad-gzip=1"},
		{"middle magic broken", flip(three, n1), "1 3", "bad-gzip=1"},
		{"first member broken", flip(three, 60), "2 3", "bad-gzip=1"},
		{"member missing its end", append(bytes.Clone(three[:n1+n2-30]), three[n1+n2:]...), "1 3", "bad-gzip=1"},
		{"gap of noise", append(append(bytes.Clone(three[:n1]), bytes.Repeat([]byte("\x1f\x8b\x08noise"), 100)...), three[n1:]...), "1 2 3", "truncated-gzip=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src, err := NewSource("x.warc.gz", bytes.NewReader(c.in), Options{})
			if err != nil {
				t.Fatal(err)
			}
			pages, l := drain(t, src)
			if urls(pages) != c.pages || damageOf(l, nil) != c.damage {
				t.Errorf("pages %q, damage %q; want %q, %q; %+v", urls(pages), damageOf(l, nil), c.pages, c.damage, l.Tallies())
			}
		})
	}
}

// TestWARCCutAnywhere cuts a crawl at every byte: the pages before the cut are kept, of a page that is cut what is there,
// and a cut that is not between records is reported.
func TestWARCCutAnywhere(t *testing.T) {
	plain, packed := []byte(warcPage(1)+warcPage(2)), gz(warcPage(1), warcPage(2))
	for _, in := range [][]byte{plain, packed} {
		first := len(warcPage(1))
		if in[0] == 0x1f {
			first = len(gz(warcPage(1)))
		}
		for n := 20; n < len(in); n++ {
			src, err := NewSource("x.warc.gz", bytes.NewReader(in[:n]), Options{})
			if err != nil {
				t.Fatalf("cut at %d: %v", n, err)
			}
			pages, l := drain(t, src)
			if n >= first && len(pages) < 1 || n < first-4 && l.Damaged() != 1 {
				t.Fatalf("cut at %d of %d: pages %q, %+v", n, len(in), urls(pages), l.Tallies())
			}
			for i, p := range pages {
				whole := []byte(fmt.Sprintf("<html>page %d %s</html>", i+1, strings.Repeat("x", 50*(i+1))))
				if !bytes.HasPrefix(whole, p.HTML) || len(p.Warnings) == 0 && len(p.HTML) < len(whole) {
					t.Fatalf("cut at %d of %d: page %d is %q, %v", n, len(in), i, p.HTML, p.Warnings)
				}
			}
		}
	}
}

func TestWARCPositions(t *testing.T) {
	a, b := gz(warcPage(1)), gz(warcPage(2)+warcPage(3))
	pages, _, err := readBytes(t, append(bytes.Clone(a), b...), Options{})
	if err != nil || len(pages) != 3 {
		t.Fatal(len(pages), err)
	}
	for i, want := range []Position{{"memory", 0, 0, 1}, {"memory", int64(len(a)), 0, 2}, {"memory", int64(len(a)), int64(len(warcPage(2))), 3}} {
		if pages[i].Pos != want {
			t.Errorf("page %d at %v, want %v", i, pages[i].Pos, want)
		}
	}
	if s := pages[2].Pos.String(); s != fmt.Sprintf("memory at byte %d+%d (record 3)", len(a), len(warcPage(2))) {
		t.Error(s)
	}
}

func TestWARCLimits(t *testing.T) {
	big := warcRecord("response", "http://example.org/2", response("", "<html>"+strings.Repeat("ä", 3<<20)))
	o := Options{MaxPage: 1 << 20}
	for name, in := range map[string][]byte{"plain": []byte(warcPage(1) + big + warcPage(3)), "gzip": gz(warcPage(1), big, warcPage(3)), "one member": gz(warcPage(1) + big + warcPage(3))} {
		pages, l, err := readBytes(t, in, o)
		if err != nil || urls(pages) != "1 2 3" || l.Damaged() != 0 || l.Count(ReasonPageTooBig) == 0 {
			t.Errorf("%s: %q %+v %v", name, urls(pages), l.Tallies(), err)
		} else if n := len(pages[1].HTML); n > 1<<20 || n < 1<<20-4 {
			t.Errorf("%s: %d bytes kept", name, n)
		}
	}
	bomb := warcRecord("response", "http://example.org/1", response("Content-Encoding: gzip\r\n", string(gz(strings.Repeat("<", 64<<20)))))
	if pages, l, _ := readBytes(t, []byte(bomb), o); len(pages) != 1 || l.Count(ReasonPageTooBig) != 1 || cap(pages[0].HTML) > 2<<20 {
		t.Errorf("bomb: %d pages, %+v", len(pages), l.Tallies())
	}
	if pages, l, _ := readBytes(t, []byte(bomb), Options{}); len(pages) != 1 || l.Count(ReasonRatio) != 1 || len(pages[0].HTML) > 14<<20 {
		t.Errorf("bomb: %d pages, %+v", len(pages), l.Tallies())
	}
}

func FuzzWARC(f *testing.F) {
	for _, s := range []string{warcPage(1) + warcPage(2), "WARC/1.0\n\n", "WARC/1.0\r\nContent-Length: 5\r\n\r\nabcdeWARC/1.1\nContent-Length: 0\n\n"} {
		f.Add([]byte(s))
		f.Add(gz(s))
	}
	f.Add(gz(warcPage(1), warcPage(2)))
	f.Fuzz(func(t *testing.T, in []byte) {
		src, err := NewSource("x.warc", bytes.NewReader(in), Options{MaxPage: 1 << 16})
		if err == nil {
			drain(t, src)
		}
	})
}
