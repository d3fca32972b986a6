package query

import (
	"math"
	"testing"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/lsh"
)

// TestPrediction holds what is predicted from a sample to what runs over the embedded sample counted: candidates, pairs
// that agree, and pairs that meet, within a fifth, by presets and with a tight bound on long runs.
func TestPrediction(t *testing.T) {
	const factor = 1.2
	pages := samplePages(t, 1100)
	tight := preset(t, "web")
	tight.MaxRun = 40
	for name, c := range map[string]config.Config{"paper2000": preset(t, "paper2000"), "web": preset(t, "web"), "web, short runs": tight} {
		c.Views = []string{config.Topical}
		r := opened(t, c, pages)
		m, err := r.Measure(t.Context(), 400, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, own := r.Model(m)
		p := own.Predict(r.Choice(), 0.3)
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
	m, err := r.Measure(t.Context(), math.MaxInt, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := r.Manifest.Stage("pair")
	want := s.In - s.Dropped["agreement-below-floor"]
	if got := m.Found.Between(1e-9, 2); math.Abs(got.Value-float64(want)) > 0.5 || want < 500 {
		t.Errorf("%v pairs found, the run has %d", got, want)
	}
	if _, err := r.Measure(t.Context(), leastSample-1, 1, 0); err == nil {
		t.Error("a sample of too few is taken")
	}
}

// TestTuned tunes by one run, tries the choice on the sample, makes another run as it was told, under another bound on long
// runs, and holds this one to what was told of it: candidates by the model and by the trial, recall by the trial.
func TestTuned(t *testing.T) {
	c := preset(t, "web")
	c.Views = []string{config.Topical}
	pages := samplePages(t, 800)
	first := opened(t, c, pages)
	m, err := first.Measure(t.Context(), 400, 1, 60)
	if err != nil {
		t.Fatal(err)
	}
	choices, _ := first.Model(m)
	for _, signatures := range []int{40, 80, 128} {
		best := choices.Tune(lsh.Goal{Recall: 0.9, At: 0.25, Signatures: []int{signatures}})
		if len(best) == 0 {
			t.Fatalf("m=%d: nothing reaches the goal", signatures)
		}
		p := best[0]
		tried, err := first.Try(t.Context(), m, p.Choice, 60)
		if err != nil {
			t.Fatal(err)
		}
		c.Signatures, c.KeySize, c.Keys, c.Floor, c.MaxRun = p.M, p.K, p.L, p.Floor, 60
		second := opened(t, c, pages)
		s, _ := second.Manifest.Stage("pair")
		got, err := second.Measure(t.Context(), 1<<20, 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		recall, _ := got.Similarities.Share(got.Found, 0.25, 2)
		told, _ := tried.Recall(m, 0.25)
		t.Logf("%+v: candidates %d, predicted %.0f, tried %.0f; recall %.4f, predicted %.4f, tried %.4f (%.4f to %.4f)",
			p.Choice, s.In, p.Candidates.Value, tried.Candidates.Value, recall.Value, p.Recall.Value, told.Value, told.Low, told.High)
		for what, x := range map[string]float64{"predicted": p.Candidates.Value, "tried": tried.Candidates.Value} {
			if ratio := x / float64(s.In); s.In < 1000 || ratio < 1/1.3 || ratio > 1.3 {
				t.Errorf("%+v: %d candidates, %s %.0f", p.Choice, s.In, what, x)
			}
		}
		if math.Abs(recall.Value-told.Value) > 0.03 {
			t.Errorf("%+v: recall %.4f, tried %.4f", p.Choice, recall.Value, told.Value)
		}
	}
}
