package serve

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
)

// TestDocumentPage checks that the page of a document keeps apart what links say and what the page says, compares their
// words, and shows who links to a page that was not crawled.
func TestDocumentPage(t *testing.T) {
	c := start(t, Options{})
	r, err := runs.Open(sampleRun(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	has := func(page, what string, want bool) {
		t.Helper()
		if strings.Contains(page, what) != want {
			t.Errorf("%q is there: %v\n%s", what, !want, page)
		}
	}
	const linked = "https://postgresql.org/docs/15/gin-intro.html"
	page := c.looked(200, "/page", "url", linked)
	web, text := column(t, page, "web"), column(t, page, "text")
	p := into[ask.PageAnswer](t, c.get(200, "/v1/page", "url", linked))
	if len(p.Document.Opening) < 60 || len(p.Hosts) != 1 || p.Hosts[0].Pages != int(p.Document.InLinks) {
		t.Errorf("%+v", p)
	}
	opening := p.Document.Opening[:40]
	has(text, opening, true)
	has(web, opening, false)
	if p := into[ask.PageAnswer](t, c.get(200, "/v1/page", "url", hidden)); p.Document.Opening != "" || !p.Document.Crawled {
		t.Errorf("the opening of a page that asks not to be quoted: %q", p.Document.Opening)
	}
	has(web, "Related pages", true)
	for only, relation := range map[string]ask.Related{"elsewhere": {Elsewhere: true}, "apart": {Apart: true}, "links": {By: topics.ByLinks}, "content": {By: topics.ByContent}} {
		has(web, "only="+only, true)
		relation.URL, relation.Limit = linked, 1
		a, err := relation.Ask(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		listed := column(t, c.looked(200, "/page", "url", linked, "only", only), "web")
		has(listed, `aria-current="true"`, true)
		for _, n := range a.Items {
			has(listed, n.URL, true)
		}
	}
	words := regexp.MustCompile(`(?s)<section class="column words-of-both".*?</section>`).FindString(page)
	groups := strings.Split(words, `<tr class="group">`)
	if len(groups) != 4 {
		t.Fatalf("%d groups of words: %s", len(groups)-1, words)
	}
	shown := map[int]bool{}
	for _, w := range p.Bag {
		if strings.Trim(w.Word, "0123456789") == "" { // it says little about a page
			has(words, "<bdi>"+w.Word+"</bdi>", false)
			continue
		}
		group := 2
		if w.Content == 0 {
			group = 1
		} else if w.Links == 0 {
			group = 3
		}
		if !shown[group] { // the heaviest of its group
			has(groups[group], "<bdi>"+w.Word+"</bdi>", true)
		}
		shown[group] = true
	}

	most := uint32(0)
	for id := range uint32(r.Len()) {
		if r.Document(id).InLinks > r.Document(most).InLinks {
			most = id
		}
	}
	_, listed, _ := strings.Cut(c.looked(200, "/page", "url", r.URL(most)), `<details><summary>`+strconv.Itoa(int(r.Document(most).InLinks))+" pages link to it")
	for _, hash := range r.Sources.Of(most) {
		if from, ok := r.Docs.ByHash(hash); ok {
			has(listed, "/page?url="+url.QueryEscape(r.URL(from))+`"`, true)
		}
	}

	unlinked, never := "", ""
	for id := range uint32(r.Len()) {
		switch d := r.Document(id); {
		case d.Crawled && d.InLinks == 0 && len(topics.Related(r, id, topics.Lookup{Top: 1})) > 0:
			unlinked = d.URL
		case !d.Crawled && len(topics.MembershipOf(r, id).Label) > 0 && len(topics.Related(r, id, topics.Lookup{Top: 1})) > 0:
			never = d.URL
		}
	}
	page = c.looked(200, "/page", "url", unlinked)
	web, text = column(t, page, "web"), column(t, page, "text")
	has(web, "No page of the crawl links to it", true)
	has(web, `class="rows"`, false)
	has(text, "Related by its own words", true)
	has(text, "from own words", true)
	has(page, "words-of-both", false)

	page = c.looked(200, "/page", "url", never)
	has(page, "Who links to it", true)
	has(page, "Pages of these hosts link to it", true)
	has(page, "Best linked of its topic", true)
	has(page, "Words around the links: <bdi>", true)
	has(page, "What the page says", false)
}

// column returns a column of the page of a document.
func column(t *testing.T, page, of string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `<section class="column `+of+`"`)
	if !ok {
		t.Fatalf("there is no column %s: %s", of, page)
	}
	before, _, _ := strings.Cut(rest, `<section class="column `)
	return before
}

// TestShareOfLinks checks that the share of a similarity that comes from links is that of the shared counts.
func TestShareOfLinks(t *testing.T) {
	c := start(t, Options{})
	r := into[ask.RelatedAnswer](t, c.get(200, "/v1/related", "url", gin))
	mixed := 0
	for _, n := range r.Items {
		x := into[ask.ExplainAnswer](t, c.get(200, "/v1/explain", "a", gin, "b", n.URL))
		if want := float32(x.Links.SumMin) / float32(x.SumMin); n.FromLinks != want {
			t.Errorf("%s: %v, want %v", n.URL, n.FromLinks, want)
		}
		if n.FromLinks > 0 && n.FromLinks < 1 {
			mixed++
		}
	}
	if mixed == 0 {
		t.Error("no similarity comes from both")
	}
}
