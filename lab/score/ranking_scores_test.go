package score

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// worked returns a directory of six targets a to f, small enough to score by hand.
func worked(t *testing.T) (*Directory, Ranking) {
	t.Helper()
	var labels []Label
	for _, l := range []string{"a X/L/1", "b X/L/1", "c X/L/2", "d X/M/1", "e Y/N/1", "f Y/N/1", "f X/M/1"} {
		url, path, _ := strings.Cut(l, " ")
		labels = append(labels, Label{URL: url, Path: strings.Split(path, "/")})
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
	return d, r
}

func figuresOf(s RankingScores) map[string]float64 {
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
			"coverage": 4. / 6, "found10": 7. / 4, "same_category_of_covered_1": 3. / 4, "same_category_of_covered_2": 3. / 4, "same_category_of_covered_3": 2. / 4, "same_category_1": 3. / 6, "same_category_3": 2. / 6,
			"precision_10_1": 2.75 / 4, "precision_10_2": 2.5 / 4, "precision_10_3": 1.25 / 4, "chance_1": 22. / 30, "chance_2": 10. / 30, "chance_3": 6. / 30,
			"sibling_gamma": 1, "sibling_ordered": 1. / 2, "cousin_gamma": 1, "cousin_ordered": 5. / 21,
			"unrelated_gamma": 1.5 / 4, "unrelated_ordered": 13. / 20,
		}},
		{"without a-b", Options{Barred: CoLinks{{1}, {0}, nil, nil, nil, nil}}, map[string]float64{
			"coverage": 4. / 6, "same_category_of_covered_1": 3. / 4, "same_category_of_covered_2": 2. / 4, "same_category_of_covered_3": 1. / 4, "chance_1": 4.3 / 6, "sibling_gamma": undefined,
		}},
		{"queries a and d", Options{Queries: func(i int) bool { return i == 0 || i == 3 }}, map[string]float64{
			"coverage": 1. / 2, "same_category_of_covered_1": 1, "same_category_3": 1. / 2, "precision_10_2": 2. / 4, "chance_1": 4. / 5, "chance_3": 1. / 5,
			"sibling_gamma": 1, "sibling_ordered": 1, "cousin_ordered": 3. / 7,
		}},
		{"a query without a list", Options{Queries: func(i int) bool { return i == 3 }}, map[string]float64{
			"coverage": 0, "same_category_of_covered_1": undefined, "same_category_1": 0, "found10": undefined, "sibling_gamma": undefined, "sibling_ordered": undefined, "unrelated_ordered": 0,
		}},
		{"no query", Options{Queries: func(int) bool { return false }, Bootstrap: 10}, map[string]float64{
			"coverage": undefined, "same_category_1": undefined, "chance_1": undefined, "unrelated_ordered": undefined,
		}},
	} {
		got := figuresOf(d.ScoreRanking(r, c.o))
		for name, want := range c.want {
			if math.Abs(got[name]-want) > 1e-12 {
				t.Errorf("%s: %s is %v, worked out %v", c.name, name, got[name], want)
			}
		}
	}
}

// random returns a directory with several paths per target and a ranking with ties.
func random(seed uint64, n, categories int) (*Directory, Ranking, CoLinks) {
	rng := rand.New(rand.NewPCG(seed, 1))
	var labels []Label
	for i := range n {
		for range 1 + rng.IntN(3)*rng.IntN(2) {
			var path []string
			for range 1 + rng.IntN(4) {
				path = append(path, fmt.Sprint("c", rng.IntN(categories)))
			}
			labels = append(labels, Label{URL: fmt.Sprintf("https://%04d.org", i), Path: path})
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

// TestAgainstDefinition compares with figures computed over all pairs and triples of targets, as in the definition.
func TestAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, r, barred := random(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(2, 24).Draw(t, "targets"), rapid.IntRange(1, 4).Draw(t, "categories"))
		if !rapid.Bool().Draw(t, "apart") {
			barred = nil
		}
		got := figuresOf(d.ScoreRanking(r, Options{Barred: barred}))
		for name, want := range defined(d, r, barred) {
			if math.IsInf(want, 1) != math.IsInf(got[name], 1) || math.Abs(got[name]-want) > 1e-9 {
				t.Fatalf("%s is %v, by its definition %v", name, got[name], want)
			}
		}
	})
}

// defined computes chance and gamma over all pairs of targets.
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
		out[fmt.Sprint("chance_", k)] = total / float64(d.Len())
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
		out[regionNames[far-1]+"_ordered"] = ratio(ordered, pairs)
	}
	return out
}

func TestIntervals(t *testing.T) {
	d, r, barred := random(3, 300, 5)
	o := Options{Bootstrap: 200, Seed: 1, Barred: barred}
	s := d.ScoreRanking(r, o)
	again, err := json.Marshal(d.ScoreRanking(r, o))
	if err != nil {
		t.Fatal(err)
	}
	if first, _ := json.Marshal(s); !bytes.Equal(first, again) {
		t.Error("the same seed gives other bytes")
	}
	clusters := d.ScoreClusters(randomClusters(d, 4), o)
	for _, n := range append(s.Figures(), clusters.Figures()...) {
		if strings.HasPrefix(n.Name, "bcubed_chance") {
			continue
		}
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
}
