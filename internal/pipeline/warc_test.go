package pipeline_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/shingles"
)

// warcRecord returns a record. fields are further lines of its header.
func warcRecord(kind, url, time, mime, block string, fields ...string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\n%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, url, time, strings.Join(append(fields, ""), "\r\n"), mime, len(block), block)
}

func warcResponse(url, time, html string, fields ...string) string {
	return warcRecord("response", url, time, "application/http;msgtype=response", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+html, fields...)
}

func warcRevisit(url, time string, fields ...string) string {
	return warcRecord("revisit", url, time, "application/http;msgtype=response", "HTTP/1.1 304 Not Modified\r\n\r\n", fields...)
}

// TestWARCAsJSONL checks that pages yield the same tables as responses in a WARC, each in a gzip member, and as lines
// of JSON.
func TestWARCAsJSONL(t *testing.T) {
	lines, archive := samplePages(t, 15), []byte(nil)
	for i, line := range lines {
		var p page
		must(t, json.Unmarshal([]byte(line), &p))
		p.Time = t1
		lines[i] = jsonl(t, p)[0]
		http := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + p.HTML
		archive = append(archive, zipped(t, warcRecord("response", p.URL, t1, "application/http;msgtype=response", http))...)
	}
	c := preset(t, "web")
	dir, _ := cluster(t, c, pipeline.Options{}, write(t, lines...))
	same(t, "as WARC", sums(t, dir), c, pipeline.Options{Workers: 2}, writeBytes(t, "pages.warc.gz", archive))
}

const (
	t1, t2, t3, t4 = "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z", "2023-01-01T00:00:00Z"

	digestA = "WARC-Payload-Digest: sha1:AAAA"
)

// TestRevisits checks that a crawl with revisits yields the same tables as the crawl in which every capture has its
// content, wherever the originals are.
func TestRevisits(t *testing.T) {
	const a, b = `<title>red green blue</title><p>one two three four five six seven eight nine ten eleven twelve <a href="next">next page</a>`, "<title>red green</title>other words"
	original := []string{
		warcResponse("https://a.example/x/", t1, a, digestA),
		warcResponse("https://b.example/", t1, b), warcResponse("https://b.example/", t3, a+" newer"),
	}
	revisits := []string{
		warcRevisit("https://c.example/y/", t2, digestA),
		warcRevisit("https://b.example/", t4, "WARC-Refers-To-Target-URI: https://b.example/", "WARC-Refers-To-Date: "+t1),
		warcRevisit("https://a.example/x/", t4), // not modified since the last one
	}
	lost := warcRevisit("https://d.example/", t4, "WARC-Payload-Digest: sha1:BBBB")
	spelled := jsonl(t, page{URL: "https://a.example/x/", HTML: a, Time: t1}, page{URL: "https://b.example/", HTML: b, Time: t1},
		page{URL: "https://b.example/", HTML: a + " newer", Time: t3}, page{URL: "https://c.example/y/", HTML: a, Time: t2},
		page{URL: "https://b.example/", HTML: b, Time: t4}, page{URL: "https://a.example/x/", HTML: a, Time: t4})
	file := func(records ...string) string { return writeBytes(t, "x.warc", []byte(strings.Join(records, ""))) }
	for _, captures := range []config.Captures{config.CapturesNewest, config.CapturesAll} {
		c := preset(t, "web")
		c.Captures = captures
		if captures == config.CapturesAll {
			c.Views = []string{config.Syntactic} // which has all that differs
		}
		dir, _ := cluster(t, c, pipeline.Options{}, write(t, spelled...))
		want := sums(t, dir)
		if captures == config.CapturesAll {
			same(t, "deflated in WACZ", want, c, pipeline.Options{Workers: 2}, deflated(t, append(revisits, original...)))
			continue
		}
		same(t, "in two files", want, c, pipeline.Options{Workers: 4}, file(append(revisits, original[1:]...)...), file(original[0]))
		packed := writeBytes(t, "x.warc.gz", append(append(zipped(t, original[1:]...), zipped(t, revisits[0]+revisits[1], lost)...), zipped(t, revisits[2]+original[0])...))
		same(t, "gzip", want, c, pipeline.Options{Workers: 2}, packed)
	}
	late := preset(t, "web")
	late.From = "2023"
	dir, m := cluster(t, late, pipeline.Options{}, file(append(revisits, original...)...)) // the originals are older
	if pages := rows(t, dir); m.Counts["pages"] != 2 || pages["https://b.example"].NTokens != 2 {
		t.Errorf("%v, %+v", m.Counts, pages)
	}
	_, m = cluster(t, preset(t, "web"), pipeline.Options{}, file(append(original, append(revisits, lost)...)...))
	read, _ := m.Stage("read")
	if read.Dropped["warc-revisit"] != 1 || read.Counts["revisits"] != 3 || read.In != 7 {
		t.Errorf("%+v", read)
	}
}

