package tree

import (
	order "cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/center"
	"pgregory.net/rapid"
)

// drawGraph draws a graph with few similarities, so that ties are common.
func drawGraph(t *rapid.T) center.Graph {
	n := rapid.IntRange(0, 16).Draw(t, "nodes")
	var pairs []center.Pair
	for a := range uint32(n) {
		for b := a + 1; b < uint32(n); b++ {
			if s := rapid.IntRange(-20, 10).Draw(t, "similarity"); s > 0 {
				pairs = append(pairs, center.Pair{A: a, B: b, Similarity: float32(s) / 16})
			}
		}
	}
	return center.NewGraph(n, pairs)
}

// planted returns a graph of groups of 8 nodes, of which 8 are in a larger one and so on; the more groups two nodes share, the
// likelier is a pair of them.
func planted(n uint32, seed uint64) center.Graph {
	var pairs []center.Pair
	random := rand.New(rand.NewPCG(seed, 2))
	for range 20 * n {
		a, b := random.Uint32N(n), random.Uint32N(n)
		if a > b {
			a, b = b, a
		}
		if near := a/8 == b/8 || a/64 == b/64 && random.Uint32N(4) == 0 || random.Uint32N(64) == 0; near && a != b {
			pairs = append(pairs, center.Pair{A: a, B: b, Similarity: 0.1 + 0.9*random.Float32()})
		}
	}
	for a := range n { // connects each group of 8
		if a%8 < 7 && a+1 < n {
			pairs = append(pairs, center.Pair{A: a, B: a + 1, Similarity: 1})
		}
	}
	slices.SortFunc(pairs, func(p, q center.Pair) int { return order.Or(order.Compare(p.A, q.A), order.Compare(p.B, q.B)) })
	pairs = slices.CompactFunc(pairs, func(p, q center.Pair) bool { return p.A == q.A && p.B == q.B })
	return center.NewGraph(int(n), pairs)
}

// small divides topics of three nodes.
var small = Config{Nearest: 4, Middle: 2, Tops: 0.5, Share: 0.3, Parts: 1, Least: 3}

func build(t interface{ Fatal(...any) }, g center.Graph, size func(uint32) int, c Config) *Tree {
	built, err := Build(context.Background(), g, size, c)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// TestBuild: the topics are a forest in preorder whose leaves divide the nodes, and neither workers nor memory change it.
func TestBuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, size := drawGraph(t), func(u uint32) int { return int(u%3) + 1 }
		got := build(t, g, size, small)
		checkTree(t, got, g.Len(), size)
		for _, c := range []Config{{Workers: 3}, {Links: 1}, {Links: 7, Workers: 2}} {
			more := small
			more.Workers, more.Links = c.Workers, c.Links
			if diff := cmp.Diff(got, build(t, g, size, more)); diff != "" {
				t.Fatalf("%+v: %s", c, diff)
			}
		}
	})
}

func checkTree(t interface{ Fatalf(string, ...any) }, tree *Tree, n int, size func(uint32) int) {
	sizes := make([]int, len(tree.Nodes))
	for u, leaf := range tree.Leaf {
		if tree.Nodes[leaf].Level != 0 {
			t.Fatalf("node %d is in %+v, which is no leaf", u, tree.Nodes[leaf])
		}
		for at := int(leaf); at != NoParent; at = tree.Nodes[at].Parent {
			sizes[at] += size(uint32(u))
		}
	}
	if len(tree.Leaf) != n {
		t.Fatalf("%d of %d nodes have a leaf", len(tree.Leaf), n)
	}
	for i, x := range tree.Nodes {
		leaves, children, level := 0, 0, -1
		for j := i + 1; j < x.End; j = tree.Nodes[j].End {
			child := tree.Nodes[j]
			if child.Parent != i || child.End > x.End {
				t.Fatalf("node %d has the child %+v", i, child)
			}
			leaves, children, level = leaves+child.Leaves, children+1, max(level, child.Level)
			if next := child.End; next < x.End && tree.Nodes[next].Size > child.Size {
				t.Fatalf("child %d of node %d is smaller than the one after it", j, i)
			}
		}
		within := int(tree.Leaf[x.Center]) >= i && int(tree.Leaf[x.Center]) < x.End
		if x.Parent >= i || x.End <= i || x.Size != sizes[i] || x.Size == 0 || children == 1 || x.Level != level+1 || !within {
			t.Fatalf("node %d: %+v has %d children up to level %d and the size %d; its center is within: %v", i, x, children, level, sizes[i], within)
		}
		if x.Leaves != max(1, leaves) {
			t.Fatalf("node %d: %+v has %d leaves", i, x, leaves)
		}
	}
}

