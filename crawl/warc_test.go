package crawl_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

func TestWARCDamage(t *testing.T) {
	long := strings.Replace(WarcPage(2), "Content-Length: ", "Content-Length: 1", 1)
	huge := strings.Replace(WarcPage(2), "Content-Length: ", "Content-Length: 99999999", 1)
	short := strings.Replace(WarcPage(2), "Content-Length: ", "Content-Length: 7\r\nX: ", 1)
	flip := func(b []byte, i int) []byte { b = bytes.Clone(b); b[i] ^= 0x55; return b }
	three := Gzip(WarcPage(1), WarcPage(2), WarcPage(3))
	n1, n2 := len(Gzip(WarcPage(1))), len(Gzip(WarcPage(2)))
	for _, c := range []struct {
		name   string
		in     []byte
		pages  string
		damage string
	}{
		{"sound", []byte(WarcPage(1) + WarcPage(2) + WarcPage(3)), "1 2 3", ""},
		{"sound gzip", three, "1 2 3", ""},
		{"one member", Gzip(WarcPage(1) + WarcPage(2) + WarcPage(3)), "1 2 3", ""},
		{"record over members", Gzip(WarcPage(1)[:100], WarcPage(1)[100:]+WarcPage(2)[:300], WarcPage(2)[300:]), "1 2", ""},
		{"zero padding", append(bytes.Clone(three), make([]byte, 1000)...), "1 2 3", ""},
		{"empty members", Gzip("", WarcPage(1), "", "", WarcPage(2), ""), "1 2", ""},
		{"LF only", []byte(strings.ReplaceAll(WarcRecord("response", "http://example.org/1", "HTTP/1.0 200\nContent-Type: text/html\n\n<p>x"), "\r\n", "\n")), "1", ""},
		{"garbage first", []byte("WARC-nonsense\n" + WarcPage(1)), "1", "bad-record=1"},
		{"garbage between", []byte(WarcPage(1) + "garbage\r\n\r\nmore\r\n" + WarcPage(2)), "1 2", "bad-record=1"},
		{"garbage last", []byte(WarcPage(1) + "garbage"), "1", "bad-record=1"},
		{"length too long", []byte(WarcPage(1) + long + WarcPage(3) + WarcPage(4)), "1 2 3 4", "bad-record=1"},
		{"length too long, gzip", Gzip(WarcPage(1), long, WarcPage(3)), "1 2 3", "truncated-record=1"},
		{"length huge", []byte(WarcPage(1) + huge + WarcPage(3) + WarcPage(4)), "1 2 3 4", "bad-record=1"},
		{"length too short", []byte(WarcPage(1) + short + WarcPage(3)), "1 3", "bad-record=1"},
		{"no length", []byte(WarcPage(1) + strings.Replace(WarcPage(2), "Content-Length", "Content-Breadth", 1) + WarcPage(3)), "1 3", "bad-record=1"},
		{"bad length", []byte(WarcPage(1) + strings.Replace(WarcPage(2), "Content-Length: ", "Content-Length: -", 1) + WarcPage(3)), "1 3", "bad-record=1"},
		{"cut in block", []byte(WarcPage(1) + WarcPage(2)[:300]), "1 2", "truncated-record=1"},
		{"cut in the head of the response", []byte(WarcPage(1) + WarcPage(2)[:len(WarcPage(2))-len("<html>page 2 </html>\r\n\r\n")-100]), "1", "truncated-record=1"},
		{"cut in an image", []byte(WarcPage(1) + strings.Replace(WarcPage(2), "text/html", "image/png", 1)[:300]), "1", "truncated-record=1"},
		{"cut in header", []byte(WarcPage(1) + WarcPage(2)[:50]), "1", "truncated-record=1"},
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
			checkDamage(t, "x.warc.gz", c.in, c.pages, c.damage)
		})
	}
}

// checkDamage compares the pages and the damage of an archive with the expected ones, and returns the pages.
func checkDamage(t *testing.T, name string, in []byte, wantPages, wantDamage string) []record.Page {
	t.Helper()
	pages, l, err := readAs(t, name, in, record.Options{})
	if got, damage := Ends(pages), DamageOf(l, err); got != wantPages || damage != wantDamage {
		t.Errorf("pages %q, damage %q; want %q, %q; %+v, %v", got, damage, wantPages, wantDamage, l.Tallies(), err)
	}
	return pages
}

