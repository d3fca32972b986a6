package crawl

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

func TestRendered(t *testing.T) {
	in := strings.ReplaceAll(warcRecord("resource", "urn:text:http://example.org/1", "what it shows")+
		warcRecord("resource", "urn:textFinal:http://example.org/2", "what it shows in the end")+
		warcRecord("resource", "urn:textFinal:mailto:x", "no page")+
		warcRecord("resource", "urn:text:http://example.org/3", " \n"), "application/http; msgtype=response", "text/plain") +
		warcRecord("resource", "urn:pageinfo:http://example.org/1", "{}")
	pages, l, err := readBytes(t, []byte(in), Options{})
	if err != nil || urls(pages) != "1 2" || tallied(l, false) != "empty-page=1 not-html=1 not-http-url=1" {
		t.Fatal(urls(pages), tallied(l, false), err)
	}
	if pages[0].Rendered != RenderedLoaded || pages[1].Rendered != RenderedFinal || string(pages[0].Text) != "what it shows" || pages[0].URL != "http://example.org/1" {
		t.Errorf("%+v", pages)
	}
}

func TestTruncated(t *testing.T) {
	in := strings.Replace(warcPage(1), "WARC-Type", "WARC-Truncated: length\r\nWARC-Type", 1)
	pages, l, err := readBytes(t, []byte(in+warcPage(2)), Options{})
	if err != nil || urls(pages) != "1 2" || l.Count(ReasonTruncated) != 1 || len(pages[0].Warnings) != 1 || l.Damaged() != 0 {
		t.Error(urls(pages), l.Tallies(), err)
	}
}

func TestOneMember(t *testing.T) {
	for _, c := range []struct {
		in   []byte
		want int64
	}{
		{gz(warcPage(1) + warcPage(2)), 1}, {gz(warcPage(1), warcPage(2)), 0}, {gz(warcPage(1)), 0}, {[]byte(warcPage(1) + warcPage(2)), 0},
		{gz(warcPage(1)+warcPage(2), warcPage(3)), 0}, {zst(nil, warcPage(1)+warcPage(2)), 1}, {zst(nil, warcPage(1), warcPage(2)), 0},
	} {
		if _, l, err := readBytes(t, c.in, Options{}); err != nil || l.Count(ReasonOneMember) != c.want || l.Damaged() != 0 {
			t.Errorf("%d bytes: %v, %v; want %d", len(c.in), l.Tallies(), err, c.want)
		}
	}
}

// zst writes frames, each after a skippable one of a few bytes.
func zst(dict []byte, parts ...string) []byte {
	opts := []zstd.EOption{zstd.WithEncoderCRC(true), zstd.WithZeroFrames(true)}
	if dict != nil {
		opts = append(opts, zstd.WithEncoderDict(dict))
	}
	w, err := zstd.NewWriter(nil, opts...)
	if err != nil {
		panic(err)
	}
	var out []byte
	for _, p := range parts {
		out = append(w.EncodeAll([]byte(p), out), skippable(0x184d2a50, []byte("abc"))...)
	}
	return out
}

func skippable(magic uint32, b []byte) []byte {
	out := binary.LittleEndian.AppendUint32(nil, magic)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(b))), b...)
}

func testDict(t *testing.T) []byte {
	var samples [][]byte
	for i := range 200 {
		samples = append(samples, fmt.Appendf(nil, "%s %d", warcPage(i%7), i*i))
	}
	dict, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 77, Contents: samples, History: []byte(warcPage(3)), Offsets: [3]int{1, 4, 8}})
	if err != nil {
		t.Fatal(err)
	}
	return dict
}

