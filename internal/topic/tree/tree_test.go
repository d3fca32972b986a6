package tree

import (
	order "cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/center"
	"pgregory.net/rapid"
)

// drawGraph draws a graph with few similarities, so that ties are common.
func drawGraph(t *rapid.T) (n int, pairs []center.Pair) {
	n = rapid.IntRange(0, 14).Draw(t, "nodes")
	for a := range uint32(n) {
		for b := a + 1; b < uint32(n); b++ {
			if s := rapid.IntRange(-20, 10).Draw(t, "similarity"); s > 0 {
				pairs = append(pairs, center.Pair{A: a, B: b, Similarity: float32(s) / 16})
			}
		}
	}
	return n, pairs
}

var thresholds = []float64{0.31, 0.11, 0.031, 0.011} // no step of them is a mean of the drawn similarities

// TestBuild: the levels are those of CENTER over clusters whose similarities are computed pair by pair, each is a
// coarsening of the level below with centers of that level, and neither workers nor memory change the tree.
func TestBuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, pairs := drawGraph(t)
		g := center.NewGraph(n, pairs)
		tree := build(t, g, Config{Thresholds: thresholds})
		want := byPairs(g)
		for l := range tree.Levels() {
			if diff := cmp.Diff(want[l], tree.Centers(l)); diff != "" {
				t.Fatalf("level %d: %s", l, diff)
			}
			if l > 0 {
				checkCoarser(t, tree.Centers(l-1), tree.Centers(l))
			}
		}
		for _, c := range []Config{{Workers: 3}, {Links: 1}, {Links: 7, Workers: 2}} {
			c.Thresholds = thresholds
			if diff := cmp.Diff(tree.levels, build(t, g, c).levels, cmp.AllowUnexported(level{})); diff != "" {
				t.Fatalf("%+v: %s", c, diff)
			}
		}
	})
}

func build(t *rapid.T, g center.Graph, c Config) *Tree {
	tree, err := Build(t.Context(), g, c)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// byPairs returns the center of each node at each level.
func byPairs(g *center.Adjacency) (levels [][]uint32) {
	of := center.Cluster(g, center.BySimilarity.Nodes(g, float32(thresholds[0]), nil), float32(thresholds[0])) // it is above Seed
	from := thresholds[0]
	for _, to := range thresholds {
		for at := from; at != to || len(levels) == 0; {
			at = max(to, at/1.5)
			var pairs []center.Pair
			for a := range of {
				for b := range a {
					if int(of[a]) == a && int(of[b]) == b {
						if s := linkage(g, of, uint32(a), uint32(b)); s > 0 {
							pairs = append(pairs, center.Pair{A: uint32(b), B: uint32(a), Similarity: float32(s)})
						}
					}
				}
			}
			between := center.NewGraph(len(of), pairs)
			above := center.Cluster(between, center.BySimilarity.Nodes(between, float32(at), nil), float32(at))
			of = chosen(above, of)
			if at == to {
				break
			}
		}
		levels, from = append(levels, slices.Clone(of)), to
	}
	return levels
}

// checkCoarser checks that nodes with one center below have one center above, which is its own center at both levels.
func checkCoarser(t *rapid.T, below, above []uint32) {
	for u, c := range below {
		if above[u] != above[c] {
			t.Fatalf("nodes %d and %d are together below and apart above", u, c)
		}
	}
	for _, c := range above {
		if above[c] != c || below[c] != c {
			t.Fatalf("%d is not a center of both levels", c)
		}
	}
}

// linkage returns the average linkage of two clusters, computed pair by pair.
func linkage(g *center.Adjacency, of []uint32, a, b uint32) float64 {
	sum, pairs := 0.0, 0
	for u := range of {
		for v := range of {
			if of[u] == a && of[v] == b {
				pairs++
				for _, e := range g.Neighbours(uint32(u)) {
					if int(e.To) == v {
						sum += float64(e.Similarity)
					}
				}
			}
		}
	}
	return sum / float64(pairs)
}

// TestNodes: the nodes are a forest in preorder whose clusters at each level are those of the level.
func TestNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, pairs := drawGraph(t)
		g := center.NewGraph(n, pairs)
		tree := build(t, g, Config{Thresholds: thresholds})
		size := func(u uint32) int { return int(u%3) + 1 }
		nodes := tree.Nodes(size)
		for i, x := range nodes {
			checkNode(t, nodes, i)
			if x.Level == 0 && x.Leaves != 1 {
				t.Fatalf("leaf %d has %d leaves", i, x.Leaves)
			}
		}
		for l := range tree.Levels() {
			want := map[uint32]int{}
			for u, c := range tree.Centers(l) {
				want[c] += size(uint32(u))
			}
			got := map[uint32]int{}
			for _, x := range nodes {
				if x.Level <= l && (x.Parent == NoParent || nodes[x.Parent].Level > l) {
					got[x.Center] = x.Size
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("level %d: %s", l, diff)
			}
		}
	})
}

