package eval

import (
	"bytes"
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

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/shareddata"
	"pgregory.net/rapid"
)

// worked is a directory of six targets a to f, small enough to be scored by hand.
func worked(t *testing.T) (*Directory, Ranking) {
	t.Helper()
	var labels []Label
	for _, l := range []string{"a X/L/1", "b X/L/1", "c X/L/2", "d X/M/1", "e Y/N/1", "f Y/N/1", "f X/M/1"} {
		url, path, _ := strings.Cut(l, " ")
		labels = append(labels, Label{url, strings.Split(path, "/")})
	}
	d, err := NewDirectory(labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	r := Ranking{Name: "worked", Lists: make([][]Neighbour, 6)}
	r.Lists[0] = []Neighbour{{1, .9}, {3, .5}, {2, .5}, {4, .1}}
	r.Lists[1] = []Neighbour{{4, .4}}
	r.Lists[2] = []Neighbour{{0, .3}}
	r.Lists[4] = []Neighbour{{5, .2}}
	if err := r.Check(d); err != nil {
		t.Fatal(err)
	}
	return d, r
}

func figuresOf(s Scores) map[string]float64 {
	out := map[string]float64{}
	for _, n := range s.Figures() {
		out[n.Name] = math.Inf(1)
		if n.Figure.Defined() {
			out[n.Name] = n.Figure.Value
		}
	}
	return out
}

// TestWorkedByHand: shared levels are a-b 3, a-c 2, a-d 1, a-e 0, a-f 1, b-e 0, d-f 3, e-f 3; sizes and pairs were
// counted on paper.
func TestWorkedByHand(t *testing.T) {
	d, r := worked(t)
	undefined := math.Inf(1)
	for _, c := range []struct {
		name string
		o    Options
		want map[string]float64
	}{
		{"all", Options{}, map[string]float64{
			"coverage": 4. / 6, "found10": 7. / 4, "agree1": 3. / 4, "agree2": 3. / 4, "agree3": 2. / 4, "hit1": 3. / 6, "hit3": 2. / 6,
			"p10_1": 2.75 / 4, "p10_2": 2.5 / 4, "p10_3": 1.25 / 4, "chance1": 22. / 30, "chance2": 10. / 30, "chance3": 6. / 30,
			"sibling_gamma": 1, "sibling_orderable": 1. / 2, "cousin_gamma": 1, "cousin_orderable": 5. / 21,
			"unrelated_gamma": 1.5 / 4, "unrelated_orderable": 13. / 20,
		}},
		{"without a-b", Options{Barred: CoLinks{{1}, {0}, nil, nil, nil, nil}}, map[string]float64{
			"coverage": 4. / 6, "agree1": 3. / 4, "agree2": 2. / 4, "agree3": 1. / 4, "chance1": 4.3 / 6, "sibling_gamma": undefined,
		}},
		{"queries a and d", Options{Queries: func(i int) bool { return i == 0 || i == 3 }}, map[string]float64{
			"coverage": 1. / 2, "agree1": 1, "hit3": 1. / 2, "p10_2": 2. / 4, "chance1": 4. / 5, "chance3": 1. / 5,
			"sibling_gamma": 1, "sibling_orderable": 1, "cousin_orderable": 3. / 7,
		}},
		{"a query without a list", Options{Queries: func(i int) bool { return i == 3 }}, map[string]float64{
			"coverage": 0, "agree1": undefined, "hit1": 0, "found10": undefined, "sibling_gamma": undefined, "sibling_orderable": undefined, "unrelated_orderable": 0,
		}},
		{"no query", Options{Queries: func(int) bool { return false }, Bootstrap: 10}, map[string]float64{
			"coverage": undefined, "hit1": undefined, "chance1": undefined, "unrelated_orderable": undefined,
		}},
	} {
		got := figuresOf(d.Score(r, c.o))
		for name, want := range c.want {
			if math.Abs(got[name]-want) > 1e-12 {
				t.Errorf("%s: %s is %v, worked out %v", c.name, name, got[name], want)
			}
		}
	}
}

// random makes a directory with several paths a target and a ranking with ties.
func random(seed uint64, n, categories int) (*Directory, Ranking, CoLinks) {
	rng := rand.New(rand.NewPCG(seed, 1))
	var labels []Label
	for i := range n {
		for range 1 + rng.IntN(3)*rng.IntN(2) {
			var path []string
			for range 1 + rng.IntN(4) {
				path = append(path, fmt.Sprint("c", rng.IntN(categories)))
			}
			labels = append(labels, Label{fmt.Sprintf("https://%04d.org", i), path})
		}
	}
	d, err := NewDirectory(labels, 3)
	if err != nil {
		panic(err)
	}
	r := Ranking{Name: "random", Lists: make([][]Neighbour, n)}
	barred := make(CoLinks, n)
	for i := range n {
		for _, j := range rng.Perm(n)[:rng.IntN(min(n, 30))] {
			if j != i {
				r.Lists[i] = append(r.Lists[i], Neighbour{int32(j), float64(rng.IntN(9)) / 8})
			}
		}
		slices.SortStableFunc(r.Lists[i], func(a, b Neighbour) int { return -cmpFloat(a.Similarity, b.Similarity) })
	}
	for range n {
		a, b := rng.IntN(n), rng.IntN(n)
		if a != b && !slices.Contains(barred[a], int32(b)) {
			barred[a], barred[b] = append(barred[a], int32(b)), append(barred[b], int32(a))
		}
	}
	for i := range barred {
		slices.Sort(barred[i])
	}
	return d, r, barred
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// TestAgainstDefinition compares with figures that go over all pairs and triples of targets, as the definition reads.
func TestAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, r, barred := random(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(2, 40).Draw(t, "targets"), rapid.IntRange(1, 4).Draw(t, "categories"))
		if err := r.Check(d); err != nil {
			t.Fatal(err)
		}
		if !rapid.Bool().Draw(t, "apart") {
			barred = nil
		}
		got := figuresOf(d.Score(r, Options{Barred: barred}))
		for name, want := range defined(d, r, barred) {
			if math.IsInf(want, 1) != math.IsInf(got[name], 1) || math.Abs(got[name]-want) > 1e-9 {
				t.Fatalf("%s is %v, by its definition %v", name, got[name], want)
			}
		}
	})
}