// deflated makes a WACZ in which the zip, instead of gzip, compresses the archive.
func deflated(t *testing.T, records []string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("archive/a.warc")
	must(t, err)
	_, err = w.Write([]byte(strings.Join(records, "")))
	must(t, errors.Join(err, z.Close()))
	return writeBytes(t, "x.wacz", b.Bytes())
}

// TestRendered checks that text rendered by a browser replaces the text of the HTML, whose links count. Without HTML
// it is a page by itself.
func TestRendered(t *testing.T) {
	const html, shown = `<title>shell</title><a href="/to">a link</a> enable scripts`, "what the browser shows when scripts have run for a while on this page"
	text := func(urn, time, text string) string { return warcRecord("resource", urn, time, "text/plain", text) }
	in := []string{
		text("urn:text:https://a.example/", "2020-01-01T00:00:09Z", "what it shows first"), warcResponse("https://a.example/", t1, html),
		text("urn:textFinal:https://a.example/", "2020-01-01T00:01:00Z", shown),
		warcResponse("https://b.example/", t4, html), text("urn:text:https://b.example/", t1, "text of another time, long ago"),
		text("urn:text:https://c.example/", t1, "older"), text("urn:text:https://c.example/", t2, shown),
	}
	path := writeBytes(t, "x.warc", []byte(strings.Join(in, "")))
	dir, m := cluster(t, preset(t, "web"), pipeline.Options{Workers: 1}, path)
	if s, _ := m.Stage("shingle"); s.Counts["rendered_texts"] != 1 || m.Counts["documents"] != 5 {
		t.Errorf("%+v, %v", s, m.Counts)
	}
	q, err := runs.Open(dir)
	must(t, err)
	defer q.Close()
	for url, want := range map[string]string{"https://a.example/": shown, "https://b.example/": "a link enable scripts", "https://c.example/": shown} {
		if d := cmp.Diff(shingled(t, q, want), of(t, q, url)); d != "" {
			t.Errorf("%s: %s", url, d)
		}
	}
	in[0], in[3], in[6] = in[6], in[0], in[3]
	same(t, "another order", sums(t, dir), preset(t, "web"), pipeline.Options{Workers: 4}, writeBytes(t, "y.warc", []byte(strings.Join(in, ""))))
	c := preset(t, "web")
	c.Captures = "all"
	_, m = cluster(t, c, pipeline.Options{}, path)
	if s, _ := m.Stage("read"); s.Dropped["rendered-text"] != 5 || m.Counts["pages"] != 2 {
		t.Errorf("%+v, %v", s, m.Counts)
	}
}

// A crawl of pages that scripts fill gives the same answers as one of pages that hold the same words themselves.
func TestRenderedIsText(t *testing.T) {
	wanted := []string{
		"Grafting apple trees in early spring needs a sharp knife, waxed string and the young scions that were cut in winter.",
		"The apple scions that were cut in winter are grafted in early spring; wax the string and keep the knife sharp.",
		"We use cookies: accept all cookies or manage your choice.",
		"Der Leuchtturmwärter schreibt jeden Abend in das Logbuch, wie der Wind weht und welche Schiffe er gesehen hat.",
	}
	var shells, pages []string
	for i, words := range wanted {
		url := fmt.Sprintf("https://a.example/%d", i)
		shells = append(shells, warcRecord("resource", "urn:text:"+url, t2, "text/plain", words),
			warcResponse(url, t2, "<title>App</title><div id=root></div><script src=/m.js></script>"))
		pages = append(pages, warcResponse(url, t2, "<title>App</title><p>"+words+"</p>"))
	}
	var all [2]string
	for i, records := range [][]string{shells, pages} {
		dir, _ := cluster(t, preset(t, "web"), pipeline.Options{}, writeBytes(t, "x.warc", []byte(strings.Join(records, ""))))
		q, err := runs.Open(dir)
		must(t, err)
		defer q.Close()
		for id := range uint32(q.Len()) {
			d := q.Document(id)
			if d.Rendered != (i == 0) {
				t.Errorf("%s: rendered is %v", d.URL, d.Rendered)
			}
			d.Digest, d.Rendered = 0, false
			all[i] += fmt.Sprintf("%+v %v %v\n", d, topics.Bag(q, id), of(t, q, d.URL))
		}
		must(t, texts.MainTexts(t.Context(), q, func(m *texts.MainText) error {
			all[i] += fmt.Sprintf("%+v\n", *m)
			return nil
		}))
	}
	if d := cmp.Diff(strings.Split(all[1], "\n"), strings.Split(all[0], "\n")); d != "" {
		t.Error(d)
	}
}

func shingled(t *testing.T, q *runs.Run, text string) []uint64 {
	s, err := texts.Shingler(q)
	must(t, err)
	set := shingles.NewSet()
	s.Sketch(set, []byte(text))
	return set.Values()
}

func of(t *testing.T, q *runs.Run, url string) []uint64 {
	id, err := q.Lookup(url)
	must(t, err)
	page, err := q.PageOf(id)
	must(t, err)
	return q.Pages.Values(page)
}
