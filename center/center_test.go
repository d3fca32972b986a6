package center

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type lists [][]Edge

func (l lists) Len() int                   { return len(l) }
func (l lists) Neighbours(u uint32) []Edge { return l[u] }

// link is an edge before it is in a graph.
type link struct {
	a, b       uint32
	similarity float32
}

// graphOf puts links into sorted, symmetric lists.
func graphOf(n int, links []link) lists {
	g := make(lists, n)
	for _, l := range links {
		g[l.a] = append(g[l.a], Edge{l.b, l.similarity})
		g[l.b] = append(g[l.b], Edge{l.a, l.similarity})
	}
	for u := range g {
		slices.SortFunc(g[u], func(a, b Edge) int { return int(a.To) - int(b.To) })
	}
	return g
}

// drawLinks draws different links; similarities are few, so that ties are common.
func drawLinks(t *rapid.T, n int) []link {
	var links []link
	for a := range uint32(n) {
		for b := a + 1; b < uint32(n); b++ {
			if s := rapid.IntRange(-6, 10).Draw(t, "similarity"); s > 0 {
				links = append(links, link{a, b, float32(s) / 10})
			}
		}
	}
	return links
}

var orders = map[string]func(g Graph, threshold float32, weight []uint32) []uint32{
	"id":         func(g Graph, _ float32, _ []uint32) []uint32 { return ByID(g) },
	"degree":     ByDegree,
	"similarity": BySimilarity,
}

func connected(g lists, a, b uint32, threshold float32) bool {
	return slices.ContainsFunc(g[a], func(e Edge) bool { return e.To == b && e.Similarity >= threshold })
}

// The clusters are a partition into stars around centers that are not connected,
// whatever order the edges came in.
func TestLaws(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(0, 12).Draw(t, "nodes")
				threshold := float32(rapid.IntRange(0, 10).Draw(t, "threshold")) / 10
				links := drawLinks(t, n)
				g := graphOf(n, links)
				got := Cluster(g, order(g, threshold, nil), threshold)
				checkStars(t, g, got, threshold)
				shuffled := graphOf(n, rapid.Permutation(links).Draw(t, "links"))
				again := Cluster(shuffled, order(shuffled, threshold, nil), threshold)
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

// reference is section 5 of the design word by word: the pairs both ways, sorted
// by the order of their first node, scanned one by one.
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
		order := rapid.Permutation(ByID(g)).Draw(t, "order")
		if diff := cmp.Diff(reference(g, order, threshold), Cluster(g, order, threshold)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Clustering the lowest node of each group of identical ones and giving the others
// its center equals clustering all nodes.
func TestRepresentatives(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(1, 8).Draw(t, "groups")
				threshold := float32(rapid.IntRange(1, 10).Draw(t, "threshold")) / 10
				links := drawLinks(t, n)
				few := graphOf(n, links)
				group, weight := drawGroups(t, n)
				all := expand(group, links)

				center := Cluster(few, order(few, threshold, weight), threshold)
				var want []uint32
				for _, u := range group {
					want = append(want, uint32(slices.Index(group, center[u])))
				}
				got := Cluster(all, order(all, threshold, nil), threshold)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("groups %v: %s", group, diff)
				}
			})
		})
	}
}

// drawGroups gives each of some nodes a group, numbered in the order of their
// first nodes, and the sizes of the groups.
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

// expand is the graph of all nodes: identical ones have similarity 1, others that
// of their groups.
func expand(group []uint32, links []link) lists {
	var all []link
	for b, gb := range group {
		for a, ga := range group[:b] {
			if ga == gb {
				all = append(all, link{uint32(a), uint32(b), 1})
			}
			for _, l := range links {
				if l.a == min(ga, gb) && l.b == max(ga, gb) {
					all = append(all, link{uint32(a), uint32(b), l.similarity})
				}
			}
		}
	}
	return graphOf(len(group), all)
}

func TestClusterTable(t *testing.T) {
	star := graphOf(4, []link{{0, 3, .5}, {1, 3, .6}, {2, 3, .7}})
	for _, test := range []struct {
		name      string
		g         lists
		order     []uint32
		threshold float32
		want      []uint32
	}{
		{"empty", nil, nil, 0.5, []uint32{}},
		{"by id", star, nil, 0.2, []uint32{0, 1, 2, 0}},
		{"by degree", star, ByDegree(star, 0.2, nil), 0.2, []uint32{3, 3, 3, 3}},
		{"by degree at a threshold", star, ByDegree(star, 0.65, nil), 0.65, []uint32{0, 1, 2, 2}},
		{"by weight", star, ByDegree(star, 0.2, []uint32{9, 1, 1, 1}), 0.2, []uint32{3, 3, 3, 3}},
		{"by similarity", star, BySimilarity(star, 0.2, nil), 0.2, []uint32{0, 1, 2, 2}},
		{"above all", star, nil, 0.9, []uint32{0, 1, 2, 3}},
		{"order with gaps and strangers", star, []uint32{3, 77, 3}, 0.55, []uint32{0, 3, 3, 3}},
		{"edge to itself", lists{{{0, 1}}, {}}, nil, 0, []uint32{0, 1}},
	} {
		if diff := cmp.Diff(test.want, Cluster(test.g, test.order, test.threshold)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
