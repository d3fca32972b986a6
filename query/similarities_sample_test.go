package query

import (
	"math"
	"testing"

	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/pipeline"
)

// TestPrediction holds what is predicted from a sample to what runs over the embedded sample counted: candidates, pairs
// that agree, and pairs that meet, within a fifth, by presets and with a tight bound on long runs.
func TestPrediction(t *testing.T) {
	const factor = 1.2
	pages := samplePages(t, 1100)
	tight := preset(t, "web")
	tight.MaxRun = 40
	for name, c := range map[string]pipeline.Config{"paper2000": preset(t, "paper2000"), "web": preset(t, "web"), "web, short runs": tight} {
		c.Views = []string{pipeline.Topical}
		r := opened(t, c, pages)
		m, err := r.Measure(t.Context(), 400, 1)
		if err != nil {
			t.Fatal(err)
		}
		p := r.Model(m).Predict(r.Choice(), 0.3)
		s, _ := r.Manifest.Stage("pair")
		t.Logf("%s: %d nodes, recall above 0.3 %.4f", name, r.Nodes(), p.Recall.Value)
		for what, x := range map[string]struct {
			counted   int64
			predicted lsh.Estimate
		}{
			"candidates": {s.In, p.Candidates},
			"survivors":  {s.In - s.Dropped["agreement-below-floor"], p.Survivors},
			"collisions": {s.Counts["collisions"], p.Collisions},
		} {
			counted := float64(x.counted)
			t.Logf("  %s: %d, predicted %.0f (%.0f to %.0f)", what, x.counted, x.predicted.Value, x.predicted.Low, x.predicted.High)
			if counted < 1000 || x.predicted.Value > counted*factor || x.predicted.Value < counted/factor {
				t.Errorf("%s: %d %s, predicted %.0f", name, x.counted, what, x.predicted.Value)
			}
		}
		if name == "web, short runs" && s.Dropped["in-long-runs-not-formed"] < 10*s.In/100 {
			t.Errorf("%d pairs in long runs: too few to test anything", s.Dropped["in-long-runs-not-formed"])
		}
	}
}

// TestMeasureAll: with all nodes in the sample, the pairs found are those that the run counted.
func TestMeasureAll(t *testing.T) {
	c := preset(t, "web")
	c.MaxRun = 30
	r := opened(t, c, samplePages(t, 150))
	m, err := r.Measure(t.Context(), math.MaxInt, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := r.Manifest.Stage("pair")
	want := s.In - s.Dropped["agreement-below-floor"]
	if got := m.Found.Between(1e-9, 2); math.Abs(got.Value-float64(want)) > 0.5 || want < 500 {
		t.Errorf("%v pairs found, the run has %d", got, want)
	}
	if _, err := r.Measure(t.Context(), leastSample-1, 1); err == nil {
		t.Error("a sample of too few is taken")
	}
}
