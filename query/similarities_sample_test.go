package query

import (
	"math"
	"testing"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/tune"
)

// TestTrial compares the counts of a trial on a sample with those of the runs over the embedded sample: candidates and
// pairs that agree, within a fifth, by presets and with a tight bound on buckets. Without large buckets, the
// predictions of the formulas are compared too, if the run has keys enough for the mean over keys to be near the one
// that is expected: the index that a small run chooses has few.
func TestTrial(t *testing.T) {
	trials(t, map[string]config.Config{"web, small buckets": manyKeys(t, 40)})
}

// manyKeys is the preset web with another index.
func manyKeys(t *testing.T, maxBucket int) config.Config {
	c := preset(t, "web")
	c.KeySize, c.Keys, c.MaxBucket, c.Floor = 2, 160, maxBucket, 0.10
	return c
}

// trials is TestTrial for some settings.
func trials(t *testing.T, settings map[string]config.Config) {
	t.Helper()
	const factor = 1.2
	pages := samplePages(t, 1100)
	for name, c := range settings {
		c.Views = []string{config.Topical}
		r := opened(t, c, pages)
		m, err := r.Measure(t.Context(), 400, 1)
		if err != nil {
			t.Fatal(err)
		}
		p := r.Model(m).Predict(r.Choice(), 0.3)
		s, _ := r.Manifest.Stage("pair")
		t.Logf("%s: %d nodes, recall above 0.3 %.4f", name, r.Nodes(), p.Recall.Value)
		for what, x := range map[string]struct {
			counted          int64
			tried, predicted tune.Estimate
		}{
			"candidates": {s.In, m.Own.Candidates(), p.Candidates},
			"survivors":  {s.In - s.Dropped["agreement-below-floor"], m.Own.Survivors(), p.Survivors},
		} {
			counted := float64(x.counted)
			t.Logf("  %s: %d, tried %.0f (%.0f to %.0f), predicted %.0f", what, x.counted, x.tried.Value, x.tried.Low, x.tried.High, x.predicted.Value)
			if counted < 1000 || x.tried.Value > counted*factor || x.tried.Value < counted/factor {
				t.Errorf("%s: %d %s, tried %.0f", name, x.counted, what, x.tried.Value)
			}
			if s.Counts["buckets_paired_in_part"] == 0 && r.Config.Keys >= 100 && (x.predicted.Value > counted*factor || x.predicted.Value < counted/factor) {
				t.Errorf("%s: %d %s, predicted %.0f", name, x.counted, what, x.predicted.Value)
			}
		}
		if name == "web, small buckets" && s.Dropped["in-large-buckets-not-formed"] < 10*s.In/100 {
			t.Errorf("%d pairs in large buckets: too few to test anything", s.Dropped["in-large-buckets-not-formed"])
		}
	}
}

// TestMeasureAll: with all nodes in the sample, the pairs found are those that the run counted.
func TestMeasureAll(t *testing.T) {
	c := preset(t, "web")
	c.MaxBucket = 30
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

// TestTuned tunes by one run, tries the choice on the sample, makes another run with the choice and another bound on
// buckets, and compares this run with the trial and the prediction.
func TestTuned(t *testing.T) { tuned(t, 80) }

// tuned is TestTuned for some numbers of signatures.
func tuned(t *testing.T, numbers ...int) {
	t.Helper()
	c := preset(t, "web")
	c.Views = []string{config.Topical}
	pages := samplePages(t, 800)
	first := opened(t, c, pages)
	m, err := first.Measure(t.Context(), 400, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, signatures := range numbers {
		best := first.Model(m).Tune(tune.Goal{Recall: 0.9, At: 0.25, Signatures: []int{signatures}})
		if len(best) == 0 {
			t.Fatalf("m=%d: nothing reaches the goal", signatures)
		}
		p := best[0]
		tried, err := first.Try(t.Context(), m, p.Choice, 60)
		if err != nil {
			t.Fatal(err)
		}
		c.Signatures, c.KeySize, c.Keys, c.Floor, c.MaxBucket = p.M, p.K, p.L, p.Floor, 60
		second := opened(t, c, pages)
		s, _ := second.Manifest.Stage("pair")
		got, err := second.Measure(t.Context(), 1<<20, 2)
		if err != nil {
			t.Fatal(err)
		}
		recall, _ := got.Own.Recall(0.25)
		told, _ := tried.Recall(0.25)
		candidates := tried.Candidates().Value
		t.Logf("%+v: candidates %d, predicted %.0f, tried %.0f; recall %.4f, predicted %.4f, tried %.4f (%.4f to %.4f)",
			p.Choice, s.In, p.Candidates.Value, candidates, recall.Value, p.Recall.Value, told.Value, told.Low, told.High)
		if ratio := candidates / float64(s.In); s.In < 1000 || ratio < 1/1.3 || ratio > 1.3 {
			t.Errorf("%+v: %d candidates, tried %.0f", p.Choice, s.In, candidates)
		}
		if math.Abs(recall.Value-told.Value) > 0.03 {
			t.Errorf("%+v: recall %.4f, tried %.4f", p.Choice, recall.Value, told.Value)
		}
	}
}