// readAs reads an input under a name that shows its compression even if it is damaged from the start.
func readAs(t *testing.T, name string, in []byte, o record.Options) ([]record.Page, *crawl.Ledger, error) {
	t.Helper()
	src, err := crawl.NewSource(name, bytes.NewReader(in), o)
	if err != nil {
		return nil, &crawl.Ledger{}, err
	}
	defer src.Close()
	pages, l := Drain(t, src)
	return pages, l, nil
}

// TestWARCCutAnywhere cuts a crawl at every byte. The pages before the cut are kept, the start of a page that is cut is
// kept, and a cut that is not between two records is reported.
func TestWARCCutAnywhere(t *testing.T) {
	plain, packed := []byte(WarcPage(1)+WarcPage(2)), Gzip(WarcPage(1), WarcPage(2))
	for _, in := range [][]byte{plain, packed} {
		first := len(WarcPage(1))
		if in[0] == 0x1f {
			first = len(Gzip(WarcPage(1)))
		}
		for n := 20; n < len(in); n++ {
			pages, l, err := readAs(t, "x.warc.gz", in[:n], record.Options{})
			if err != nil || n >= first && len(pages) < 1 || n < first-4 && l.Damaged() != 1 {
				t.Fatalf("cut at %d of %d: pages %q, %+v, %v", n, len(in), Ends(pages), l.Tallies(), err)
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
	a, b := Gzip(WarcPage(1)), Gzip(WarcPage(2)+WarcPage(3))
	pages, _, err := ReadBytes(t, append(bytes.Clone(a), b...), record.Options{})
	if err != nil || len(pages) != 3 {
		t.Fatal(len(pages), err)
	}
	for i, want := range []record.Position{
		{File: "memory", Record: 1}, {File: "memory", Offset: int64(len(a)), Record: 2},
		{File: "memory", Offset: int64(len(a)), Inner: int64(len(WarcPage(2))), Record: 3},
	} {
		if pages[i].Pos != want {
			t.Errorf("page %d at %v, want %v", i, pages[i].Pos, want)
		}
	}
	if s := pages[2].Pos.String(); s != fmt.Sprintf("memory at byte %d+%d (record 3)", len(a), len(WarcPage(2))) {
		t.Error(s)
	}
}

func TestWARCLimits(t *testing.T) {
	big := WarcRecord("response", "http://example.org/2", Response("", "<html>"+strings.Repeat("ä", 3<<20)))
	o := record.Options{MaxPage: 1 << 20}
	for name, in := range map[string][]byte{"plain": []byte(WarcPage(1) + big + WarcPage(3)), "gzip": Gzip(WarcPage(1), big, WarcPage(3)), "one member": Gzip(WarcPage(1) + big + WarcPage(3))} {
		pages, l, err := ReadBytes(t, in, o)
		if err != nil || Ends(pages) != "1 2 3" || l.Damaged() != 0 || l.Count(record.ReasonPageTooBig) == 0 {
			t.Errorf("%s: %q %+v %v", name, Ends(pages), l.Tallies(), err)
		} else if n := len(pages[1].HTML); n > 1<<20 || n < 1<<20-4 {
			t.Errorf("%s: %d bytes kept", name, n)
		}
	}
	bomb := WarcRecord("response", "http://example.org/1", Response("Content-Encoding: gzip\r\n", string(Gzip(strings.Repeat("<", 64<<20)))))
	if pages, l, _ := ReadBytes(t, []byte(bomb), o); len(pages) != 1 || l.Count(record.ReasonPageTooBig) != 1 || cap(pages[0].HTML) > 2<<20 {
		t.Errorf("bomb: %d pages, %+v", len(pages), l.Tallies())
	}
	if pages, l, _ := ReadBytes(t, []byte(bomb), record.Options{}); len(pages) != 1 || l.Count(record.ReasonRatio) != 1 || len(pages[0].HTML) > 14<<20 {
		t.Errorf("bomb: %d pages, %+v", len(pages), l.Tallies())
	}
}

func FuzzWARC(f *testing.F) {
	for _, s := range []string{WarcPage(1) + WarcPage(2), "WARC/1.0\n\n", "WARC/1.0\r\nContent-Length: 5\r\n\r\nabcdeWARC/1.1\nContent-Length: 0\n\n"} {
		f.Add([]byte(s))
		f.Add(Gzip(s))
	}
	f.Add(Gzip(WarcPage(1), WarcPage(2)))
	f.Fuzz(func(t *testing.T, in []byte) {
		readAs(t, "x.warc", in, record.Options{MaxPage: 1 << 16})
	})
}