func TestZstdMembers(t *testing.T) {
	dict := testDict(t)
	packed := zst(nil, string(dict))
	frames := zst(nil, warcPage(1), warcPage(2), warcPage(3))
	n := len(zst(nil, warcPage(1)))
	large := strings.Replace(warcPage(2), "xx", strings.Repeat("the quick brown fox <b>", 100_000), 1)
	large = strings.Replace(large, "Content-Length: ", fmt.Sprintf("Content-Length: %d\r\nX: ", strings.Index(large, "</html>")+7-strings.Index(large, "HTTP/1.1")), 1)
	flip := func(b []byte, i int) []byte { b = bytes.Clone(b); b[i] ^= 0x55; return b }
	cat := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, c := range []struct {
		name          string
		in            []byte
		pages, damage string
	}{
		{"frames", frames, "1 2 3", ""},
		{"one frame", zst(nil, warcPage(1)+warcPage(2)), "1 2", ""},
		{"record over frames", zst(nil, warcPage(1)[:100], warcPage(1)[100:]+warcPage(2)), "1 2", ""},
		{"large", zst(nil, warcPage(1), large, warcPage(3)), "1 2 3", ""},
		{"dictionary", cat(skippable(zstdDictFrame, dict), zst(dict, warcPage(1), warcPage(2))), "1 2", ""},
		{"compressed dictionary", cat(skippable(zstdDictFrame, packed[:len(packed)-11]), zst(dict, warcPage(1), warcPage(2))), "1 2", ""},
		{"damage, dictionary", flip(cat(skippable(zstdDictFrame, dict), zst(dict, warcPage(1), warcPage(2), warcPage(3))), 8+len(dict)+len(zst(dict, warcPage(1)))+20), "1 3", "bad-zstd=1"},
		{"no dictionary", zst(dict, warcPage(1), warcPage(2)), "", "bad-zstd=1"},
		{"nonsense for a dictionary", cat(skippable(zstdDictFrame, []byte("nonsense")), frames), "1 2 3", "bad-zstd=1"},
		{"large dictionary", cat(skippable(zstdDictFrame, make([]byte, maxDictionary+1)), frames), "1 2 3", "bad-zstd=1"},
		{"middle broken", flip(frames, n+60), "1 3", "bad-zstd=1"},
		{"middle magic broken", flip(frames, n), "1 3", "bad-zstd=1"},
		{"first magic broken", flip(frames, 0), "2 3", "bad-zstd=1"},
		{"cut", frames[:len(frames)-30], "1 2", "bad-zstd=1"},
		{"cut in a skippable frame", frames[:len(frames)-2], "1 2 3", "bad-zstd=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src, err := NewSource("x.warc.zst", bytes.NewReader(c.in), Options{})
			var pages []Page
			l := &Ledger{}
			if err == nil {
				pages, l = drain(t, src)
				src.Close()
			}
			if urls(pages) != c.pages || damageOf(l, err) != c.damage {
				t.Errorf("pages %q, damage %q; want %q, %q; %+v", urls(pages), damageOf(l, err), c.pages, c.damage, l.Tallies())
			}
		})
	}
}

func revisitOf(url, fields string) string {
	r := warcRecord("revisit", url, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
	return strings.Replace(r, "WARC-Date: ", fields+"WARC-Date: ", 1)
}

// TestFetcher reads every record again by its position, in this order and the other.
func TestFetcher(t *testing.T) {
	rev := revisitOf("http://example.org/r", "WARC-Payload-Digest: sha1:AA\r\nWARC-Refers-To-Target-URI: <http://www.example.org/1>\r\nWARC-Refers-To-Date: 2019-01-02T03:04:05Z\r\n")
	dict := testDict(t)
	for name, in := range map[string][]byte{
		"plain.warc": []byte(warcPage(1) + rev + warcPage(2)), "a.warc.gz": gz(warcPage(1), rev, warcPage(2)+warcPage(3)), "one.warc.gz": gz(warcPage(1) + rev + warcPage(2)),
		"a.warc.zst": append(skippable(zstdDictFrame, dict), zst(dict, warcPage(1), rev, warcPage(2))...), "a.arc.gz": gz(arcHead, arcPage(1), arcPage(2)),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, in, 0o666); err != nil {
				t.Fatal(err)
			}
			records := recordsOf(t, path)
			if len(records) < 2 {
				t.Fatal(len(records))
			}
			f := Fetcher{}
			defer f.Close()
			for i := range 2 * len(records) {
				want := records[min(i, 2*len(records)-1-i)]
				got, err := f.Record(want.Pos)
				if err != nil || got.url != want.url || !bytes.Equal(got.data, want.data) || got.Pos != want.Pos {
					t.Fatalf("%v: %v, %v", want.Pos, got, err)
				}
			}
			if _, err := f.Record(Position{File: path, Offset: 5}); err == nil {
				t.Error("a record where none begins")
			}
			if v, ok := records[1].Revisit(); strings.Contains(name, "warc") != ok {
				t.Error(ok)
			} else if want := (Revisit{"http://example.org/r", "https://example.org/r", time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), "sha1:AA", "https://example.org/1",
				time.Date(2019, 1, 2, 3, 4, 5, 0, time.UTC)}); ok && v != want {
				t.Errorf("%+v, want %+v", v, want)
			}
		})
	}
}

func recordsOf(t *testing.T, path string) (out []*Record) {
	src, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		if err == nil {
			out = append(out, rec)
		}
	}
	return out
}