// TestMove: after move, hardly any node gains in another group. A node is not looked at again when a group that it has links to
// has become smaller.
func TestMove(t *testing.T) {
	for seed := range uint64(4) {
		_, g, err := pairs(t.Context(), planted(512, seed), 1000, Config{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		p := partitionOf(g, identity(g.len()), 2)
		if err := p.move(t.Context()); err != nil {
			t.Fatal(err)
		}
		gaining := 0
		for u := range uint32(g.len()) {
			p.look(u)
			from := p.groups[p.of[u]]
			own := p.gain(from.links, g.strength[u], from.strength-g.strength[u])
			for _, group := range p.near {
				if group != p.of[u] && p.gain(p.groups[group].links, g.strength[u], p.groups[group].strength) > own+1 {
					gaining++
				}
			}
		}
		if gaining > g.len()/50 {
			t.Errorf("seed %d: %d of %d nodes gain in another group", seed, gaining, g.len())
		}
	}
}

// TestCommunities: communities are connected, and their modularity is that of the planted ones or better.
func TestCommunities(t *testing.T) {
	for seed := range uint64(4) {
		_, g, err := pairs(t.Context(), planted(512, seed), 1000, Config{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, resolution := range []float64{0.5, 1, 4, 16} {
			of, n, err := g.communities(t.Context(), resolution, passes, Config{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if pieces := connected(g, of); pieces != n {
				t.Errorf("seed %d, resolution %g: %d communities have %d connected pieces", seed, resolution, n, pieces)
			}
			for _, width := range []uint32{8, 64, 512} {
				planted := make([]uint32, g.len())
				for u := range planted {
					planted[u] = uint32(u) / width
				}
				if got, want := modularity(g, of, resolution), modularity(g, planted, resolution); got < want {
					t.Errorf("seed %d, resolution %g: modularity %.4f, that of groups of %d is %.4f", seed, resolution, got, width, want)
				}
			}
		}
	}
}

// connected returns the number of connected pieces of the communities.
func connected(g *graph, of []uint32) (pieces int) {
	seen := make([]bool, g.len())
	for start := range uint32(g.len()) {
		if seen[start] {
			continue
		}
		pieces++
		for todo := []uint32{start}; len(todo) > 0; {
			u := todo[len(todo)-1]
			todo, seen[u] = todo[:len(todo)-1], true
			to, _ := g.of(0, u)
			for _, v := range to {
				if of[v] == of[u] && !seen[v] {
					todo = append(todo, v)
				}
			}
		}
	}
	return pieces
}

func modularity(g *graph, of []uint32, resolution float64) (q float64) {
	strength, all := make([]float64, g.len()), float64(g.total())
	for u, group := range of {
		strength[group] += float64(g.strength[u])
		to, sums := g.of(0, uint32(u))
		for i, v := range to {
			if of[v] == group {
				q += float64(sums[i]) / all
			}
		}
	}
	for _, s := range strength {
		q -= resolution * s * s / all / all
	}
	return q
}

// TestDefaults: with the settings of runs, the links of more nodes than a block has, in memory and in files, give topics that
// are divided where the planted groups are.
func TestDefaults(t *testing.T) {
	g := planted(3*block, 1)
	got := build(t, g, nil, Defaults)
	checkTree(t, got, g.Len(), func(uint32) int { return 1 })
	together := 0
	for u := range g.Len() {
		if u%8 > 0 && got.Leaf[u] == got.Leaf[u-1] {
			together++
		}
	}
	if of := g.Len() / 8 * 7; together < of*9/10 {
		t.Errorf("%d of %d neighbours of planted groups are in one leaf", together, of)
	}
	if roots := len(got.Nodes) - countChildren(got); roots < 10 {
		t.Errorf("%d tops, of which none may have more than a tenth of all", roots)
	}
	c := Defaults
	c.Workers, c.Links, c.Dir = 2, 5000, t.TempDir()
	if !cmp.Equal(got, build(t, g, nil, c)) {
		t.Errorf("two workers and links in files give another tree")
	}
}

func countChildren(t *Tree) (n int) {
	for _, x := range t.Nodes {
		if x.Parent != NoParent {
			n++
		}
	}
	return n
}

// TestShapes: trees of graphs in which much is equal.
func TestShapes(t *testing.T) {
	complete := func(n uint32) (out []center.Pair) {
		for a := range n {
			for b := a + 1; b < n; b++ {
				out = append(out, center.Pair{A: a, B: b, Similarity: 1})
			}
		}
		return out
	}
	star := func(n uint32) (out []center.Pair) {
		for b := uint32(1); b < n; b++ {
			out = append(out, center.Pair{B: b, Similarity: 1})
		}
		return out
	}
	for _, test := range []struct {
		name  string
		n     int
		pairs []center.Pair
		nodes int
	}{
		{"nothing", 0, nil, 0},
		{"no pairs", 3, nil, 3},
		{"all are equal", 60, complete(60), 1},
		{"two pairs", 4, []center.Pair{{A: 0, B: 2, Similarity: 0.5}, {A: 1, B: 3, Similarity: 0.5}}, 2},
		{"a star", 2000, star(2000), 1},
		{"similarities of 0", 2, []center.Pair{{A: 0, B: 1}}, 2},
	} {
		c := Defaults
		c.Middle = 1
		got := build(t, center.NewGraph(test.n, test.pairs), nil, c)
		checkTree(t, got, test.n, func(uint32) int { return 1 })
		if len(got.Nodes) != test.nodes {
			t.Errorf("%s: %d nodes, want %d", test.name, len(got.Nodes), test.nodes)
		}
	}
}

func TestBuildStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, planted(100, 1), nil, Defaults); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