// defined works chance and gamma out over all pairs of targets.
func defined(d *Directory, r Ranking, barred CoLinks) map[string]float64 {
	out := map[string]float64{}
	may := func(q, x int) bool {
		return q != x && (barred == nil || !slices.Contains(barred[q], int32(x)))
	}
	ratio := func(a, b float64) float64 {
		if b == 0 {
			return math.Inf(1)
		}
		return a / b
	}
	for k := 1; k <= 3; k++ {
		total := 0.0
		for q := range d.Len() {
			agree, all := 0, 0
			for x := range d.Len() {
				if may(q, x) {
					all++
					if d.Shared(q, x) >= k {
						agree++
					}
				}
			}
			total += share(agree, all)
		}
		out[fmt.Sprint("chance", k)] = total / float64(d.Len())
	}
	depth := d.UsualDepth()
	distance := func(q, x int) int { // depth + 1: not in the directory at this depth
		least := depth + 1
		for _, p := range d.Paths(q) {
			for _, o := range d.Paths(x) {
				if len(p) < depth || len(o) < depth {
					continue
				}
				k := 0
				for k < depth && p[k] == o[k] {
					k++
				}
				least = min(least, depth-k)
			}
		}
		return least
	}
	for far := 1; far <= depth; far++ {
		var score, sources, ordered, pairs float64
		for q := range d.Len() {
			similarity := make([]float64, d.Len())
			for _, n := range r.Lists[q] {
				similarity[n.Target] = n.Similarity
			}
			var right, wrong float64
			for x := range d.Len() {
				if !may(q, x) || distance(q, x) > far-1 {
					continue
				}
				for y := range d.Len() {
					if !may(q, y) || distance(q, y) != far {
						continue
					}
					pairs++
					switch cmpFloat(similarity[x], similarity[y]) {
					case 1:
						right++
					case -1:
						wrong++
					}
				}
			}
			if right+wrong > 0 {
				score, sources, ordered = score+(right-wrong)/(right+wrong), sources+1, ordered+right+wrong
			}
		}
		out[regionNames[far-1]+"_gamma"] = ratio(score, sources)
		out[regionNames[far-1]+"_orderable"] = ratio(ordered, pairs)
	}
	return out
}

// TestAgainstScript compares with the reference script, which shares no code with this package, over real golds and
// rankings that know a part of the gold.
func TestAgainstScript(t *testing.T) {
	directory, docs := shareddata.Dir(t, "directory"), shareddata.Dir(t, "docs")
	for _, gold := range []string{filepath.Join(directory, "gold-cncf.tsv"), filepath.Join(directory, "gold-selfhosted.tsv"), filepath.Join(docs, "gold.tsv")} {
		t.Run(filepath.Base(filepath.Dir(gold))+"-"+filepath.Base(gold), func(t *testing.T) {
			g, err := ReadGold(gold, crawl.DefaultRules())
			if err != nil {
				t.Fatal(err)
			}
			d, err := NewDirectory(g.Labels, 3)
			if err != nil {
				t.Fatal(err)
			}
			r, barred := informed(d)
			for _, o := range []Options{{}, {Barred: barred}} {
				var links []string
				if o.Barred != nil {
					links = threeOnAPage(t, d)
				}
				agrees(t, d.Score(r, o), script(t, gold, d, r, links...))
			}
		})
	}
}

