package serve

import (
	"fmt"
	escape "html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
)

// TestTopicsAreReachable walks from the start page to all topics by links, and back by the path above each.
func TestTopicsAreReachable(t *testing.T) {
	c := start(t, Options{})
	r, err := runs.Open(sampleRun(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	link, up := regexp.MustCompile(`href="(/(?:topics|cluster)[^"]*)"`), regexp.MustCompile(`<li><a href="/topics"`)
	seen := map[string]bool{}
	for next := []string{"/"}; len(next) > 0; next = next[1:] {
		if seen[next[0]] {
			continue
		}
		seen[next[0]] = true
		a := c.do(http.MethodGet, next[0], nil)
		if a.StatusCode != http.StatusOK || strings.HasPrefix(next[0], "/cluster") && !up.Match(a.body) {
			t.Errorf("%s: %d, with a path: %v", next[0], a.StatusCode, up.Match(a.body))
		}
		for _, m := range link.FindAllSubmatch(a.body, -1) {
			if to := escape.UnescapeString(string(m[1])); !strings.Contains(to, "cursor=") && !strings.Contains(to, "format=") {
				next = append(next, to)
			}
		}
	}
	for id := range uint32(r.Len()) {
		path := topics.PathTo(r, id)
		if leaf := path[len(path)-1]; leaf.Size > 1 && !seen["/cluster?id="+leaf.ID] {
			t.Errorf("no link leads to topic %s, %v", leaf.ID, leaf.Label)
		}
	}
}

// TestPaths: the page of a document and a search show the path of topics that the table has; on the page of each, the counts are
// those of the picture of the one above, and of the list of topics.
func TestPaths(t *testing.T) {
	c := start(t, Options{})
	r, err := runs.Open(sampleRun(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	about, step := regexp.MustCompile(`<p class="topic">About (.*?)</p>`), regexp.MustCompile(`href="/cluster\?id=([^"]*)"`)
	for id := uint32(0); id < uint32(r.Len()); id += 7 {
		var want, got []string
		above := string(c.get(200, "/topics").body) + string(c.get(200, "/").body)
		for _, n := range topics.PathTo(r, id) {
			if n.Size < 2 {
				break
			}
			want = append(want, n.ID)
			number := counted(n.Size)
			listed := regexp.MustCompile(`href="/cluster\?id=` + regexp.QuoteMeta(n.ID) + `">(<bdi>)?[^<]*(</bdi>)?</a>[^\n]*?(<i>|number">)` + number + `<`)
			if strings.Contains(above, "id="+n.ID+`"`) && !listed.MatchString(above) {
				t.Errorf("topic %s has %s documents, but not on the page above", n.ID, number)
			}
			above = string(c.get(200, "/cluster", "id", n.ID).body)
			if !strings.Contains(above, `<p class="lead">`+number+" documents") {
				t.Errorf("the page of topic %s does not have %s documents", n.ID, number)
			}
		}
		if m := about.FindSubmatch(c.get(200, "/page", "url", r.URL(id)).body); m != nil {
			for _, to := range step.FindAllSubmatch(m[1], -1) {
				got = append(got, string(to[1]))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is in %v, its page says %v", r.URL(id), want, got)
		}
	}
}

// counted returns a number as pages show it.
func counted(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// TestTopic checks that the page of a topic with parts shows its best linked documents, words and parts, and that a
// topic can be found by its label.
func TestTopic(t *testing.T) {
	c := start(t, Options{})
	r, err := runs.Open(sampleRun(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	top := topics.Tops(r)[0]
	best := topics.BestLinked(r, top, 1)[0]
	for id := range uint32(r.Len()) {
		if d := r.Document(id); topics.PathTo(r, id)[0].ID == top.ID && d.InHosts > r.Document(best).InHosts {
			t.Errorf("%s has more hosts than %s", d.URL, r.URL(best))
		}
	}
	leaf := topics.PathTo(r, best)
	documents := string(c.get(200, "/cluster", "id", leaf[len(leaf)-1].ID).body)
	for _, want := range []string{escape.EscapeString(r.NameOf(best)), "Members", "that the web describes in similar words"} {
		if !strings.Contains(documents, want) {
			t.Errorf("the page of a topic without parts lacks %q", want)
		}
	}
	body := string(c.get(200, "/cluster", "id", top.ID).body)
	parts := topics.Children(r, top)
	for _, want := range []string{escape.EscapeString(r.NameOf(best)), "Best linked", "Its parts", "/cluster?id=" + parts[len(parts)-1].ID} {
		if !strings.Contains(body, want) {
			t.Errorf("the page of the topic lacks %q", want)
		}
	}
	word, _, _ := strings.Cut(parts[0].Label, ", ")
	called := fmt.Sprintf(`<p class="lead">%d topic`, len(topics.WithLabel(r, topics.NewLabelWords(word))))
	if found := string(c.get(200, "/topics", "label", word).body); !strings.Contains(found, escape.EscapeString(word)) || !strings.Contains(found, called) {
		t.Errorf("no topic is called %q: %s", word, found)
	}
	if none := string(c.get(200, "/topics", "label", "xyzzyqux").body); !strings.Contains(none, "No topic is called so") {
		t.Errorf("%s", none)
	}
}

// TestColours: the picture offers other colours, shows those that are asked for, and offers none that the run does not have.
func TestColours(t *testing.T) {
	c := start(t, Options{})
	body := string(c.get(200, "/").body)
	for colour, least := range map[string]string{"sites": "one site", "crawled": "nothing was crawled", "copies": "no crawled page has a copy", "views": "copies are in one topic"} {
		if !strings.Contains(body, `href="/?colour=`+colour+`"`) {
			t.Errorf("the picture does not offer %s", colour)
		}
		if asked := string(c.get(200, "/", "colour", colour).body); !strings.Contains(asked, "Colour: "+least) || !strings.Contains(asked, `colour=`+colour+`" aria-current="true"`) {
			t.Errorf("the colours are not those of %s", colour)
		}
	}
	if asked := string(c.get(200, "/", "colour", "new").body); strings.Contains(body, "colour=new") || !strings.Contains(asked, "Colour: one site") {
		t.Error("a server of one run offers changes since an older crawl")
	}
	crawled := func(body string) (n int) {
		return strings.Count(body, `class="a4"`) + strings.Count(body, `class="area a4`)
	}
	if some := string(c.get(200, "/", "colour", "crawled").body); crawled(some) == crawled(string(c.get(200, "/", "colour", "copies").body)) {
		t.Error("what was crawled and what has copies look the same")
	}
}
