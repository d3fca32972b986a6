package score

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// labelledDirectory is one of which the clusters 1 (a b), 2 (c d), 3 (e f g) and 4 (h alone) are measured.
func labelledDirectory(t *testing.T) (*Directory, Clusters) {
	t.Helper()
	var labels []Label
	for _, l := range []struct{ url, one, two string }{
		{"a", "Databases", "Graph Stores"}, {"b", "Databases", "Graph Stores"},
		{"c", "Databases", "Key Value 2"}, {"d", "Languages", "Key Value 2"},
		{"e", "Languages", "The 3"}, {"f", "Languages", "The 3"}, {"g", "Databases", "Key Value 2"},
		{"h", "Databases", "Graph Stores"},
	} {
		labels = append(labels, Label{l.url, []string{l.one, l.two}})
	}
	d, err := NewDirectory(labels, 2)
	if err != nil {
		t.Fatal(err)
	}
	return d, Clusters{Of: []uint32{1, 1, 2, 2, 3, 3, 3, 4}, Size: []int{2, 2, 2, 2, 3, 3, 3, 1}}
}

// TestLabelsWorked: level 1 has Databases for cluster 1 and Languages for 3; cluster 2 has no majority. On level 2
// cluster 1 has "Graph Stores"; c and d are in one "Key Value 2" each, and the name of 3's says nothing.
func TestLabelsWorked(t *testing.T) {
	d, c := labelledDirectory(t)
	labels := map[uint32][]string{1: {"database", "graph stores"}, 2: {"language"}, 3: {"storing", "DATABASE"}}
	s := d.ScoreLabels(c, []LabelSet{
		{"first", func(of uint32) []string { return labels[of] }},
		{"none", func(uint32) []string { return nil }},
	}, Options{})
	if len(s) != 2 || s[0].Clusters != 3 || s[0].Targets != 7 || math.Abs(s[0].Words-6./3) > 1e-12 {
		t.Fatalf("%+v", s)
	}
	for _, w := range []struct {
		name string
		got  Figure
		want float64
		n    int
	}{
		{"level 1", s[0].Levels[0].Fit, 1. / 2, 2},                               // 1 fits, 3 does not
		{"level 1 by chance", s[0].Levels[0].Chance, (2./2 + 0./2) / 2, 2},       // both labels fit Databases, none Languages
		{"level 1 weighted", s[0].Levels[0].Weighted, 2. / 5, 2},                 //
		{"level 1 weighted by chance", s[0].Levels[0].WeightedChance, 2. / 5, 2}, // (1*2 + 0*3) / 5
		{"level 2", s[0].Levels[1].Fit, 1, 1},                                    //
		{"any level", s[0].Levels[2].Fit, 1. / 2, 2},                             // names {database graph store}, {language}
		{"less", s[1].Levels[0].Less, 1. / 2, 2},
		{"less than itself", s[0].Levels[0].Less, 0, 2},
		{"no labels", s[1].Levels[2].Fit, 0, 2},
	} {
		if math.Abs(w.got.Value-w.want) > 1e-12 || w.got.N != w.n {
			t.Errorf("%s is %v of %d, worked out %v of %d", w.name, w.got.Value, w.got.N, w.want, w.n)
		}
	}
}

// The chance level is the mean over all ways to deal the labels.
func TestLabelsByChance(t *testing.T) {
	var labels []Label
	c := Clusters{}
	names := []string{"red apple", "green apple", "blue pear", "red plum", "grey fig"}
	for i, n := range names {
		for j := range 2 + i%2 {
			labels = append(labels, Label{fmt.Sprintf("%d%d", i, j), []string{n}})
			c.Of, c.Size = append(c.Of, uint32(i)), append(c.Size, 2)
		}
	}
	d, err := NewDirectory(labels, 1)
	if err != nil {
		t.Fatal(err)
	}
	given := [][]string{{"red"}, {"apple tree"}, {"pear", "fig"}, {"nothing"}, {"grey", "blue"}}
	want := d.ScoreLabels(c, []LabelSet{{"given", func(of uint32) []string { return given[of] }}}, Options{})[0].Levels[0]
	fit, weighted, ways := 0., 0., 0.
	deals(len(given), func(order []int) {
		l := d.ScoreLabels(c, []LabelSet{{"dealt", func(of uint32) []string { return given[order[of]] }}}, Options{})[0].Levels[0]
		fit, weighted, ways = fit+l.Fit.Value, weighted+l.Weighted.Value, ways+1
	})
	if ways != 120 || math.Abs(fit/ways-want.Chance.Value) > 1e-9 || math.Abs(weighted/ways-want.WeightedChance.Value) > 1e-9 {
		t.Errorf("dealt in %v ways %.4f and weighted %.4f, worked out %.4f and %.4f", ways, fit/ways, weighted/ways, want.Chance.Value, want.WeightedChance.Value)
	}
	if want.Chance.Value <= 0 || want.Chance.Value >= 1 {
		t.Errorf("chance %v tells nothing", want.Chance.Value)
	}
}

// deals calls f with every order of n numbers.
func deals(n int, f func(order []int)) {
	order := make([]int, 0, n)
	var next func()
	next = func() {
		if len(order) == n {
			f(order)
		}
		for i := range n {
			if !slices.Contains(order, i) {
				order = append(order, i)
				next()
				order = order[:len(order)-1]
			}
		}
	}
	next()
}

// Words in the names of many categories are ignored.
func TestCommonNames(t *testing.T) {
	var labels []Label
	for i := range 30 {
		labels = append(labels, Label{fmt.Sprint("u", i), []string{fmt.Sprintf("Awesome Thing%c", 'a'+i)}})
	}
	labels = append(labels, Label{"v", []string{"Awesome Thinga"}})
	d, err := NewDirectory(labels, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := Clusters{Of: make([]uint32, d.Len()), Size: make([]int, d.Len())}
	for i := range c.Of {
		c.Of[i] = uint32(i)
	}
	a, _ := d.Index("u0")
	b, _ := d.Index("v")
	c.Of[b] = c.Of[a]
	score := func(label string) float64 {
		return d.ScoreLabels(c, []LabelSet{{"one", func(uint32) []string { return []string{label} }}}, Options{})[0].Levels[0].Fit.Value
	}
	if score("awesome") != 0 || score("thinga") != 1 {
		t.Errorf("awesome fits %v, thinga %v", score("awesome"), score("thinga"))
	}
}
