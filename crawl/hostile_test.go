package crawl_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/text"
)

// TestHostile checks that input made to exhaust resources takes little memory and is counted.
func TestHostile(t *testing.T) {
	const size = 1 << 30
	const okay = `{"url":"https://a.example/ok","html":"<p>fine"}` + "\n"
	page := func(body string) io.Reader {
		return strings.NewReader(fmt.Sprintf(`{"url":"https://a.example/","html":%q}`, body) + "\n" + okay)
	}
	for _, c := range []struct {
		name  string
		in    io.Reader
		o     record.Options
		pages int
		left  string
	}{
		{"a file of <", endless("<html>", '<', size), record.Options{}, 1, "page-too-big=1"},
		{"a gzip file of one line", bytes.NewReader(append(bomb(t, `{"url":"https://a.example/","html":"`, 'x', size/4), Gzip("\n", okay)...)), record.Options{MaxLine: 8 << 20}, 1, "line-too-long=1"},
		{"a gzip body", strings.NewReader(WarcRecord("response", "http://example.org/1", Response("Content-Encoding: gzip\r\n", string(bomb(t, "<html>", 'x', 256<<20)))) + WarcPage(2)), record.Options{}, 2, "page-too-big=1"},
		{"a WARC header without end", endless("WARC/1.0\r\nX: ", 'x', size/4), record.Options{}, 0, "bad-record=1"},
		{"a WARC record of a length that lies", strings.NewReader("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 9223372036854775807\r\n\r\nx\r\n\r\n" + WarcPage(2)), record.Options{}, 1, "bad-record=1"},
		{"a URL of 10 MB", strings.NewReader(`{"url":"https://a.example/` + strings.Repeat("x", 10<<20) + `","html":"<p>"}` + "\n" + okay), record.Options{}, 1, "url-too-long=1"},
		{"JSON 100,000 deep", strings.NewReader(`{"url":"https://a.example/","x":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `,"html":"<p>"}` + "\n" + okay), record.Options{}, 1, "bad-json=1"},
		{"an array of objects that never ends", io.MultiReader(strings.NewReader("["+okay+","), endless(`{"url":"`, 'x', size/4)), record.Options{MaxLine: 8 << 20}, 1, "line-too-long=1"},
		{"a HAR of one line", io.MultiReader(strings.NewReader(`{"log":{"entries":[`), strings.NewReader(strings.Repeat(`{"request":{"url":"https://a.example/"},"response":{"status":200,"content":{"mimeType":"text/html","text":"<p>x"}}},`, 100_000)), endless(`{"request":"`, 'x', size/4)), record.Options{MaxLine: 1 << 20}, 100_000, "line-too-long=1"},
		{"brackets without end", endless("[", '[', size/4), record.Options{}, 0, "bad-json=1"},
		{"objects in objects", strings.NewReader(strings.Repeat(`{"a":`, 1_000_000)), record.Options{}, 0, "bad-json=1"},
		{"lines that open arrays", strings.NewReader(okay + strings.Repeat(`{"a":[`+"\n", 100_000)), record.Options{}, 1, "bad-json=340"},
		{"lines that are cut off", strings.NewReader(okay + strings.Repeat(`{"a":`+"\n", 100_000)), record.Options{}, 1, "bad-json=170"},
		{"a million attributes", page("<p " + strings.Repeat("a=b ", 1_000_000) + ">"), record.Options{}, 2, ""},
		{"tags in tags", page(strings.Repeat("<b>", 3_000_000)), record.Options{}, 2, ""},
		{"a row without end", endless("source,target\nhttps://a.example/,\"", 'x', size/4), record.Options{MaxLine: 8 << 20}, 0, "line-too-long=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			memory := newWatermark()
			src, err := crawl.NewSource("hostile", c.in, c.o)
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			v, err := text.NewVocabulary(text.Analysis{Language: "english", Stop: "none"})
			if err != nil {
				t.Fatal(err)
			}
			parser := text.Parser{Vocabulary: v}
			pages, l := Drain(t, src)
			for _, p := range pages {
				parser.HTML(p.HTML)
			}
			if len(pages) != c.pages || LeftOut(l) != c.left {
				t.Errorf("%d pages, %q left out; want %d, %q", len(pages), LeftOut(l), c.pages, c.left)
			}
			if most := memory.end(); most > 512<<20 {
				t.Errorf("%d MiB", most>>20)
			} else {
				t.Logf("heap %d MiB", most>>20)
			}
		})
	}
}

// endless returns a reader of prefix and n bytes c that does not hold them in memory.
func endless(prefix string, c byte, n int64) io.Reader {
	return io.MultiReader(strings.NewReader(prefix), io.LimitReader(same(c), n))
}

type same byte

func (s same) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(s)
	}
	return len(p), nil
}

// bomb returns prefix and n bytes c, compressed.
func bomb(t *testing.T, prefix string, c byte, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, endless(prefix, c, n)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
