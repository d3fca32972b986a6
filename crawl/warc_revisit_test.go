package crawl_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/record"
)

func TestRendered(t *testing.T) {
	in := strings.ReplaceAll(WarcRecord("resource", "urn:text:http://example.org/1", "what it shows")+
		WarcRecord("resource", "urn:textFinal:http://example.org/2", "what it shows in the end")+
		WarcRecord("resource", "urn:textFinal:mailto:x", "no page")+
		WarcRecord("resource", "urn:text:http://example.org/3", " \n"), "application/http; msgtype=response", "text/plain") +
		WarcRecord("resource", "urn:pageinfo:http://example.org/1", "{}")
	pages, l, err := ReadBytes(t, []byte(in), record.Options{})
	if err != nil || Ends(pages) != "1 2" || Tallied(l, false) != "empty-page=1 not-html=1 not-http-url=1" {
		t.Fatal(Ends(pages), Tallied(l, false), err)
	}
	if pages[0].Rendered != record.RenderedLoaded || pages[1].Rendered != record.RenderedFinal || string(pages[0].Text) != "what it shows" || pages[0].URL != "http://example.org/1" {
		t.Errorf("%+v", pages)
	}
}

func TestTruncated(t *testing.T) {
	in := strings.Replace(WarcPage(1), "WARC-Type", "WARC-Truncated: length\r\nWARC-Type", 1)
	pages, l, err := ReadBytes(t, []byte(in+WarcPage(2)), record.Options{})
	if err != nil || Ends(pages) != "1 2" || l.Count(record.ReasonTruncated) != 1 || len(pages[0].Warnings) != 1 || l.Damaged() != 0 {
		t.Error(Ends(pages), l.Tallies(), err)
	}
}

func TestOneMember(t *testing.T) {
	for _, c := range []struct {
		in   []byte
		want int64
	}{
		{Gzip(WarcPage(1) + WarcPage(2)), 1}, {Gzip(WarcPage(1), WarcPage(2)), 0}, {Gzip(WarcPage(1)), 0}, {[]byte(WarcPage(1) + WarcPage(2)), 0},
		{Gzip(WarcPage(1)+WarcPage(2), WarcPage(3)), 0}, {Zstd(nil, WarcPage(1)+WarcPage(2)), 1}, {Zstd(nil, WarcPage(1), WarcPage(2)), 0},
	} {
		if _, l, err := ReadBytes(t, c.in, record.Options{}); err != nil || l.Count(record.ReasonOneMember) != c.want || l.Damaged() != 0 {
			t.Errorf("%d bytes: %v, %v; want %d", len(c.in), l.Tallies(), err, c.want)
		}
	}
}

func TestZstdMembers(t *testing.T) {
	dict := Dictionary(t)
	packed := Zstd(nil, string(dict))
	frames := Zstd(nil, WarcPage(1), WarcPage(2), WarcPage(3))
	n := len(Zstd(nil, WarcPage(1)))
	large := strings.Replace(WarcPage(2), "xx", strings.Repeat("the quick brown fox <b>", 100_000), 1)
	large = strings.Replace(large, "Content-Length: ", fmt.Sprintf("Content-Length: %d\r\nX: ", strings.Index(large, "</html>")+7-strings.Index(large, "HTTP/1.1")), 1)
	flip := func(b []byte, i int) []byte { b = bytes.Clone(b); b[i] ^= 0x55; return b }
	cat := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, c := range []struct {
		name          string
		in            []byte
		pages, damage string
	}{
		{"frames", frames, "1 2 3", ""},
		{"one frame", Zstd(nil, WarcPage(1)+WarcPage(2)), "1 2", ""},
		{"record over frames", Zstd(nil, WarcPage(1)[:100], WarcPage(1)[100:]+WarcPage(2)), "1 2", ""},
		{"large", Zstd(nil, WarcPage(1), large, WarcPage(3)), "1 2 3", ""},
		{"dictionary", cat(Skippable(0x184d2a5d, dict), Zstd(dict, WarcPage(1), WarcPage(2))), "1 2", ""},
		{"compressed dictionary", cat(Skippable(0x184d2a5d, packed[:len(packed)-11]), Zstd(dict, WarcPage(1), WarcPage(2))), "1 2", ""},
		{"damage, dictionary", flip(cat(Skippable(0x184d2a5d, dict), Zstd(dict, WarcPage(1), WarcPage(2), WarcPage(3))), 8+len(dict)+len(Zstd(dict, WarcPage(1)))+20), "1 3", "bad-zstd=1"},
		{"no dictionary", Zstd(dict, WarcPage(1), WarcPage(2)), "", "unsupported-format=1"},
		{"nonsense for a dictionary", cat(Skippable(0x184d2a5d, []byte("nonsense")), frames), "1 2 3", "bad-zstd=1"},
		{"large dictionary", cat(Skippable(0x184d2a5d, make([]byte, (8<<20)+1)), frames), "1 2 3", "bad-zstd=1"},
		{"middle broken", flip(frames, n+60), "1 3", "bad-zstd=1"},
		{"middle magic broken", flip(frames, n), "1 3", "bad-zstd=1"},
		{"first magic broken", flip(frames, 0), "2 3", "bad-zstd=1"},
		{"cut", frames[:len(frames)-30], "1 2", "bad-zstd=1"},
		{"cut in a skippable frame", frames[:len(frames)-2], "1 2 3", "bad-zstd=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkDamage(t, "x.warc.zst", c.in, c.pages, c.damage)
		})
	}
}