func checkNode(t *rapid.T, nodes []Node, i int) {
	x := nodes[i]
	if x.Parent >= i || x.Parent < NoParent || x.End <= i || x.End > len(nodes) {
		t.Fatalf("node %d: %+v", i, x)
	}
	size, leaves, children := 0, 0, 0
	for j := i + 1; j < x.End; j = nodes[j].End {
		if nodes[j].Parent != i || nodes[j].Level >= x.Level {
			t.Fatalf("node %d has the child %+v", i, nodes[j])
		}
		size, leaves, children = size+nodes[j].Size, leaves+nodes[j].Leaves, children+1
	}
	if children == 1 || children > 0 && (size != x.Size || leaves != x.Leaves) || (children == 0) != (x.Level == 0) {
		t.Fatalf("node %d: %+v has %d children of size %d", i, x, children, size)
	}
}

func TestBuildRefuses(t *testing.T) {
	for _, test := range []struct {
		name       string
		thresholds []float64
	}{
		{"a threshold of 0", []float64{0}},
		{"a threshold above 1", []float64{1.5}},
		{"no number", []float64{math.NaN()}},
		{"thresholds that rise", []float64{0.1, 0.2}},
		{"equal thresholds", []float64{0.1, 0.1}},
		{"too many", slices.Repeat([]float64{0.1}, MostLevels+1)},
	} {
		if _, err := Build(t.Context(), center.NewGraph(2, nil), Config{Thresholds: test.thresholds}); err == nil {
			t.Errorf("%s: no error", test.name)
		}
	}
}

// TestWithoutThresholds: the only level is what CENTER finds among the pairs of at least Seed.
func TestWithoutThresholds(t *testing.T) {
	g := center.NewGraph(4, []center.Pair{{A: 0, B: 1, Similarity: 0.2}, {A: 2, B: 3, Similarity: 0.19}})
	tree, err := Build(t.Context(), g, Config{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Node{{0, 0, NoParent, 2, 1, 1}, {0, 2, NoParent, 1, 1, 2}, {0, 3, NoParent, 1, 1, 3}}
	if got := tree.Nodes(nil); !slices.Equal(got, want) {
		t.Errorf("nodes %+v", got)
	}
}

// TestManyLinks: the links of more clusters than a block has, in memory and in files.
func TestManyLinks(t *testing.T) {
	const n = 3 * block
	var pairs []center.Pair
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 * n {
		a, b := random.Uint32N(n), random.Uint32N(n)
		if a/8 == b/8 || random.Uint32N(8) == 0 {
			pairs = append(pairs, center.Pair{A: a, B: b, Similarity: random.Float32()})
		}
	}
	pairs = slices.DeleteFunc(pairs, func(p center.Pair) bool { return p.A >= p.B })
	slices.SortFunc(pairs, func(p, q center.Pair) int { return order.Or(order.Compare(p.A, q.A), order.Compare(p.B, q.B)) })
	pairs = slices.CompactFunc(pairs, func(p, q center.Pair) bool { return p.A == q.A && p.B == q.B })
	g := center.NewGraph(n, pairs)
	var want [][]uint32
	for _, c := range []Config{{}, {Workers: 2, Links: 5000, Dir: t.TempDir()}} {
		c.Thresholds = thresholds
		tree, err := Build(t.Context(), g, c)
		if err != nil {
			t.Fatal(err)
		}
		var got [][]uint32
		for l := range tree.Levels() {
			got = append(got, tree.Centers(l))
		}
		if want == nil {
			want = got
		}
		if !cmp.Equal(want, got) {
			t.Errorf("%+v gives another tree", c)
		}
	}
}
