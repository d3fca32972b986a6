package pipeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
)

// contents returns the words of the content of each document in its bag.
func contents(t *testing.T, c config.Config, o pipeline.Options, inputs ...string) map[string]string {
	t.Helper()
	dir, _ := cluster(t, c, o, inputs...)
	q, err := runs.Open(dir)
	must(t, err)
	defer q.Close()
	out := map[string]string{}
	for id := range uint32(q.Len()) {
		var words []string
		x := topics.Explain(q, id, id)
		for _, term := range x.Terms {
			if term.Field == topics.ByContent {
				words = append(words, term.Word)
			}
		}
		slices.Sort(words)
		of := []int{0, c.Sum}
		if links, content := x.Links.A, x.Content.A; content != of[min(1, len(words))] || !slices.Contains(of, links) || links+content != topics.Bag(q, id).Sum() {
			t.Errorf("%s: %d and %d of %d", q.URL(id), links, content, topics.Bag(q, id).Sum())
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

// TestContentOfPages checks that the content of a bag comes from the title and text of the document's page and from no
// other page.
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
		page{URL: "https://none.example/", HTML: "<title>heading alone</title>the and"},
		page{URL: "https://strange.example/", HTML: "qwx zzv qwx"})...)
	rows := writeBytes(t, "links.csv", []byte("source,target,anchor\nhttps://list.example/,https://text.example/,anchor\n"))
	want := map[string]string{
		"old.example": "capture newest second", "from.example": "waiting", "to.example": "arrival target", "shown.example": "rendered shell",
		"alone.example": "alone rendered", "text.example": "paragraph plain titled", "strange.example": "qwx zzv",
		"none.example": "alone heading", "gone.example": "404 found", // titles alone
	}
	c := everyWord(t)
	if d := cmp.Diff(want, contents(t, c, pipeline.Options{Workers: 1}, warc, lines, rows)); d != "" {
		t.Error(d)
	}
	c.Language, want["gone.example"] = "auto", "404 found not" // too short to be known as English
	if d := cmp.Diff(want, contents(t, c, pipeline.Options{Workers: 3}, rows, lines, warc)); d != "" {
		t.Error("of unknown languages: " + d)
	}
	c.Bags = config.FromLinks
	if got := contents(t, c, pipeline.Options{}, warc, lines, rows); len(got) > 0 {
		t.Errorf("bags of links: %v", got)
	}
	c.Bags = config.FromContent
	if got := contents(t, c, pipeline.Options{}, lines); got["text.example"] != "paragraph plain titled" {
		t.Errorf("bags of content: %v", got)
	}
}

// TestContentOfRepeatedPages checks that a short text of many URLs of a host is not in the bag of any of them, only its
// title.
func TestContentOfRepeatedPages(t *testing.T) {
	var pages []page
	want := map[string]string{"b.example": "another try"}
	for i := range 40 {
		url := fmt.Sprintf("a.example/%d", i)
		pages, want[url] = append(pages, page{URL: "https://" + url, HTML: "<title>Sorry</title>try again later"}), "sorry"
	}
	pages = append(pages, page{URL: "https://b.example/", HTML: "try another"})
	got := contents(t, everyWord(t), pipeline.Options{}, write(t, jsonl(t, pages...)...))
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