// informed makes a ranking that is better than chance and far from perfect, with ties and empty lists.
func informed(d *Directory) (Ranking, CoLinks) {
	rng := rand.New(rand.NewPCG(7, 7))
	r := Ranking{Name: "informed", Lists: make([][]Neighbour, d.Len())}
	barred := make(CoLinks, d.Len())
	for i := range d.Len() {
		if rng.IntN(10) == 0 {
			continue
		}
		for _, j := range rng.Perm(d.Len())[:25] {
			if j != i {
				s := float64(rng.IntN(40)+8*d.Shared(i, j)*rng.IntN(3)) / 100
				r.Lists[i] = append(r.Lists[i], Neighbour{int32(j), s})
			}
		}
		for j := max(0, i-2); j < min(d.Len(), i+3); j++ {
			if j != i && !slices.ContainsFunc(r.Lists[i], func(n Neighbour) bool { return n.Target == int32(j) }) {
				r.Lists[i] = append(r.Lists[i], Neighbour{int32(j), .3})
			}
		}
		slices.SortStableFunc(r.Lists[i], func(a, b Neighbour) int { return -cmpFloat(a.Similarity, b.Similarity) })
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
func threeOnAPage(t *testing.T, d *Directory) []string {
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
func script(t *testing.T, gold string, d *Directory, r Ranking, args ...string) map[string]any {
	t.Helper()
	path := filepath.Join(filepath.Dir(shareddata.Dir(t, "")), "tools", "score_topical.py")
	python, err := exec.LookPath("python3")
	if err == nil {
		_, err = os.Stat(path)
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
	c := exec.Command(python, append([]string{path, gold, "-"}, args...)...)
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

// agrees compares every field that the script prints: counts exactly, figures to three digits.
func agrees(t *testing.T, s Scores, want map[string]any) {
	t.Helper()
	got := map[string]any{"queries": float64(s.Queries), "covered": float64(s.Covered), "colinked": s.CoLinked, "depth": float64(s.Depth)}
	for _, n := range s.Figures() {
		if got[n.Name] = nil; n.Figure.Defined() {
			got[n.Name] = n.Figure.Value
		}
	}
	for _, region := range regionNames {
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

func TestIntervals(t *testing.T) {
	d, r, barred := random(3, 300, 5)
	o := Options{Bootstrap: 200, Seed: 1, Barred: barred, InLinks: make([]int, d.Len())}
	for i := range o.InLinks {
		o.InLinks[i] = i%13 - 1
	}
	s := d.Score(r, o)
	again, err := json.Marshal(d.Score(r, o))
	if err != nil {
		t.Fatal(err)
	}
	if first, _ := json.Marshal(s); !bytes.Equal(first, again) {
		t.Error("the same seed gives other bytes")
	}
	for _, n := range s.Figures() {
		for _, i := range []*Interval{n.Figure.Queries, n.Figure.Lists} {
			if i == nil {
				t.Errorf("%s has no interval", n.Name)
			} else if !(i.Low <= n.Figure.Value && n.Figure.Value <= i.High) || n.Figure.Value > 0 && i.Low == i.High {
				t.Errorf("%s: %v outside of %v", n.Name, n.Figure.Value, *i)
			}
		}
	}
	// The interval of a share has the width of the normal approximation.
	c := s.Coverage
	want := 2 * 1.96 * math.Sqrt(c.Value*(1-c.Value)/float64(s.Queries))
	if w := c.Queries.High - c.Queries.Low; w < .75*want || w > 1.3*want {
		t.Errorf("coverage %v: interval of %v, by the normal approximation %v", c.Value, w, want)
	}
	queries := 0
	for _, b := range s.InLinks {
		queries += b.Scores.Queries
	}
	if queries != d.Len() || len(s.InLinks) != len(inLinkBins) {
		t.Errorf("%d bins with %d queries of %d", len(s.InLinks), queries, d.Len())
	}
}

func TestPaired(t *testing.T) {
	d, r := worked(t)
	same := d.Paired(r, r, Options{Bootstrap: 100})
	for _, n := range same.Figures {
		if f := n.Figure; f.Value != 0 || f.Queries != nil && (f.Queries.Low != 0 || f.Queries.High != 0) {
			t.Errorf("%s of a ranking against itself: %+v", n.Name, f)
		}
	}
	worse := Ranking{Name: "worse", Lists: slices.Clone(r.Lists)}
	worse.Lists[0] = []Neighbour{{4, .9}}
	diff := d.Paired(r, worse, Options{Bootstrap: 100})
	for _, n := range diff.Figures {
		if n.Name == "hit1" && math.Abs(n.Figure.Value-1./6) > 1e-12 {
			t.Errorf("hit1 differs by %v, want 1/6", n.Figure.Value)
		}
	}
}
