package plan

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/pipeline"
)

func preset(t *testing.T, name string, views ...string) config.Config {
	t.Helper()
	c, err := config.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(views) > 0 {
		c.Views = views
	}
	return c
}

func pages(t *testing.T) string {
	t.Helper()
	all, err := io.ReadAll(sample.Open())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	if err := os.WriteFile(path, bytes.Join(bytes.SplitAfterN(all, []byte("\n"), 151)[:150], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestStages checks that a plan has a row for every stage of a run, in their order, with each choice of views, and that
// the plan of a small input has the figures of the run.
func TestStages(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, views := range [][]string{{config.Topical}, {config.Syntactic}, {config.Topical, config.Syntactic}} {
		c, in := preset(t, "paper2000", views...), []string{pages(t)}
		p, err := For(t.Context(), in, c, Options{Seconds: 60})
		if err != nil {
			t.Fatal(err)
		}
		r, err := pipeline.Cluster(t.Context(), filepath.Join(t.TempDir(), "run"), in, c, pipeline.Options{Predicted: p.Manifest()})
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, s := range r.Manifest.Stages {
			want = append(want, s.Name)
			if _, ok := r.Manifest.Prediction(s.Name); !ok {
				t.Errorf("the manifest has no prediction of the stage %s", s.Name)
			}
		}
		for _, s := range p.Stages {
			got = append(got, s.Name)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("stages of a run (-) and of a plan (+):\n%s", d)
		}
		n := r.Manifest.Counts
		if p.Share != 1 || p.Documents != n["documents"] || p.Links != n["links"] || p.TopicalPairs != n["topical_pairs"] || p.SyntacticPairs != n["syntactic_pairs"] {
			t.Errorf("%+v\nand the run has %v", p, n)
		}
		if !p.Fits || p.Seconds <= 0 || p.Disk < r.Manifest.Stages[0].PeakDisk {
			t.Errorf("%+v", p)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 && slices.ContainsFunc(left, func(e os.DirEntry) bool { return e.Name()[:min(9, len(e.Name()))] == "lshclust-" }) {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// trials returns two trials in which a quantity has the values a and b.
func trials(q Quantity, a, b float64) []Trial {
	out := []Trial{{Share: 0.01}, {Share: 0.04}}
	out[0].Figures[q], out[1].Figures[q] = a, b
	return out
}

// TestExtrapolate extrapolates from 1 % and 4 % of an input quantities of which the whole is known.
func TestExtrapolate(t *testing.T) {
	c := preset(t, "paper2000")
	for _, x := range []struct {
		name       string
		of         Quantity
		a, b, want float64
	}{
		{"what is in the input", Links, 100, 400, 10_000},
		{"a noisy excerpt", Links, 140, 400, 10_000},
		{"pairs of any two pages", SyntacticPairs, 100, 1600, 1e6},
		{"pairs within pieces", SyntacticPairs, 100, 400, 10_000},
		{"no pair in the smaller excerpt", SyntacticPairs, 0, 16, 10_000},
		{"nothing", SyntacticPairs, 0, 0, 0},
	} {
		if got := Extrapolate(trials(x.of, x.a, x.b), c)[x.of]; math.Abs(got-x.want) > x.want/1e6 {
			t.Errorf("%s: %.1f, want %.1f", x.name, got, x.want)
		}
	}
}

// TestSeen extrapolates the documents of crawls that are known from a tenth of them.
func TestSeen(t *testing.T) {
	const once, again, each = 1000, 500, 3.0 // each: how often one of the second kind occurs in a tenth
	tenth := once + again*(1-math.Exp(-each))
	seen := Seen{Once: once + again*each*math.Exp(-each), Twice: again * each * each / 2 * math.Exp(-each)}
	for _, x := range []struct {
		name    string
		seen    Seen
		d, want float64
	}{
		{"both kinds", seen, tenth, 10*once + again},
		{"all once", Seen{Once: 100}, 100, 1000},
		{"none once", Seen{}, 100, 100},
		{"closed", Seen{Once: again * each * math.Exp(-each), Twice: seen.Twice}, again * (1 - math.Exp(-each)), again},
	} {
		if got := x.seen.mixture(x.d, 10); math.Abs(got-x.want) > x.want/1e3 {
			t.Errorf("%s: %.1f documents, want %.1f", x.name, got, x.want)
		}
	}
	// Half of the documents occur once, and as many twice as if documents grew with the square root.
	if got := (Seen{Once: 50, Twice: 12.5}).documents(100, 100, 0); got > 1000.1 || got < 500 {
		t.Errorf("%.1f documents, want up to 1000", got)
	}
	if got := (Seen{}).documents(0, 100, 0); got != 0 {
		t.Errorf("%.1f documents of none", got)
	}
}

// TestPerNode checks that topical pairs do not grow with the square.
func TestPerNode(t *testing.T) {
	some := trials(TopicalPairs, 100, 1600)
	some[0].Figures[Nodes], some[1].Figures[Nodes] = 100, 400
	some[0].Figures[Documents], some[1].Figures[Documents] = 100, 400
	got := Extrapolate(some, preset(t, "web"))
	if perNode, was := got[TopicalPairs]/got[Nodes], 1600.0/400; perNode < was || perNode > 1.5*was {
		t.Errorf("%.1f pairs a node, %.1f in the excerpt", perNode, was)
	}
}

// TestPredict checks that a plan for a machine that is twice as slow is twice as long, and that a stage that is dearer
// than usual in the trial is dearer in the plan.
func TestPredict(t *testing.T) {
	c := preset(t, "web")
	var small, large Figures
	for q := range quantities {
		small[q], large[q] = 1e5, 1e7
	}
	small[Fixed], large[Fixed] = 1, 1
	trial := Trial{Share: 0.01, Figures: small}
	for _, s := range costsFor(c) {
		trial.Stages = append(trial.Stages, Cost{Stage: s.stage, CPU: s.cpu.of(small), Disk: int64(s.disk.of(small))})
	}
	of := func(t ...Trial) (out []Cost) { return Predict(large, t, c, 1<<30) }
	usual := of(trial)
	slow := trial
	slow.Stages = slices.Clone(trial.Stages)
	for i := range slow.Stages {
		slow.Stages[i].CPU *= 2
	}
	for i, s := range of(slow) {
		if want := usual[i]; math.Abs(s.CPU-2*want.CPU) > want.CPU/1e6 || s.Disk != want.Disk || s.Memory != want.Memory || s.Memory <= 0 || s.Memory > 1<<30 {
			t.Errorf("on a slow machine %+v, usually %+v", s, want)
		}
	}
	slow.Stages = slices.Clone(trial.Stages)
	slow.Stages[6].CPU *= 3
	for i, s := range of(slow) {
		if r := s.CPU / usual[i].CPU; (i == 6) != (r > 2) {
			t.Errorf("%s: %.2f times as long", s.Stage, r)
		}
	}

	// What every run costs is added once and not multiplied.
	const fixed = 0.2
	first := Trial{Share: 0.001}
	for q := range quantities {
		first.Figures[q] = small[q] / 10
	}
	for i, s := range costsFor(c) {
		slow.Stages[i].CPU = trial.Stages[i].CPU + fixed
		first.Stages = append(first.Stages, Cost{Stage: s.stage, CPU: s.cpu.of(first.Figures) + fixed})
	}
	for i, s := range of(first, slow) {
		if want := usual[i].CPU + fixed; math.Abs(s.CPU-want) > want/1e6 {
			t.Errorf("%s takes %.3f s, want %.3f", s.Stage, s.CPU, want)
		}
	}
}

// TestJudge checks the verdict and the advice.
func TestJudge(t *testing.T) {
	less := []setting{{"--views topical", "", 60}, {"--keep sketches", "", 120}}
	for _, x := range []struct {
		disk, memory int64
		fits         bool
		advice       []string
	}{
		{0, 0, true, nil},
		{100, 1 << 30, true, nil},
		{99, 1 << 30, false, []string{"free space", "--views topical"}},
		{50, 1 << 30, false, []string{"free space"}},
		{100, 1 << 20, false, []string{"--memory 2MiB"}},
		{99, 1 << 20, false, []string{"--memory 2MiB", "free space", "--views topical"}},
	} {
		p := Plan{Limits: Limits{Disk: x.disk, Memory: x.memory}}
		p.add([]Cost{{"read", 1, 1, 20}, {"pair", 1, 1, 80}, {"resemble", 1, 1, 90}, {"publish", 1, 1, 100}})
		p.judge(2<<20, less)
		if p.Fits != x.fits || !slices.EqualFunc(p.Advice, x.advice, strings.HasPrefix) {
			t.Errorf("disk %d, memory %d: fits %t, %q", x.disk, x.memory, p.Fits, p.Advice)
		}
	}
}

// TestLessDisk checks that each setting that is recommended takes less disk than the run.
func TestLessDisk(t *testing.T) {
	var f Figures
	for q := range quantities {
		f[q] = 1e7
	}
	f[Fixed], f[Pages] = 1, 1e4
	c := preset(t, "web")
	p := Plan{Limits: Limits{Memory: 1 << 30}}
	p.add(Predict(f, nil, c, 1<<30))
	less := p.lessDisk(f, nil, c)
	if len(less) != 4 {
		t.Errorf("%+v", less)
	}
	for _, s := range less {
		if s.disk <= 0 || s.disk >= p.Disk {
			t.Errorf("%s takes %d of %d bytes", s.flags, s.disk, p.Disk)
		}
	}
}

// TestClosed extrapolates the documents of a closed crawl, in which 90 of 100 targets are pages, from a tenth of it.
func TestClosed(t *testing.T) {
	const pages, outside = 10_000, 1000
	linked := 0.6 * (pages + outside) // that a tenth of the pages link to
	s := Seen{Once: linked / 2, Twice: linked / 5, Linked: linked, Both: linked * pages / (pages + outside) / 10}
	d := pages/10 + linked - s.Both
	if got := s.documents(d, 10, pages); math.Abs(got-(pages+outside)) > .15*pages {
		t.Errorf("%.0f documents, want %d", got, pages+outside)
	}
	if s.Both = 0; s.documents(d, 10, pages) < 15_000 {
		t.Error("an open crawl has as few documents as a closed one")
	}
}

// TestGrowPairs extrapolates the pairs of a run that stores all pairs, from two excerpts.
func TestGrowPairs(t *testing.T) {
	c := preset(t, "paper2000")
	of := func(pairs func(nodes float64) float64) float64 {
		all := make([]Trial, 3)
		for i := range all {
			n := math.Pow(4, float64(i)) * 1000
			all[i] = Trial{Share: n / 1e6}
			all[i].Figures[Nodes], all[i].Figures[Documents], all[i].Figures[TopicalPairs] = n, n, pairs(n)
			all[i].Seen.Once = n
		}
		return Extrapolate(all, c)[TopicalPairs] / pairs(1e6)
	}
	for name, x := range map[string]struct {
		pairs       func(float64) float64
		least, most float64
	}{
		"of lists":     {func(n float64) float64 { return 3 * n }, .99, 1.01},
		"of all nodes": {func(n float64) float64 { return n * n / 1e5 }, .99, 1.01},
		"of both":      {func(n float64) float64 { return n + n*n/1e5 }, .3, 1.01},
	} {
		if got := of(x.pairs); got < x.least || got > x.most {
			t.Errorf("pairs %s: %.2f of them", name, got)
		}
	}
}

// TestRefused checks inputs of which there is no plan.
func TestRefused(t *testing.T) {
	c := preset(t, "web")
	empty := filepath.Join(t.TempDir(), "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := For(t.Context(), []string{"-"}, c, Options{}); !errors.Is(err, ErrStream) {
		t.Errorf("standard input: %v", err)
	}
	if _, err := For(t.Context(), []string{filepath.Join(t.TempDir(), "missing")}, c, Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if p, err := For(t.Context(), []string{empty}, c, Options{}); err != nil || p.Documents != 0 {
		t.Errorf("an empty file: %+v, %v", p, err)
	}
}

// TestSize checks the figures that people read.
func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "1MiB", 1 << 20: "1MiB", 3 << 19: "2MiB", 1 << 30: "1.0GiB", 25 << 30: "25GiB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
