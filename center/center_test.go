package center

import (
	gocmp "cmp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

type lists [][]Edge

func (l lists) Len() int                   { return len(l) }
func (l lists) Neighbours(u uint32) []Edge { return l[u] }

// graphOf puts pairs into sorted, symmetric lists.
func graphOf(n int, links []Pair) lists {
	g := make(lists, n)
	for _, l := range links {
		g[l.A] = append(g[l.A], Edge{l.B, l.Similarity})
		g[l.B] = append(g[l.B], Edge{l.A, l.Similarity})
	}
	for u := range g {
		slices.SortFunc(g[u], func(a, b Edge) int { return int(a.To) - int(b.To) })
	}
	return g
}

// drawLinks draws different pairs. There are few similarities, so that ties are common.
func drawLinks(t *rapid.T, n int) []Pair {
	var links []Pair
	for a := range uint32(n) {
		for b := a + 1; b < uint32(n); b++ {
			if s := rapid.IntRange(-6, 10).Draw(t, "similarity"); s > 0 {
				links = append(links, Pair{a, b, float32(s) / 10})
			}
		}
	}
	return links
}

var orders = []Order{ByID, ByDegree, BySimilarity}

// sizes returns a size function for Nodes; a nil slice means 1 each.
func sizes(weight []uint32) func(u uint32) int {
	if weight == nil {
		return nil
	}
	return func(u uint32) int { return int(weight[u]) }
}

func connected(g lists, a, b uint32, threshold float32) bool {
	return slices.ContainsFunc(g[a], func(e Edge) bool { return e.To == b && e.Similarity >= threshold })
}

// TestLaws: the clusters are a partition into stars around centers that are not connected, in whatever order the edges
// come.
func TestLaws(t *testing.T) {
	for _, order := range orders {
		t.Run(string(order), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(0, 12).Draw(t, "nodes")
				threshold := float32(rapid.IntRange(0, 10).Draw(t, "threshold")) / 10
				links := drawLinks(t, n)
				g := graphOf(n, links)
				got := Cluster(g, order.Nodes(g, threshold, nil), threshold)
				checkStars(t, g, got, threshold)
				shuffled := graphOf(n, rapid.Permutation(links).Draw(t, "links"))
				again := Cluster(shuffled, order.Nodes(shuffled, threshold, nil), threshold)
				if diff := cmp.Diff(got, again); diff != "" {
					t.Fatalf("other order of edges: %s", diff)
				}
			})
		})
	}
}

func checkStars(t *rapid.T, g lists, center []uint32, threshold float32) {
	if len(center) != g.Len() {
		t.Fatalf("%d centers of %d nodes", len(center), g.Len())
	}
	for u, c := range center {
		if center[c] != c {
			t.Fatalf("node %d has the center %d, which has the center %d", u, c, center[c])
		}
		if int(c) != u && !connected(g, uint32(u), c, threshold) {
			t.Fatalf("node %d has no edge to its center %d", u, c)
		}
		for v, d := range center {
			if int(c) == u && int(d) == v && connected(g, c, d, threshold) {
				t.Fatalf("centers %d and %d are connected", c, d)
			}
		}
	}
}

// reference follows the paper word by word: it sorts the pairs, each in both directions, by the order of their first
// node and scans them one by one.
func reference(g lists, order []uint32, threshold float32) []uint32 {
	const none = ^uint32(0)
	center := slices.Repeat([]uint32{none}, g.Len())
	for _, u := range order {
		for _, e := range append([]Edge{{To: u, Similarity: 1}}, g[u]...) {
			switch {
			case e.Similarity < threshold:
			case center[u] == none:
				center[u] = u
			case center[u] == u && center[e.To] == none:
				center[e.To] = u
			}
		}
	}
	return center
}

func TestClusterIsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "nodes")
		threshold := float32(rapid.IntRange(0, 10).Draw(t, "threshold")) / 10
		g := graphOf(n, drawLinks(t, n))
		ids := make([]uint32, n)
		for i := range ids {
			ids[i] = uint32(i)
		}
		order := rapid.Permutation(ids).Draw(t, "order")
		if diff := cmp.Diff(reference(g, order, threshold), Cluster(g, order, threshold)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestRepresentatives: clustering the lowest node of each group of identical ones and giving the others its center
// equals clustering all nodes.
func TestRepresentatives(t *testing.T) {
	for _, order := range orders {
		t.Run(string(order), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(1, 8).Draw(t, "groups")
				threshold := float32(rapid.IntRange(1, 10).Draw(t, "threshold")) / 10
				links := drawLinks(t, n)
				few := graphOf(n, links)
				group, weight := drawGroups(t, n)
				all := expand(group, links)

				center := Cluster(few, order.Nodes(few, threshold, sizes(weight)), threshold)
				var want []uint32
				for _, u := range group {
					want = append(want, uint32(slices.Index(group, center[u])))
				}
				got := Cluster(all, order.Nodes(all, threshold, nil), threshold)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("groups %v: %s", group, diff)
				}
			})
		})
	}
}

