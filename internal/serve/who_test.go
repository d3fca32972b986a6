package serve

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/runs"
)

// TestWho asks who has a text that was posted, and who has that of a page, and compares the answers with those of
// package texts.
func TestWho(t *testing.T) {
	c := start(t, Options{})
	r, err := runs.Open(sampleRun(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	a := c.do(http.MethodPost, "/v1/query?by=host&passages=1", strings.NewReader("<p>"+hostileText+hostileText), "Content-Type: text/html")
	got := into[ask.QueryAnswer](t, a)
	if a.StatusCode != http.StatusOK || got.Hosts != 1 || got.Total+got.Copies != 3 || len(got.Items) != got.Total || got.Certainty.Shingles == 0 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	for _, p := range got.Items {
		if p.Host != "evil.example" || len(p.Passages) != 1 || !strings.Contains(p.Passages[0].Text, "search tree is hostile") || p.Passages[0].Words < 10 {
			t.Errorf("%+v", p)
		}
	}
	id := mustLookup(t, r, gin)
	want, err := texts.WhoHas(r, id, nil, texts.WhoOptions{By: "host", Words: 1, Limit: 2, Pages: 3})
	if err != nil {
		t.Fatal(err)
	}
	who := into[ask.QueryAnswer](t, c.get(200, "/v1/query", "url", gin, "by", "host", "min", "0", "words", "1", "limit", "2", "pages", "3"))
	if who.Hosts != want.Hosts || who.Total != want.Texts || len(who.Items) == 0 || who.Items[0].URL != want.Items[0].URL || len(who.Items[0].Passages) != 0 {
		t.Errorf("%+v, want %+v", who, want)
	}
	if lines := c.getAs("text/csv", 200, "/v1/query", "url", gin, "min", "0"); !strings.HasPrefix(string(lines.body), "of,host,url,name,seen_url,relation,") {
		t.Errorf("%s", lines.body)
	}
	c.get(404, "/v1/query", "url", "nowhere.example")
	c.get(400, "/v1/query")
	for _, words := range []string{"!!!", " "} {
		if a := c.do(http.MethodPost, "/v1/query", strings.NewReader(words), "Content-Type: text/plain"); a.StatusCode != http.StatusOK || len(into[ask.QueryAnswer](t, a).Items) != 0 {
			t.Errorf("%q: %d %s", words, a.StatusCode, a.body)
		}
	}
	if a := c.do(http.MethodPut, "/v1/query", strings.NewReader("x")); a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("%d, Allow: %s", a.StatusCode, a.Header.Get("Allow"))
	}
}

// TestFold folds a posted list.
func TestFold(t *testing.T) {
	c := start(t, Options{})
	const list = gin + "\n\n  postgresql.org/docs/15/gin.html\nhttps://evil.example/linking\r\nnowhere.example\n" + hidden + "\n\xff\x00\n"
	for _, keep := range []string{"rank", "date", "links"} {
		a := c.do(http.MethodPost, "/v1/fold?keep="+keep, strings.NewReader(list), "Content-Type: text/plain")
		got := into[ask.FoldAnswer](t, a)
		if a.StatusCode != http.StatusOK || len(got.Items) != 6 || got.Stay == 6 || got.Items[0].URL != gin {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
		if second := got.Items[1]; second.Under != gin || second.Relation != "same" || second.Rank != 2 || second.Resemblance != 1 {
			t.Errorf("%+v", second)
		}
		at := slices.IndexFunc(got.Items, func(u texts.Folded) bool { return u.Rank == 4 })
		if u := got.Items[at]; u.Known != "nothing" || u.Under != "" || u.URL != "nowhere.example" {
			t.Errorf("%+v", u)
		}
	}
	for body, status := range map[string]int{strings.Repeat("a.example\n", 10_000): 200, strings.Repeat("a.example\n", 10_001): 400, "\n": 200, "": 400} {
		if a := c.do(http.MethodPost, "/v1/fold", strings.NewReader(body), "Content-Type: text/plain"); a.StatusCode != status {
			t.Errorf("%d bytes: %d, want %d: %.200s", len(body), a.StatusCode, status, a.body)
		}
	}
}

// TestFind looks for pages that are there, that are only linked to, and that nobody knows.
func TestFind(t *testing.T) {
	c := start(t, Options{})
	got := into[ask.MovedAnswer](t, c.get(200, "/v1/moved", "url", gin))
	if len(got.Items) != 1 || got.Items[0].How != "there" || got.Items[0].URL != gin || got.Seen[0].Known != "page" {
		t.Errorf("%+v", got)
	}
	r, err := runs.Open(sampleRun(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	linked := 0
	for id := range uint32(r.Len()) {
		d := r.Document(id)
		if d.Crawled || d.InLinks < 2 || linked == 5 || !strings.Contains(d.URL, "postgresql.org") {
			continue
		}
		linked++
		got := into[ask.MovedAnswer](t, c.get(200, "/v1/moved", "url", d.URL, "limit", "2"))
		if got.Seen[0].Known != "links" || len(got.Items) == 0 || got.Items[0].How != "links" || got.Items[0].Score == 0 || len(got.Items) > 4 {
			t.Errorf("%+v", got)
		}
	}
	if linked == 0 {
		t.Error("the run knows no page from links only")
	}
	got = into[ask.MovedAnswer](t, c.get(200, "/v1/moved", "url", "postgresql.org/docs/15/gin-no-such-page.html"))
	if got.Seen[0].Known != "nothing" || len(got.Items) != 3 || got.Items[0].How != "url" || !strings.Contains(got.Items[0].URL, "/gin-") {
		t.Errorf("%+v", got)
	}
	c.get(404, "/v1/moved", "url", "ht tp://%%")
	c.get(400, "/v1/moved")
}
