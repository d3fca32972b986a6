package eval

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/query"
)

// TestRunAgainstScript scores a real run of the manuals, its co-linked pairs included, as the reference does.
func TestRunAgainstScript(t *testing.T) {
	docs := shareddata.Dir(t, "docs")
	gold, pages := filepath.Join(docs, "gold.tsv"), filepath.Join(docs, "pages.jsonl.gz")
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
	g, err := ReadGold(gold, r.Rules())
	if err != nil {
		t.Fatal(err)
	}
	e, err := Run(context.Background(), r, g, RunOptions{Apart: true, Web: WebOf(r, nil, 2), Thresholds: []float64{c.Threshold, .5}})
	if err != nil || len(e.Related) != 2 {
		t.Fatal(err, e)
	}
	d, err := NewDirectory(g.Labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Find(r)
	if err != nil {
		t.Fatal(err)
	}
	ranking, err := m.Related(context.Background(), r, "related")
	if err != nil {
		t.Fatal(err)
	}
	if err := ranking.Check(d); err != nil {
		t.Error(err)
	}
	agrees(t, e.Related[0], script(t, gold, d, ranking))
	agrees(t, e.Related[1], script(t, gold, d, ranking, "--pages", pages))
	if e.Curve[0].Scores.Levels[0].BCubed != e.Clusters.Levels[0].BCubed || e.Curve[1].Scores.Clusters <= e.Clusters.Clusters {
		t.Errorf("at the threshold of the run %+v, the run itself %+v", e.Curve[0].Scores, e.Clusters)
	}
}

// TestHalf: halves hold whole lists, together all of them, and are about equal over many lists.
func TestHalf(t *testing.T) {
	d, _, _ := random(1, 2000, 20)
	of := map[string]Half{}
	dev := 0
	for i := range d.Len() {
		h := d.Half(i)
		if before, ok := of[d.List(i)]; ok && before != h || h == All {
			t.Errorf("list %s is in halves %s and %s", d.List(i), before, h)
		}
		of[d.List(i)] = h
		if d.In(Dev)(i) == d.In(Test)(i) {
			t.Errorf("target %d is in both halves or in none", i)
		}
		if h == Dev {
			dev++
		}
	}
	if dev < d.Len()*2/5 || dev > d.Len()*3/5 {
		t.Errorf("%d of %d targets in the half for development", dev, d.Len())
	}
	// The split is fixed: figures of a half would change with it.
	if got := [3]Half{halfOf("Food/Fruit"), halfOf("Cars/Parts"), halfOf("Theory/Awesome Osint")}; got != [3]Half{Dev, Test, Dev} {
		t.Errorf("the halves have changed: %v", got)
	}
}
