package pipeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/query"
)

// contents returns the words that the bag of each document takes from its content.
func contents(t *testing.T, c config.Config, o pipeline.Options, inputs ...string) map[string]string {
	t.Helper()
	dir, _ := cluster(t, c, o, inputs...)
	q, err := query.Open(dir)
	must(t, err)
	defer q.Close()
	out := map[string]string{}
	for id := range uint32(q.Len()) {
		var words []string
		x := q.Explain(id, id)
		for _, term := range x.Terms {
			if term.AFrom.Content > 0 {
				words = append(words, term.Word)
			}
		}
		slices.Sort(words)
		if s, sum := x.FromA, q.Bag(id).Sum(); len(words) > 0 != (s.Content > 0) || s.Links+s.Title+s.Content != sum {
			t.Errorf("%s: %+v of %d", q.URL(id), s, sum)
		}
		if len(words) > 0 {
			out[strings.Clone(strings.TrimPrefix(q.URL(id), "https://"))] = strings.Clone(strings.Join(words, " "))
		}
	}
	return out
}

// everyWord is the preset web with all terms, so that a word of one page can be seen.
func everyWord(t *testing.T) config.Config {
	c := preset(t, "web")
	c.MinDF, c.Language = 1, "english"
	return c
}

// TestContentOfPages checks that the content of a bag comes from the page of the document and from no other.
func TestContentOfPages(t *testing.T) {
	warc := writeBytes(t, "x.warc", []byte(strings.Join([]string{
		warcResponse("https://old.example/", t1, "<title>first</title>superseded words"),
		warcResponse("https://old.example/", t2, "<title>second</title><h1>newest</h1> capture"),
		warcResponse("https://from.example/", t1, `<meta http-equiv=refresh content="0; url=https://to.example/">waiting`),
		warcResponse("https://to.example/", t1, "<title>target</title>arrival"),
		moved("https://moved.example/", t1, "301 Moved", "https://to.example/"),
		warcResponse("https://shown.example/", t1, "<title>shell</title>markup"),
		warcRecord("resource", "urn:text:https://shown.example/", "2020-01-01T00:00:09Z", "text/plain", "rendered"),
		warcRecord("resource", "urn:text:https://alone.example/", t1, "text/plain", "rendered alone"),
		warcResponse("https://gone.example/", t1, "<title>404 Not Found</title>page not found"),
	}, "")))
	lines := write(t, jsonl(t, page{URL: "https://text.example/", Title: "titled", Text: "plain paragraph"},
		page{URL: "https://none.example/", HTML: "<title>title alone</title>the and"},
		page{URL: "https://strange.example/", HTML: "qwx zzv qwx"})...)
	rows := writeBytes(t, "links.csv", []byte("source,target,anchor\nhttps://list.example/,https://text.example/,anchor\n"))
	want := map[string]string{
		"old.example": "capture newest", "from.example": "waiting", "to.example": "arrival", "shown.example": "markup",
		"alone.example": "alone rendered", "text.example": "paragraph plain", "strange.example": "qwx zzv",
	}
	c := everyWord(t)
	if d := cmp.Diff(want, contents(t, c, pipeline.Options{Workers: 1}, warc, lines, rows)); d != "" {
		t.Error(d)
	}
	c.Language = "auto"
	if d := cmp.Diff(want, contents(t, c, pipeline.Options{Workers: 3}, rows, lines, warc)); d != "" {
		t.Error("of unknown languages: " + d)
	}
	c.Content = 0
	if got := contents(t, c, pipeline.Options{}, warc, lines, rows); len(got) > 0 {
		t.Errorf("switched off: %v", got)
	}
	c.Bags = config.FromContent
	if got := contents(t, c, pipeline.Options{}, lines); got["text.example"] != "paragraph plain titled" {
		t.Errorf("bags of content: %v", got)
	}
}

// TestContentOfRepeatedPages checks that a short text of many URLs of a host is not the content of any of them.
func TestContentOfRepeatedPages(t *testing.T) {
	var pages []page
	for i := range 40 {
		pages = append(pages, page{URL: fmt.Sprintf("https://a.example/%d", i), HTML: "<title>Sorry</title>try again later"})
	}
	pages = append(pages, page{URL: "https://b.example/", HTML: "try another"})
	got := contents(t, everyWord(t), pipeline.Options{}, write(t, jsonl(t, pages...)...))
	if d := cmp.Diff(map[string]string{"b.example": "another try"}, got); d != "" {
		t.Error(d)
	}
}
