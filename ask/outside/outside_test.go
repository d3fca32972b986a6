// Package outside uses the library as a stranger must, whose module cannot import internal packages.
package outside

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust"
	"github.com/lshclust/lshclust/ask"
)

// listener is a listener to progress with types that a stranger can write.
type listener struct{ stages []lshclust.StageStats }

func (l *listener) Stage(name, unit string, total int64)          {}
func (l *listener) At(done int64)                                 {}
func (l *listener) Done(stats lshclust.StageStats)                { l.stages = append(l.stages, stats) }
func (l *listener) Resumed(stage string)                          {}
func (l *listener) Continued(stage, step string, percent float64) {}
func (l *listener) Damaged(stage string, err error)               {}

// recipe is the text of a page that moves.
const recipe = "Peel four pears, cut them into halves, mix butter with sugar and three eggs, add the flour, and bake everything for an hour until the cake is "

// crawl returns pages as JSON Lines, with the page about pears at a path.
func crawl(path string) string {
	return strings.Join([]string{
		`{"url": "https://a.example/", "html": "<title>A</title><p>Good <a href='https://pear.example/'>pear cake recipe</a><p>A <a href='https://tart.example/'>pear tart recipe</a>"}`,
		`{"url": "https://b.example/", "html": "<title>B</title><p>Try the <a href='https://pear.example/'>sweet pear cake</a><p>Bake this <a href='https://tart.example/'>sweet pear tart</a>"}`,
		`{"url": "https://c.example/", "html": "<title>C</title><p>The <a href='https://car.example/'>electric car review</a><p>An <a href='https://van.example/'>electric van review</a>"}`,
		`{"url": "https://d.example/", "html": "<title>D</title><p>Read an <a href='https://car.example/'>electric car test</a><p>Compare an <a href='https://van.example/'>electric van test</a>"}`,
		`{"url": "https://mirror.example/pear", "text": "` + recipe + `brown."}`,
		`{"url": "https://pear.example/` + path + `", "text": "` + recipe + `golden."}`,
	}, "\n")
}

func cluster(t *testing.T, name, pages string) *lshclust.Run {
	t.Helper()
	dir := t.TempDir()
	input := filepath.Join(dir, "pages.jsonl")
	if err := os.WriteFile(input, []byte(pages), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := lshclust.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{}
	r, err := lshclust.Cluster(t.Context(), filepath.Join(dir, name), []string{input}, lshclust.Options{Config: &c, Progress: l})
	if err != nil {
		t.Fatal(err)
	}
	if len(l.stages) == 0 {
		t.Error("no progress")
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// asked asks a question whose answer must have rows if wanted is set.
func asked[R, A any](t *testing.T, of R, wanted bool, q interface {
	Ask(ctx context.Context, of R) (*A, error)
}) *A {
	t.Helper()
	a, err := q.Ask(t.Context(), of)
	if err != nil {
		t.Fatalf("%T: %v", q, err)
	}
	if rows := ask.Items(a); wanted && (!rows.IsValid() || rows.Len() == 0) {
		t.Errorf("%T: no rows: %+v", q, a)
	}
	return a
}

// TestQuestions asks every question.
func TestQuestions(t *testing.T) {
	older, newer := cluster(t, "old", crawl("")), cluster(t, "new", crawl("cake"))
	const pear = "pear.example"
	asked(t, older, false, ask.Page{URL: pear})
	related := asked(t, older, true, ask.Related{URL: pear, By: "links", Elsewhere: true, Window: ask.Window{Limit: 5}})
	var first ask.Neighbour = related.Items[0]
	asked(t, older, false, ask.Explain{A: pear, B: first.URL})
	asked(t, older, true, ask.Search{Words: "pear"})
	asked(t, older, true, ask.Duplicates{URL: pear})
	for _, view := range []string{"topical", "syntactic"} {
		clusters := asked(t, older, true, ask.Clusters{View: view})
		asked(t, older, true, ask.Members{ID: clusters.Items[0].ID, View: view})
	}
	asked(t, older, false, ask.Branch{})
	asked(t, older, false, ask.Defaults(ask.Overview{Label: "pear"}))
	asked(t, older, true, ask.Hosts{})
	asked(t, older, true, ask.OnHost{Host: pear})
	asked(t, older, true, ask.Query{URL: pear, WhoOptions: ask.Defaults(ask.WhoOptions{By: "host"})})
	asked(t, older, true, ask.Defaults(ask.QueryText{Text: recipe}))
	asked(t, older, true, ask.Fold{URLs: []string{pear, "mirror.example/pear"}, FoldOptions: ask.FoldOptions{Keep: "links"}})
	asked(t, older, false, ask.Compare{})
	asked(t, older, false, ask.Stats{})
	asked(t, older, false, ask.Defaults(ask.Links{}))
	asked(t, older, false, ask.Defaults(ask.Versions{}))
	crawls, err := ask.NewCrawls(t.Context(), older, newer)
	if err != nil {
		t.Fatal(err)
	}
	asked(t, crawls, true, ask.Defaults(ask.Moved{URL: pear}))
	asked(t, crawls, true, ask.Defaults(ask.Changes{}))
	var examples []ask.Labelled
	for url, path := range map[string][]string{pear: {"food"}, "tart.example": {"food"}, "a.example": {"links"}, "b.example": {"links"}} {
		id, err := older.Lookup(url)
		if err != nil {
			t.Fatal(err)
		}
		examples = append(examples, ask.Labelled{ID: id, Paths: [][]string{path}})
	}
	classifier := asked(t, older, false, ask.Learn{Labelled: examples, Depth: 1})
	asked(t, classifier, false, ask.Classify{URL: "mirror.example/pear"})
	if err := older.Err(); err != nil {
		t.Error(err)
	}
}

// TestExport writes an answer as CSV.
func TestExport(t *testing.T) {
	r := cluster(t, "run", crawl(""))
	found := asked(t, r, true, ask.Clusters{View: "syntactic"})
	var b strings.Builder
	out := ask.NewEncoder(&b, found, ask.Encoding{Format: ask.CSV})
	if err := out.Put(found); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "id,view,size,url,name,seen_url,label,") {
		t.Error(b.String())
	}
}
