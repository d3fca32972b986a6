package pipeline_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

// sketched are configurations that keep sketches, one for each kind.
func sketched(t *testing.T) []config.Config {
	t.Helper()
	var out []config.Config
	for _, kind := range []config.Sketch{config.SketchMod, config.SketchMin, config.SketchMinMod, config.SketchVar} {
		c := preset(t, "web")
		c.Views, c.Sketch = []string{config.Syntactic}, kind
		c.Shingle, c.Modulus, c.Resemblance = 2, 5, 0.1
		if kind == config.SketchMin || kind == config.SketchMinMod {
			c.Strip = config.StripNone
		}
		must(t, c.Validate())
		out = append(out, c)
	}
	return out
}

// TestSketchRows checks that estimates are marked and have a number of samples and an error, that equal pages are
// exact, and that sketches of the smallest shingles do not estimate containment.
func TestSketchRows(t *testing.T) {
	text := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "word%d ", i*7919%n)
		}
		return b.String()
	}
	long := text(3000)
	lines := jsonl(t, page{URL: "https://a.example/", Text: long}, page{URL: "https://b.example/", Text: long + text(200)},
		page{URL: "https://c.example/", Text: long}, page{URL: "https://d.example/", Text: strings.ToUpper(long)})
	for _, c := range sketched(t) {
		dir, _ := cluster(t, c, pipeline.Options{}, write(t, lines...))
		relations := map[string]int{}
		for row, err := range run.ReadTable[run.SyntacticEstimateRow](filepath.Join(dir, run.SyntacticPairsTable)) {
			must(t, err)
			relations[row.Relation]++
			similar := row.Relation == "similar"
			if row.Estimated != similar || row.Samples > 0 != similar || row.StdError > 0 != similar || row.Resemblance < 0.8 {
				t.Errorf("%s: %+v", c.Sketch, row)
			}
			if told := row.AInB > 0; told != (!similar || c.Sketcher().Kind.Containment()) {
				t.Errorf("%s: containment %v of %s", c.Sketch, row.AInB, row.Relation)
			}
		}
		if d := cmp.Diff(map[string]int{"identical": 1, "lexical": 1, "similar": 1}, relations); d != "" {
			t.Errorf("%s: %s", c.Sketch, d)
		}
	}
}
