package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/mapped/mappedtest"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/internal/serve/api"
	"github.com/lshclust/lshclust/internal/tables"
)

// Pages of the tests beside some of the sample: two whose title, URL and text are hostile, one that asks not to be
// indexed, and one whose words nobody else has.
const (
	evil     = `https://evil.example/a%22%3E%3Cscript%3Ealert(1)%3C/script%3E?x=%0d%0aSet-Cookie:%20a=b`
	evilTwin = "https://evil.example/twin"
	unlisted = "https://evil.example/unlisted"
	lonely   = "https://lonely.example/"
	unseen   = "https://postgresql.org/docs/15/unseen.html"

	evilTitle = `"><script>alert(1)</script><svg onload=alert(2)> ' style=x javascript:alert(3)`
	evilText  = "The index of the search tree is hostile, and all of its words say so again and again in this sentence. "
)

// placed is the only inline style: the place of a block in a picture.
var placed = regexp.MustCompile(`^inset:([0-9.]+% ?){4}$`)

func evilPages(t *testing.T) (lines []byte) {
	t.Helper()
	all, err := io.ReadAll(sample.Open())
	if err != nil {
		t.Fatal(err)
	}
	lines = bytes.Join(bytes.SplitAfterN(all, []byte("\n"), 151)[:150], nil)
	links := "<p><a href='" + evil + "'>" + "&lt;b&gt;" + "</a> is an index of a search tree, and <a href='" + evilTwin + "'>its twin</a> is an index of a search tree too, like <a href='" + unseen + "'>one</a>"
	title := "<title>" + strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(evilTitle) + "</title>"
	text := "<p>" + strings.Repeat(evilText, 3) + "<p>&lt;script&gt;alert(4)&lt;/script&gt; is text"
	for i := range 40 { // of one cluster, with the longest URLs
		line, err := json.Marshal(map[string]string{"url": long(i), "html": "<title>wombat burrow " + strings.Repeat("and title ", 50) + "</title><p>wombat burrow habitat marsupial " + strings.Repeat("digging soil ", 30)})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
	}
	for _, p := range []map[string]string{
		{"url": evil, "html": title + text},
		{"url": "https://list.example/", "html": "<title>list</title>" + links},
		{"url": evilTwin, "html": title + text + "<p>It is only a twin."},
		{"url": unlisted, "html": "<meta name=robots content=noindex><title>unlisted</title><p>secretword " + evilText},
		{"url": lonely, "html": "<title>zyzzyva</title><p>zyzzyva qwghlm"},
	} {
		line, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
	}
	return lines
}

// long returns a URL that is nearly as long as a parameter may be, and longer in a link.
func long(i int) string {
	return fmt.Sprintf("https://long.example/%d?%s", i, strings.Repeat("=", 1900))
}

// shower shows pages of a run.
type shower struct {
	t   *testing.T
	run *api.Run
	in  string // its input
	dir string
}

