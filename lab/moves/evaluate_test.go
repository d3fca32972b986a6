package moves

import (
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/lab/pairs"
)

// moveBounds bounds the figures of the verdicts on one step: the calibration error from above, precision and recall at
// a confidence from below.
type moveBounds struct {
	from, to                    string
	hide                        crawls.Hiding
	calibration                 float64
	similarAt, precisionSimilar float64
	recallSimilar               float64
	precisionRewritten          float64 // at 0.9, where redirect rules begin
	recallRewritten             float64
}

func (b *moveBounds) check(t *testing.T, x *Result) {
	t.Helper()
	at := func(bin int, confidence float64) MovesAt {
		for _, p := range x.Bins[bin].Curve {
			if p.Confidence == confidence {
				return p
			}
		}
		t.Fatalf("the curve has no point at %g", confidence)
		return MovesAt{}
	}
	similar, rewritten := at(1, b.similarAt), at(2, 0.9)
	t.Logf("%s to %s: calibration error %.3f; %d similar %.3f / %.3f at %g; %d rewritten %.3f / %.3f at 0.9", b.from, b.to, x.CalibrationError.Value,
		x.Bins[1].Pages, similar.Precision.Value, similar.Recall.Value, b.similarAt, x.Bins[2].Pages, rewritten.Precision.Value, rewritten.Recall.Value)
	for _, f := range []struct {
		name       string
		got, least float64
	}{
		{"calibration (1 less the error)", 1 - x.CalibrationError.Value, 1 - b.calibration},
		{"precision of similar pages", similar.Precision.Value, b.precisionSimilar},
		{"recall of similar pages", similar.Recall.Value, b.recallSimilar},
		{"precision of rewritten pages", rewritten.Precision.Value, b.precisionRewritten},
		{"recall of rewritten pages", rewritten.Recall.Value, b.recallRewritten},
	} {
		if !(f.got >= f.least) {
			t.Errorf("%s to %s: %s %.3f, want at least %.3f", b.from, b.to, f.name, f.got, f.least)
		}
	}
	if n := x.CalibrationError.N; n < x.Bins[0].Pages/2 {
		t.Errorf("%s to %s: only %d verdicts name a page, of %d that moved", b.from, b.to, n, x.Bins[0].Pages)
	}
}

// TestLongMovesHugo holds the verdicts on the Hugo documentation, to which the model was fitted, to the required
// figures in each step with more than ten moved pages.
func TestLongMovesHugo(t *testing.T) {
	dir := shareddata.Dir(t, "versions-hugo")
	g, err := pairs.Read(filepath.Join(dir, "moved.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	versions := []string{"2023-09-01", "2023-12-01", "2024-06-01", "2025-06-01"}
	runs := versionRuns(t, dir, preset(t), versions)
	for i, from := range versions[:len(versions)-1] {
		b := moveBounds{from: from, to: versions[i+1], calibration: 0.06, similarAt: 0.98, precisionSimilar: 0.98, recallSimilar: 0.98, precisionRewritten: 0.9, recallRewritten: 0.5}
		b.check(t, evaluated(t, Step{From: b.from, To: b.to, Crawls: crawlsOf(t, runs[i], runs[i+1]), Gold: between(g, b.from, b.to)}))
	}
}

// TestLongMovesLLVM is the test of the model: the documentation of two releases of LLVM, with only the last segments of
// the URLs visible, or nothing. With nothing visible, at least 9 of the 187 similar pages have several equally good new
// versions (see lab/quality.md), so no method reaches a recall of .98.
func TestLongMovesLLVM(t *testing.T) {
	dir := shareddata.Dir(t, "versions-llvm")
	c := preset(t)
	c.URLWords = false // bags would hold words of the hidden URLs
	runs := versionRuns(t, dir, c, []string{"13", "16"})
	for _, b := range []moveBounds{
		{from: "13", to: "16", hide: crawls.HideFolders, calibration: 0.06, similarAt: 0.8, precisionSimilar: 0.98, recallSimilar: 0.98, precisionRewritten: 0.9, recallRewritten: 0.5},
		{from: "13", to: "16", hide: crawls.HideURLs, calibration: 0.06, similarAt: 0.5, precisionSimilar: 0.98, recallSimilar: 0.9, precisionRewritten: 0.9, recallRewritten: 0.5},
	} {
		b.check(t, evaluated(t, Step{From: b.from, To: b.to, Crawls: crawlsOf(t, runs[0], runs[1]), Hide: b.hide}))
	}
}

func preset(t *testing.T) config.Config {
	t.Helper()
	c, err := config.Preset(config.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// runOf clusters an input and opens the run until the test ends.
func runOf(t *testing.T, c config.Config, input string) *runs.Run {
	t.Helper()
	out := filepath.Join(t.TempDir(), "run")
	if _, err := pipeline.Cluster(t.Context(), out, []string{input}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := runs.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// versionRuns clusters versions of a site.
func versionRuns(t *testing.T, dir string, c config.Config, versions []string) (runs []*runs.Run) {
	t.Helper()
	for _, v := range versions {
		runs = append(runs, runOf(t, c, filepath.Join(dir, "pages-"+v+".jsonl.gz")))
	}
	return runs
}

func crawlsOf(t *testing.T, older, newer *runs.Run) *crawls.TwoCrawls {
	t.Helper()
	s, err := crawls.NewTwoCrawls(older, newer)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func evaluated(t *testing.T, step Step) *Result {
	t.Helper()
	all, err := Evaluate(t.Context(), []Step{step})
	if err != nil {
		t.Fatal(err)
	}
	return &all[0]
}
