package eval

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/query"
)

// TestLongRunAgainstScript scores a real run of the manuals, its co-linked pairs included, as the reference does.
func TestLongRunAgainstScript(t *testing.T) {
	docs := shareddata.Dir(t, "docs")
	labels, pages := filepath.Join(docs, "gold.tsv"), filepath.Join(docs, "pages.jsonl.gz")
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	c.Views = []string{config.Topical}
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := pipeline.Cluster(context.Background(), dir, []string{pages}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := query.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	g, err := gold.Read(labels, r.Rules())
	if err != nil {
		t.Fatal(err)
	}
	e, err := Evaluate(context.Background(), r, g, Options{Apart: true, Web: WebOf(nil, 2), Thresholds: []float64{c.Threshold, .5}})
	if err != nil || len(e.Related) != 2 {
		t.Fatal(err, e)
	}
	d, err := score.NewDirectory(g.Labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Find(r, d)
	if err != nil {
		t.Fatal(err)
	}
	ranking, err := m.Related(context.Background(), r, query.DefaultLookup, "related")
	if err != nil {
		t.Fatal(err)
	}
	if err := ranking.Check(d); err != nil {
		t.Error(err)
	}
	agrees(t, e.Related[0], script(t, labels, d, ranking))
	// The reference also counts links of a page to itself.
	web, err := WebOf(nil, 2)(context.Background(), r, d)
	if err != nil {
		t.Fatal(err)
	}
	all, err := coLinks(d.Len(), anyLinks(web))
	if err != nil {
		t.Fatal(err)
	}
	agrees(t, d.ScoreRanking(ranking, score.Options{Barred: all}), script(t, labels, d, ranking, "--pages", pages))
	used, err := web.CoLinks()
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := m.CoLinks(r)
	if d := cmp.Diff(used, recorded); d != "" || err != nil {
		t.Errorf("co-linked pairs of the inputs and of the run: %s, %v", d, err)
	}
	if e.Curve[0].Scores.Levels[0].BCubed != e.Clusters.Levels[0].BCubed || e.Curve[1].Scores.Clusters <= e.Clusters.Clusters {
		t.Errorf("at the threshold of the run %+v, the run itself %+v", e.Curve[0].Scores, e.Clusters)
	}
}
