package tree

import (
	"math"
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
				pairs = append(pairs, center.Pair{A: a, B: b, Similarity: float32(s) / 10})
			}
		}
	}
	return n, pairs
}

var thresholds = []float64{0.3, 0.1, 0.03, 0.01}

// TestLaws: level 0 is CENTER, every level is a coarsening of the level below with centers of that level, and neither
// workers nor memory change the tree.
func TestLaws(t *testing.T) {
	for _, order := range center.Orders() {
		t.Run(string(order), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n, pairs := drawGraph(t)
				g := center.NewGraph(n, pairs)
				lowest := center.Cluster(g, order.Nodes(g, 0.5, nil), 0.5)
				tree := build(t, g, lowest, Config{Thresholds: thresholds, Order: order})
				if diff := cmp.Diff(lowest, tree.Centers(0)); diff != "" {
					t.Fatalf("level 0 is not CENTER: %s", diff)
				}
				for l := 1; l < tree.Levels(); l++ {
					checkCoarser(t, tree.Centers(l-1), tree.Centers(l))
					checkJoins(t, g, tree.Centers(l-1), tree.Centers(l), thresholds[l-1])
				}
				for _, c := range []Config{{Workers: 3}, {Edges: 1}, {Edges: 7, Workers: 2}} {
					c.Thresholds, c.Order = thresholds, order
					if diff := cmp.Diff(tree.levels, build(t, g, lowest, c).levels, cmp.AllowUnexported(level{})); diff != "" {
						t.Fatalf("%+v: %s", c, diff)
					}
				}
			})
		})
	}
}

func build(t *rapid.T, g center.Graph, lowest []uint32, c Config) *Tree {
	tree, err := Build(t.Context(), g, lowest, c)
	if err != nil {
		t.Fatal(err)
	}
	return tree
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

// checkJoins checks that a cluster that joins another has at least the threshold of average similarity to the cluster
// at its center, and that clusters at centers have less to one another.
func checkJoins(t *rapid.T, g *center.Adjacency, below, above []uint32, threshold float64) {
	for a := range below {
		for b := range below {
			if int(below[a]) != a || int(below[b]) != b || a == b || int(above[b]) != b {
				continue
			}
			s := linkage(g, below, uint32(a), uint32(b))
			if int(above[a]) == b && s < threshold-1e-6 {
				t.Fatalf("cluster %d joined %d at similarity %g, threshold %g", a, b, s, threshold)
			}
			if int(above[a]) == a && s > threshold+1e-6 {
				t.Fatalf("clusters %d and %d are apart at similarity %g, threshold %g", a, b, s, threshold)
			}
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
		tree := build(t, g, center.Cluster(g, nil, 0.5), Config{Thresholds: thresholds, Order: center.ByID})
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
	g := center.NewGraph(2, nil)
	for _, test := range []struct {
		name       string
		lowest     []uint32
		thresholds []float64
	}{
		{"too few centers", []uint32{0}, nil},
		{"a center that is none", []uint32{1, 0}, nil},
		{"a center that does not exist", []uint32{0, 9}, nil},
		{"a threshold of 0", []uint32{0, 1}, []float64{0}},
		{"a threshold above 1", []uint32{0, 1}, []float64{1.5}},
		{"no number", []uint32{0, 1}, []float64{math.NaN()}},
		{"thresholds that rise", []uint32{0, 1}, []float64{0.1, 0.2}},
		{"equal thresholds", []uint32{0, 1}, []float64{0.1, 0.1}},
	} {
		if _, err := Build(t.Context(), g, test.lowest, Config{Thresholds: test.thresholds}); err == nil {
			t.Errorf("%s: no error", test.name)
		}
	}
}

func TestOneLevel(t *testing.T) {
	tree, err := Build(t.Context(), center.NewGraph(3, nil), []uint32{0, 0, 2}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Node{{0, 0, NoParent, 2, 1, 1}, {0, 2, NoParent, 1, 1, 2}}
	if got := tree.Nodes(nil); !slices.Equal(got, want) {
		t.Errorf("nodes %+v", got)
	}
}