// drawGroups returns a group for each of some nodes, and the sizes of the groups. The groups are numbered in the order
// of their first nodes.
func drawGroups(t *rapid.T, groups int) (group, weight []uint32) {
	weight = make([]uint32, groups)
	for next := uint32(0); int(next) < groups || rapid.Bool().Draw(t, "more"); {
		u := rapid.Uint32Range(0, min(next, uint32(groups-1))).Draw(t, "group")
		if u == next {
			next++
		}
		group, weight[u] = append(group, u), weight[u]+1
	}
	return group, weight
}

// expand returns the graph of all nodes. Identical nodes have similarity 1, others that of their groups.
func expand(group []uint32, links []Pair) lists {
	var all []Pair
	for b, gb := range group {
		for a, ga := range group[:b] {
			if ga == gb {
				all = append(all, Pair{uint32(a), uint32(b), 1})
			}
			for _, l := range links {
				if l.A == min(ga, gb) && l.B == max(ga, gb) {
					all = append(all, Pair{uint32(a), uint32(b), l.Similarity})
				}
			}
		}
	}
	return graphOf(len(group), all)
}

func TestClusterTable(t *testing.T) {
	star := graphOf(4, []Pair{{0, 3, .5}, {1, 3, .6}, {2, 3, .7}})
	for _, test := range []struct {
		name      string
		g         lists
		order     []uint32
		threshold float32
		want      []uint32
	}{
		{"empty", nil, nil, 0.5, []uint32{}},
		{"by id", star, nil, 0.2, []uint32{0, 1, 2, 0}},
		{"by degree", star, ByDegree.Nodes(star, 0.2, nil), 0.2, []uint32{3, 3, 3, 3}},
		{"by degree at a threshold", star, ByDegree.Nodes(star, 0.65, nil), 0.65, []uint32{0, 1, 2, 2}},
		{"by weight", star, ByDegree.Nodes(star, 0.2, sizes([]uint32{9, 1, 1, 1})), 0.2, []uint32{3, 3, 3, 3}},
		{"by similarity", star, BySimilarity.Nodes(star, 0.2, nil), 0.2, []uint32{0, 1, 2, 2}},
		{"above all", star, nil, 0.9, []uint32{0, 1, 2, 3}},
		{"order with gaps and strangers", star, []uint32{4, 3, 77, 3}, 0.55, []uint32{0, 3, 3, 3}},
		{"edge to itself", lists{{{0, 1}}, {}}, nil, 0, []uint32{0, 1}},
	} {
		if diff := cmp.Diff(test.want, Cluster(test.g, test.order, test.threshold)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestStrongest: nodes are in the order of their strongest edges, of either sign, and those without edges are last.
func TestStrongest(t *testing.T) {
	g := graphOf(9, []Pair{{1, 2, -.5}, {3, 4, 0}, {5, 6, -.2}, {7, 8, .3}})
	if got := BySimilarity.Nodes(g, -1, nil); !slices.Equal(got, []uint32{7, 8, 3, 4, 5, 6, 1, 2, 0}) {
		t.Error(got)
	}
}

func TestNewGraph(t *testing.T) {
	g := NewGraph(4, []Pair{{2, 0, .3}, {1, 1, 1}, {0, 2, .5}, {0, 1, .7}})
	want := lists{{{1, .7}, {2, .5}}, {{0, .7}}, {{0, .5}}, {}}
	for u := range uint32(4) {
		if diff := cmp.Diff(want[u], g.Neighbours(u), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("node %d (-want +got):\n%s", u, diff)
		}
	}
	if g.Len() != 4 || NewGraph(0, nil).Len() != 0 {
		t.Errorf("%d nodes", g.Len())
	}
	defer func() {
		if recover() == nil {
			t.Error("a node number that is too large is accepted")
		}
	}()
	NewGraph(2, []Pair{{0, 2, 1}})
}

// The keys of consecutive ranges of nodes give the order of all nodes. BySimilarity orders nodes by their strongest
// edge at the threshold; nodes that stand for several documents count as having an edge of 1.
func TestKeysOfRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "nodes")
		g, threshold := graphOf(n, drawLinks(t, n)), float32(rapid.IntRange(-1, 10).Draw(t, "threshold"))/10
		weight := rapid.SliceOfN(rapid.Uint32Range(1, 2), n, n).Draw(t, "weight")
		size := rapid.IntRange(1, n).Draw(t, "range")
		for _, order := range orders {
			var keys []uint64
			for from := 0; from < n; from += size {
				keys = append(keys, order.Keys(g, from, min(from+size, n), threshold, sizes(weight))...)
			}
			got, want := Descending(keys), order.Nodes(g, threshold, sizes(weight))
			if (want == nil) != (order == ByID) || !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", order, got, want)
			}
		}
		strongest := make([]float32, n)
		for u := range strongest {
			strongest[u] = -1
			for _, e := range g[u] {
				if e.Similarity >= threshold {
					strongest[u] = max(strongest[u], e.Similarity)
				}
			}
			if weight[u] > 1 {
				strongest[u] = 1
			}
		}
		order := BySimilarity.Nodes(g, threshold, sizes(weight))
		if !slices.IsSortedFunc(order, func(a, b uint32) int { return gocmp.Or(gocmp.Compare(strongest[b], strongest[a]), gocmp.Compare(a, b)) }) {
			t.Fatalf("by similarity: %v, strongest %v", order, strongest)
		}
	})
}
