package pairs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/lab/labtest"
)

// prose returns n words, the same for the same name.
func prose(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d ", name, i)
	}
	return "<p>" + b.String()
}

func syntacticRun(t *testing.T, pages ...[2]string) *runs.Run {
	t.Helper()
	c := labtest.Preset(t, "web")
	c.Views, c.Strip = []string{config.Syntactic}, "none"
	return labtest.Run(t, c, labtest.Crawl(t, pages...))
}

// Pairs that are equal, half alike, contained and dissimilar, on one host and on two.
func TestEvaluate(t *testing.T) {
	r := syntacticRun(t,
		[2]string{"https://a.example/1", prose("x", 200)}, [2]string{"https://a.example/2", prose("x", 200)},
		[2]string{"https://b.example/3", prose("x", 190) + prose("y", 10)}, [2]string{"https://b.example/4", prose("z", 200)},
		[2]string{"https://b.example/5", prose("z", 60)})
	g, err := Read(labtest.File(t, "#a\tb\tlabel\tresemblance\ta_in_b\tb_in_a\n"+
		"https://a.example/1\tHTTP://A.example/2/\tsame\t1\t1\t1\n"+
		"https://a.example/1\thttps://b.example/3\tnear\t0.9\t.95\t.95\n"+
		"https://b.example/4\thttps://b.example/5\tpart\t0.3\t.3\t1\n"+
		"https://a.example/1\thttps://b.example/4\tno\t0.6\t0\t0\n"+
		"https://a.example/1\thttps://c.example\tgone\t1\t1\t1\n"))
	if err != nil {
		t.Fatal(err)
	}
	x, err := Evaluate(context.Background(), g, r, NearDuplicates)
	if err != nil {
		t.Fatal(err)
	}
	if x.Known != 4 || len(x.Unknown) != 1 || x.Unknown[0].Examples[0] != `gold.tsv:6: "https://c.example"` || x.DifferMost != 0.6 {
		t.Errorf("%+v", x)
	}
	counts := func(b PairBin) [2]int { return [2]int{int(b.Found.Value*float64(b.Found.N) + .5), b.Found.N} }
	for i, want := range [][2]int{{2, 3}, {1, 1}, {1, 2}} { // at 0.5 or more in the gold: all, same host, cross host
		p := x.Parts[i]
		if got := counts(p.Bins[len(p.Bins)-1]); got != want || p.Hosts != []string{"all", "same host", "cross host"}[i] {
			t.Errorf("%s: %v, want %v", p.Hosts, got, want)
		}
	}
	if all := x.Parts[0]; counts(all.Own) != [2]int{2, 2} || all.Bins[2].Found.Value != 0 || all.Precision.N != 3 || all.Bins[0].Found.Defined() {
		t.Errorf("%+v", all)
	}
	// 2 and 3 are stored and named, but are not a pair of the gold.
	if p := x.Parts[0].Precision; p.Value < 0.66 || p.Value > 0.67 {
		t.Errorf("precision %+v", p)
	}
	x, err = Evaluate(context.Background(), g, r, Containment)
	if err != nil {
		t.Fatal(err)
	}
	if all := x.Parts[0]; counts(all.Own) != [2]int{3, 3} || counts(all.Bins[len(all.Bins)-1]) != [2]int{3, 3} {
		t.Errorf("containment: %+v", all)
	}
	g, _ = Read(labtest.File(t, "https://c.example\thttps://d.example\n"))
	if _, err := Evaluate(context.Background(), g, r, NearDuplicates); !errors.Is(err, eval.ErrNoOverlap) {
		t.Error(err)
	}
}

// In real texts, every part of a manual that its whole contains by the run's own shingles is stored as contained.
func TestLongPairsOfManuals(t *testing.T) {
	dir := shareddata.Dir(t, "neardup-manuals")
	c := labtest.Preset(t, "web")
	c.Views = []string{config.Syntactic}
	r := labtest.Run(t, c, dir+"/docs.jsonl.gz")
	g, err := Read(dir + "/pairs.tsv")
	if err != nil {
		t.Fatal(err)
	}
	x, err := Evaluate(context.Background(), g, r, Containment)
	if err != nil {
		t.Fatal(err)
	}
	if own := x.Parts[0].Own.Found; x.Known != 267 || own.N < 250 || own.Value < 0.99 || x.Differ.Value > 0.02 {
		t.Errorf("%d pairs known, found %+v, figures differ by %+v", x.Known, own, x.Differ)
	}
}