func newShower(t *testing.T, views ...string) *shower {
	t.Helper()
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	if views != nil {
		c.Views = views
	}
	s := &shower{t: t, in: filepath.Join(t.TempDir(), "pages.jsonl")}
	if err := os.WriteFile(s.in, evilPages(t), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "run")
	if _, err := pipeline.Cluster(t.Context(), out, []string{s.in}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	s.dir = out
	r, err := runs.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	s.run = api.NewRun(r, "run", []string{"run"})
	t.Cleanup(func() {
		if err := s.run.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// show returns a page with parameters in turn, name and value.
func (s *shower) show(name string, params ...string) (string, error) {
	s.t.Helper()
	all, site := All(), Site{[]string{"run"}, Served}
	p := all[slices.IndexFunc(all, func(p *Page) bool { return p.Name == name })]
	args, err := p.Parse(values(params).Encode())
	if err != nil {
		return "", err
	}
	q := &Question{Links: site.Links("run"), Of: p, Run: s.run, Args: args}
	v, err := p.Show(s.t.Context(), q)
	if err != nil {
		return "", err
	}
	body, err := site.Render(p, q, v)
	return string(body), err
}

// must shows a page, checks what is true of all, and wants some texts in it.
func (s *shower) must(texts []string, name string, params ...string) string {
	s.t.Helper()
	page, err := s.show(name, params...)
	if err != nil {
		s.t.Fatalf("%s %q: %v", name, params, err)
	}
	checkPage(s.t, page)
	for _, text := range texts {
		if !strings.Contains(page, text) {
			s.t.Errorf("%s %q has no %q", name, params, text)
		}
	}
	return page
}

// checkPage checks what is true of all pages: no script or style in them, no strange links, one heading, and few bytes.
func checkPage(t *testing.T, page string) {
	t.Helper()
	if len(page) > 100_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
	if strings.Count(page, "<h1") != 1 {
		t.Error("the page has no heading or several")
	}
	for z := html.NewTokenizer(strings.NewReader(page)); z.Next() != html.ErrorToken; {
		for token, i := z.Token(), 0; i < len(token.Attr); i++ {
			switch a := token.Attr[i]; {
			case token.Data == "style" || a.Key == "style" && !placed.MatchString(a.Val) || strings.HasPrefix(a.Key, "on"):
				t.Errorf("the page holds %s", token)
			case a.Key == "href" || a.Key == "src" || a.Key == "action":
				if to, err := url.Parse(a.Val); err != nil || !slices.Contains([]string{"", "http", "https"}, to.Scheme) && a.Val != "data:," {
					t.Errorf("a link to %q", a.Val)
				}
			}
		}
	}
	if strings.Contains(page, "<script>") {
		t.Error("the page holds a script")
	}
}

func status(err error) int {
	p, _ := api.ProblemOf(err)
	return p.Status
}

func TestExplainPages(t *testing.T) {
	s := newShower(t)
	t.Run("explain", func(t *testing.T) { s.t = t; testExplain(t, s) })
	t.Run("cluster", func(t *testing.T) { s.t = t; testClusterPages(t, s) })
	t.Run("long", func(t *testing.T) { s.t = t; testLong(t, s) })
	t.Run("diff", func(t *testing.T) { s.t = t; testDiff(t, s) })
}

func testExplain(t *testing.T, s *shower) {
	page := s.must([]string{"links to both", "<mark>its twin</mark>", "Words for both", "shared ÷ union", `href="/diff?`, "Listed together", "by 1 page"}, "explain", "a", evil, "b", evilTwin)
	if !strings.Contains(page, "&lt;script&gt;alert(1)") {
		t.Error("the title is not there")
	}
	s.must([]string{"Both are one document."}, "explain", "a", evil, "b", evil)
	s.must([]string{"no sentence that links to it"}, "explain", "a", evil, "b", lonely)
	s.must([]string{"not crawled"}, "explain", "a", evil, "b", unseen)
	if _, err := s.show("explain", "a", evil, "b", "https://nowhere.example/"); status(err) != http.StatusNotFound {
		t.Errorf("%v", err)
	}
	if _, err := s.show("explain", "a", evil); status(err) != http.StatusBadRequest {
		t.Errorf("%v", err)
	}
}

// TestDamagedTree checks that the page of a document that is in no node of a damaged tree of topics shows no topic.
func TestDamagedTree(t *testing.T) {
	s := newShower(t)
	path := filepath.Join(s.dir, tables.TreeFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sound := filepath.Join(t.TempDir(), "sound")
	err = errors.Join(os.WriteFile(sound, whole, 0o666), mappedtest.Forge(sound, path, func(section string, b []byte) {
		if section == "leaf-of" {
			for i := range b {
				b[i] = 0xff
			}
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	r, err := runs.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	damaged := api.NewRun(r, "run", []string{"run"})
	defer damaged.Close()
	p, err := ask.Page{URL: unseen}.Ask(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := aroundOf(&Question{Links: Site{[]string{"run"}, Served}.Links("run"), Run: damaged}, p); err != nil || len(a.Topic.List) > 0 {
		t.Errorf("%+v %v", a, err)
	}
	if r.Err() == nil {
		t.Error("the damage is not reported")
	}
}

func testClusterPages(t *testing.T, s *shower) {
	id, err := s.run.Lookup(evil)
	if err != nil {
		t.Fatal(err)
	}
	topical := topics.MembershipOf(s.run.Run, id)
	s.must([]string{"least like the center"}, "cluster", "id", topical.ID)
	syntactic, err := texts.ClusterOf(s.run.Run, id)
	if err != nil || syntactic.Size < 2 {
		t.Fatal(syntactic, err)
	}
	s.must([]string{"connected by similar texts", "Weakest link", "representative"}, "cluster", "id", syntactic.ID, "view", "syntactic")
	path := topics.PathTo(s.run.Run, id)
	for _, n := range path {
		s.must(nil, "cluster", "id", n.ID)
	}
	if len(path) < 2 {
		t.Errorf("the cluster of the hostile page has no branch above it")
	} else {
		s.must([]string{"Its parts", path[len(path)-1].ID}, "cluster", "id", path[len(path)-2].ID)
	}
	largest, err := topics.Clusters(s.run.Run)
	if err != nil || largest[0].Size <= pageMembers {
		t.Fatal(largest[0].Size, err)
	}
	page := s.must([]string{">More</a>"}, "cluster", "id", largest[0].ID)
	next, err := url.Parse(strings.ReplaceAll(regexp.MustCompile(`href="([^"]*cursor=[^"]*)"`).FindStringSubmatch(page)[1], "&amp;", "&"))
	if err != nil {
		t.Fatal(err)
	}
	s.must([]string{"More members", "The cluster and its first members"}, "cluster", "id", largest[0].ID, "cursor", next.Query().Get("cursor"))
	for _, wrong := range []string{"0123456789abcdef", "0123456789abcdef.1"} {
		if _, err := s.show("cluster", "id", wrong); status(err) != http.StatusNotFound {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	if _, err := s.show("cluster", "id", "../../etc"); status(err) != http.StatusBadRequest {
		t.Errorf("%v", err)
	}
}

func testDiff(t *testing.T, s *shower) {
	page := s.must([]string{`<mark class="same">`, "It is only a twin.", "Share of A that is in B"}, "diff", "a", evil, "b", evilTwin)
	if !strings.Contains(page, "&lt;script&gt;alert(4)") {
		t.Error("the text is not there")
	}
	s.must([]string{`<mark class="same">`}, "diff", "a", evil, "b", evilTwin, "all", "true")
	s.must([]string{"There are no more lines.", "From the beginning"}, "diff", "a", evil, "b", evilTwin, "row", "5000")
	if hidden := s.must([]string{"asks not to be indexed"}, "diff", "a", evil, "b", unlisted); strings.Contains(hidden, "secretword") {
		t.Error("the text of a page that asks not to be indexed is shown")
	}
	s.must([]string{"only from links"}, "diff", "a", evil, "b", unseen)
	if err := os.Remove(s.in); err != nil {
		t.Fatal(err)
	}
	if gone := s.must([]string{"inputs are not where they were", "Share of A that is in B"}, "diff", "a", evil, "b", evilTwin); strings.Contains(gone, filepath.Dir(s.in)) {
		t.Error("the page names a path of the machine")
	}
}

// testLong: pages about documents with long URLs are not too long.
func testLong(t *testing.T, s *shower) {
	id, err := s.run.Lookup(long(3))
	if err != nil {
		t.Fatal(err)
	}
	topical := topics.MembershipOf(s.run.Run, id)
	syntactic, err := texts.ClusterOf(s.run.Run, id)
	if err != nil || syntactic.Size < 40 {
		t.Fatal(syntactic, err)
	}
	s.must([]string{"wombat"}, "cluster", "id", topical.ID)
	s.must([]string{"More"}, "cluster", "id", syntactic.ID, "view", "syntactic")
	s.must([]string{"wombat"}, "explain", "a", long(3), "b", long(4))
	s.must([]string{"wombat"}, "diff", "a", long(3), "b", long(4))
}

// TestPagesOfOneView checks that a run with one view has the pages of that view.
func TestPagesOfOneView(t *testing.T) {
	text := newShower(t, config.Syntactic)
	id, err := text.run.Lookup(evil)
	if err != nil {
		t.Fatal(err)
	}
	of, err := texts.ClusterOf(text.run.Run, id)
	if err != nil {
		t.Fatal(err)
	}
	text.must([]string{"connected by similar texts"}, "cluster", "id", of.ID)
	text.must([]string{`<mark class="same">`}, "diff", "a", evil, "b", evilTwin)
	if _, err := text.show("explain", "a", evil, "b", evilTwin); !errors.Is(err, runs.ErrNoView) {
		t.Error(err)
	}
	web := newShower(t, config.Topical)
	web.must([]string{"Words for both"}, "explain", "a", evil, "b", evilTwin)
	web.must([]string{"holds no text of both", `<mark class="same">`}, "diff", "a", evil, "b", evilTwin)
}
