package evaluate

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/lab/labtest"
)

// TestManuals holds a run of the manuals to the figures of docs/quality.md.
func TestManuals(t *testing.T) {
	docs := shareddata.Dir(t, "docs")
	c := labtest.Preset(t, "web")
	c.Views = []string{config.Topical}
	r := labtest.Run(t, c, filepath.Join(docs, "pages.jsonl.gz"))
	g, err := gold.Read(filepath.Join(docs, "gold.tsv"), r.Rules)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Evaluate(context.Background(), r, g, Options{Apart: true, Baselines: AllBaselines()})
	if err != nil || len(e.Related) != 2 || len(e.Baselines) != 2 || len(e.Warnings) != 0 {
		t.Fatal(err, e)
	}
	for i, want := range []float64{.763, .745} {
		if got := e.Related[i].Levels[1].Hit.Value; got < want-.004 || got > want+.004 {
			t.Errorf("same category at level 2, pairs %d: %.3f, want %.3f", i, got, want)
		}
	}
	for i, want := range []float64{0, .753} {
		if got := e.Baselines[i].Related[0].Levels[1].Hit.Value; i > 0 && (got < want-.001 || got > want+.001) {
			t.Errorf("%s: %.3f, want %.3f", e.Baselines[i].Name, got, want)
		}
	}
}
