package score_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/lab/score"
)

// TestAgainstScript compares over real golds and rankings that know a part of the gold.
func TestAgainstScript(t *testing.T) {
	directory, docs := shareddata.Dir(t, "directory"), shareddata.Dir(t, "docs")
	for _, path := range []string{
		filepath.Join(directory, "gold-selfhosted.tsv"), filepath.Join(directory, "gold-cncf.tsv"), filepath.Join(docs, "gold.tsv"),
	} {
		t.Run(filepath.Base(filepath.Dir(path))+"-"+filepath.Base(path), func(t *testing.T) {
			g, err := gold.Read(path, urls.DefaultRules())
			if err != nil {
				t.Fatal(err)
			}
			d, err := score.NewDirectory(g.Labels, 3)
			if err != nil {
				t.Fatal(err)
			}
			r, barred := informed(d)
			agrees(t, d.ScoreRanking(r, score.Options{Barred: barred}), script(t, path, d, r, threeOnAPage(t, d)...))
			agrees(t, d.ScoreRanking(r, score.Options{}), script(t, path, d, r))
		})
	}
}

// informed makes a ranking that is better than chance and far from perfect, with ties and empty lists.
func informed(d *score.Directory) (score.Ranking, score.CoLinks) {
	rng := rand.New(rand.NewPCG(7, 7))
	r := score.Ranking{Name: "informed", Lists: make([][]score.Neighbour, d.Len())}
	barred := make(score.CoLinks, d.Len())
	for i := range d.Len() {
		if rng.IntN(10) == 0 {
			continue
		}
		for _, j := range rng.Perm(d.Len())[:25] {
			if j != i {
				s := float64(rng.IntN(40)+8*d.Shared(i, j)*rng.IntN(3)) / 100
				r.Lists[i] = append(r.Lists[i], score.Neighbour{Target: int32(j), Similarity: s})
			}
		}
		for j := max(0, i-2); j < min(d.Len(), i+3); j++ {
			if j != i && !slices.ContainsFunc(r.Lists[i], func(n score.Neighbour) bool { return n.Target == int32(j) }) {
				r.Lists[i] = append(r.Lists[i], score.Neighbour{Target: int32(j), Similarity: .3})
			}
		}
		slices.SortStableFunc(r.Lists[i], func(a, b score.Neighbour) int { return -cmp.Compare(a.Similarity, b.Similarity) })
	}
	for i := range barred { // three targets on a page
		for j := i / 3 * 3; j < min(d.Len(), i/3*3+3); j++ {
			if j != i {
				barred[i] = append(barred[i], int32(j))
			}
		}
	}
	return r, barred
}

// threeOnAPage writes the links of informed and returns the arguments that hand them over.
func threeOnAPage(t *testing.T, d *score.Directory) []string {
	t.Helper()
	var links bytes.Buffer
	for i := range d.Len() {
		fmt.Fprintf(&links, "page%d\t%s\n", i/3, d.URL(i))
	}
	file := filepath.Join(t.TempDir(), "links.tsv")
	if err := os.WriteFile(file, links.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{"--links", file}
}

// script runs the reference over a ranking.
func script(t *testing.T, path string, d *score.Directory, r score.Ranking, args ...string) map[string]any {
	t.Helper()
	program := filepath.Join(filepath.Dir(shareddata.Dir(t, "")), "tools", "score_topical.py")
	python, err := exec.LookPath("python3")
	if err == nil {
		_, err = os.Stat(program)
	}
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	var near bytes.Buffer
	for i, list := range r.Lists {
		for _, n := range list {
			fmt.Fprintf(&near, "%s\t%s\t%v\n", d.URL(i), d.URL(int(n.Target)), n.Similarity)
		}
	}
	c := exec.Command(python, append([]string{program, path, "-"}, args...)...)
	c.Stdin, c.Stderr = &near, os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

// scriptNames turns the names of figures into those of the script.
var scriptNames = strings.NewReplacer("same_category_of_covered_", "agree", "same_category_", "hit", "precision_10_", "p10_", "chance_", "chance", "_ordered", "_orderable")

// agrees compares every field that the script prints: counts exactly, figures to three digits.
func agrees(t *testing.T, s score.RankingScores, want map[string]any) {
	t.Helper()
	got := map[string]any{"queries": float64(s.Queries), "covered": float64(s.Covered), "colinked": s.CoLinked, "depth": float64(s.Depth)}
	for _, n := range s.Figures() {
		name := scriptNames.Replace(n.Name)
		if got[name] = nil; n.Figure.Defined() {
			got[name] = n.Figure.Value
		}
	}
	for _, region := range []string{"sibling", "cousin", "unrelated"} {
		if _, ok := got[region+"_gamma"]; !ok {
			got[region+"_gamma"], got[region+"_orderable"] = nil, nil
		}
		got[region+"_sources"] = 0.
	}
	for _, g := range s.Gamma {
		got[g.Region+"_sources"] = float64(g.Sources)
	}
	if len(got) != len(want) {
		t.Errorf("%d fields, the script has %d", len(got), len(want))
	}
	for name, w := range want {
		x, isNumber := got[name].(float64)
		y, also := w.(float64)
		switch {
		case isNumber != also || !isNumber && got[name] != w:
			t.Errorf("%s: %v, the script says %v", name, got[name], w)
		case isNumber && math.Abs(x-y) > tolerance(name):
			t.Errorf("%s: %v, the script says %v", name, x, y)
		}
	}
}

// tolerance is half of the last digit that the script prints.
func tolerance(name string) float64 {
	switch {
	case name == "found10":
		return .005001
	case strings.HasSuffix(name, "orderable"):
		return .00000051
	}
	return .000051
}
