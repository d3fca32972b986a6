package plan

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/sample"
)

func preset(t *testing.T, views ...string) config.Config {
	t.Helper()
	c, err := config.Preset("paper2000")
	must(t, err)
	if len(views) > 0 {
		c.Views = views
	}
	return c
}

// pages writes an input of n pages of the sample, times over with other URLs.
func pages(t *testing.T, n, times int) string {
	t.Helper()
	all, err := io.ReadAll(sample.Open())
	must(t, err)
	some := bytes.Join(bytes.SplitAfterN(all, []byte("\n"), n+1)[:n], nil)
	var out []byte
	for i := range times {
		out = append(out, bytes.ReplaceAll(some, []byte("https://"), []byte("https://"+strings.Repeat("x", i)))...)
	}
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	must(t, os.WriteFile(path, out, 0o600))
	return path
}

// TestSmall checks that the plan of a small input has the stages and the counts of the run, for each choice of views,
// and that nothing is left behind.
func TestSmall(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, views := range [][]string{{config.Topical}, {config.Syntactic}} {
		c, in := preset(t, views...), []string{pages(t, 60, 1)}
		p, err := For(t.Context(), in, c, Limits{})
		must(t, err)
		r, err := pipeline.Cluster(t.Context(), filepath.Join(t.TempDir(), "run"), in, c, pipeline.Options{})
		must(t, err)
		var want, got []string
		for _, s := range r.Manifest.Stages {
			want = append(want, s.Name)
		}
		for _, s := range p.Stages {
			got = append(got, s.Name)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("stages of a run (-) and of a plan (+):\n%s", d)
		}
		if d := cmp.Diff(r.Manifest.Counts, p.Counts); d != "" {
			t.Errorf("counts of a run (-) and of a plan (+):\n%s", d)
		}
		if p.Share != 1 || !p.Fits || p.Seconds <= 0 || p.Disk < r.Manifest.Stages[0].PeakDisk {
			t.Errorf("%+v", p)
		}
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "lshclust-plan*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestLarge checks the plan of an input larger than the excerpts: what grows with the input is predicted within a
// half, and limits that are too small are reported.
func TestLarge(t *testing.T) {
	in := pages(t, 150, 8)
	p, err := For(t.Context(), []string{in}, preset(t, config.Syntactic), Limits{Disk: 1 << 20})
	must(t, err)
	if n := p.Counts["pages"]; p.Share >= 1 || n < 600 || n > 1800 || p.Fits || p.Disk <= 1<<20 {
		t.Errorf("1200 pages: %+v", p)
	}
}

// TestGrown extrapolates from 1 % and 4 % figures of which the whole is known.
func TestGrown(t *testing.T) {
	for _, x := range []struct {
		name        string
		a, b        float64
		least, most float64
	}{
		{"what is in the input", 100, 400, 9999, 10_001},
		{"what every run takes, and what is in the input", 150, 450, 10_049, 10_051},
		{"a constant", 7, 7, 7, 7},
		{"pairs of any two pages", 100, 1600, 30_000, 1e6},
		{"none in the smaller excerpt", 0, 16, 500, 600},
		{"nothing", 0, 0, 0, 0},
		{"less in the larger excerpt", 9, 5, 5, 5},
	} {
		if got := Grown(x.a, x.b, 0.01, 0.04); math.IsNaN(got) || got < x.least || got > x.most {
			t.Errorf("%s: %.1f, want %.1f to %.1f", x.name, got, x.least, x.most)
		}
	}
}

// TestRefused checks inputs of which there is no plan.
func TestRefused(t *testing.T) {
	c := preset(t)
	empty := filepath.Join(t.TempDir(), "empty.jsonl")
	must(t, os.WriteFile(empty, nil, 0o600))
	if _, err := For(t.Context(), []string{"-"}, c, Limits{}); !errors.Is(err, ErrStream) {
		t.Errorf("standard input: %v", err)
	}
	if _, err := For(t.Context(), []string{filepath.Join(t.TempDir(), "missing")}, c, Limits{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if p, err := For(t.Context(), []string{empty}, c, Limits{}); err != nil || p.Counts["documents"] != 0 || p.Share != 1 {
		t.Errorf("an empty file: %+v, %v", p, err)
	}
}

// must ends a test if a step of it fails.
func must(t interface {
	Helper()
	Fatal(args ...any)
}, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
