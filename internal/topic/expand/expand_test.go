package expand

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/sets"
	"pgregory.net/rapid"
)

// world is a set of nodes: bags, signatures of one byte each, and for each node the pages that link to it. It
// implements Nodes, and Graph and Lists with the lists set by a test.
type world struct {
	width   int // number of near neighbours
	bags    []bags.Bag
	low     [][]byte
	sources [][]int
	lists   [][]Neighbour
}

func (w *world) Bag(n uint32) bags.Bag { return w.bags[n] }
func (w *world) Bags(dst []bags.Bag, nodes []uint32) []bags.Bag {
	for _, n := range nodes {
		dst = append(dst, w.bags[n])
	}
	return dst
}
func (w *world) Low(n uint32) []byte { return w.low[n] }

// Fetch checks that the nodes exist and are distinct.
func (w *world) Fetch(nodes []uint32) {
	nodes = slices.Sorted(slices.Values(nodes))
	if len(slices.Compact(nodes)) != len(nodes) || len(nodes) > 0 && int(nodes[len(nodes)-1]) >= len(w.bags) {
		panic("fetches nodes that cannot be compared")
	}
}

func (w *world) Together(a, b uint32) bool {
	return slices.ContainsFunc(w.sources[a], func(s int) bool { return slices.Contains(w.sources[b], s) })
}

func (w *world) Nearest(dst []uint32, n uint32, width int) []uint32 {
	for _, v := range w.lists[n][:min(width, len(w.lists[n]))] {
		dst = append(dst, v.Node)
	}
	return dst
}

func (w *world) Of(dst []Neighbour, n uint32) []Neighbour { return append(dst, w.lists[n]...) }
func (w *world) Reach(n uint32) Reach                     { return ReachOf(w.Of(nil, n), w.width) }

// newWorld makes n nodes. The bags have few terms, so that many similarities are equal.
func newWorld(seed uint64, n int) *world {
	r := rand.New(rand.NewPCG(seed, 5))
	w := &world{}
	for range n {
		var b bags.Bag
		for t := range uint32(24) {
			if r.IntN(4) == 0 {
				b.Terms, b.Counts = append(b.Terms, t), append(b.Counts, uint16(1+r.IntN(3)))
			}
		}
		low := make([]byte, 40)
		for i := range low {
			low[i] = byte(r.IntN(3))
		}
		var sources []int
		for range r.IntN(4) {
			sources = append(sources, r.IntN(12))
		}
		w.bags, w.low, w.sources = append(w.bags, b), append(w.low, low), append(w.sources, sources)
	}
	return w
}

// link gives each node a list of some random nodes, the nearest first.
func (w *world) link(seed uint64, most int) {
	r := rand.New(rand.NewPCG(seed, 6))
	w.lists = make([][]Neighbour, len(w.bags))
	for a := range w.lists {
		for _, b := range r.Perm(len(w.bags))[:r.IntN(most+1)] {
			if n := w.neighbour(uint32(a), uint32(b)); b != a && n.Similarity > 0 {
				w.lists[a] = append(w.lists[a], n)
			}
		}
		slices.SortFunc(w.lists[a], byNearness)
	}
}

// both puts every pair in the lists of both nodes.
func (w *world) both() {
	for a, list := range slices.Clone(w.lists) {
		for _, n := range list {
			w.lists[n.Node] = append(w.lists[n.Node], w.neighbour(n.Node, uint32(a)))
		}
	}
	for a := range w.lists {
		slices.SortFunc(w.lists[a], byNearness)
		w.lists[a] = slices.Compact(w.lists[a])
	}
}

func (w *world) neighbour(a, b uint32) Neighbour {
	return Neighbour{Node: b, Similarity: float32(bags.Similarity(w.bags[a], w.bags[b]))}
}

// byNearness is Nearer, written another way.
func byNearness(a, b Neighbour) int {
	switch {
	case a.Similarity > b.Similarity:
		return -1
	case a.Similarity < b.Similarity:
		return 1
	}
	return int(a.Node) - int(b.Node)
}

// near returns the near neighbours of a node.
func (w *world) near(node uint32) []Neighbour {
	return w.lists[node][:min(w.width, len(w.lists[node]))]
}

// shared returns the cosine of the vectors of two nodes, which it writes out.
func (w *world) shared(a, b uint32) float64 {
	vector := func(node uint32) []float64 {
		v := make([]float64, len(w.lists))
		for _, n := range w.near(node) {
			v[n.Node] = float64(n.Similarity)
		}
		v[node] = .2
		return v
	}
	dot := func(x, y []float64) (sum float64) {
		for i := range x {
			sum += x[i] * y[i]
		}
		return sum
	}
	x, y := vector(a), vector(b)
	return dot(x, y) / math.Sqrt(dot(x, x)*dot(y, y))
}

// reference does what From does, with maps and without reuse, but does not set what nodes share.
func (w *world) reference(node uint32, more ...uint32) (out []Met) {
	met := map[uint32]bool{node: true}
	for _, n := range w.lists[node] {
		met[n.Node], out = true, append(out, Met{Neighbour: n})
	}
	for _, n := range w.near(node) {
		for _, v := range w.near(n.Node) {
			more = append(more, v.Node)
		}
	}
	for _, v := range more {
		if met[v] {
			continue
		}
		met[v] = true
		if n := w.neighbour(node, v); n.Similarity > 0 {
			out = append(out, Met{Neighbour: n, Beyond: true})
		}
	}
	slices.SortFunc(out, func(a, b Met) int { return byNearness(a.Neighbour, b.Neighbour) })
	return out
}

// TestSearch compares the neighbours of neighbours of many bags with a reference, using one Search, and what they share with
// the vectors written out.
func TestSearch(t *testing.T) {
	const n = 150
	w := newWorld(1, n)
	w.link(1, 8)
	w.both()
	r := rand.New(rand.NewPCG(3, 4))
	s := Search{Lists: w, Bags: w.Bags}
	some, all, longer := 0, 0, 0
	for range 2000 {
		node := uint32(r.IntN(n))
		w.width = 1 + r.IntN(9)
		known := slices.Clone(w.lists[node])
		r.Shuffle(len(known), func(i, j int) { known[i], known[j] = known[j], known[i] })
		more := []uint32{uint32(r.IntN(n)), uint32(r.IntN(n)), node}[r.IntN(3):]
		want, got := w.reference(node, more...), s.From(node, w.bags[node], known, func(m *Met) float32 { return m.Similarity }, more...)
		if len(known) > w.width {
			longer++
		}
		for i := range got {
			is, both := Common(w, node, got[i].Node)
			if x := w.shared(node, got[i].Node); math.Abs(got[i].Shared-x) > 1e-5 || is != got[i].Shared {
				t.Fatalf("nodes %d and %d, width %d: share %v and %v, want %v", node, got[i].Node, w.width, got[i].Shared, is, x)
			}
			for _, v := range both {
				if has := func(x Neighbour) bool { return x.Node == v }; !slices.ContainsFunc(w.near(node), has) || !slices.ContainsFunc(w.near(got[i].Node), has) {
					t.Fatalf("nodes %d and %d, width %d: %d is not near both", node, got[i].Node, w.width, v)
				}
			}
			if all++; got[i].Shared > 0 {
				some++
			}
			if is, want := got[i].Cosine, bags.LogCosine(w.bags[node], w.bags[got[i].Node]); is != want {
				t.Fatalf("nodes %d and %d: cosine %v, want %v", node, got[i].Node, is, want)
			}
			got[i].Shared, got[i].Cosine = 0, 0
		}
		if !slices.Equal(got, want) {
			t.Fatalf("node %d, width %d:\n%v, want\n%v", node, w.width, got, want)
		}
	}
	if some < all/10 || longer < 100 {
		t.Errorf("%d of %d share neighbours, %d lists are longer than the width: too few to say anything", some, all, longer)
	}
	if is, both := Common(w, 5, 5); math.Abs(is-1) > 1e-6 || len(both) != len(w.near(5)) {
		t.Errorf("a node shares %v and %d neighbours with itself", is, len(both))
	}
}

func TestSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var s table[struct{}]
	for range 50 {
		s.clear()
		has := map[uint32]bool{}
		shift := r.IntN(20)
		for range r.IntN(2000) {
			n := uint32(r.IntN(1500)) << shift
			if _, isNew := s.add(n); isNew == has[n] {
				t.Fatalf("%d is new: %v", n, has[n])
			}
			has[n] = true
		}
		if s.n != len(has) {
			t.Fatalf("%d nodes, want %d", s.n, len(has))
		}
	}
	s.add(3)
	s.stamp = 1<<32 - 1 // the next stamp is that of unused places
	s.clear()
	for _, n := range []uint32{3, 0} {
		if s.get(n) != nil {
			t.Errorf("has %d after the last stamp", n)
		}
		if _, isNew := s.add(n); !isNew || s.get(n) == nil {
			t.Errorf("has no %d after it was added", n)
		}
	}
}

// TestTable checks that a table keeps the values of its nodes when it grows.
func TestTable(t *testing.T) {
	var sums table[uint64]
	want := map[uint32]uint64{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		n := uint32(r.IntN(3000)) * 64
		value, _ := sums.add(n)
		*value += uint64(n) + 1
		want[n] += uint64(n) + 1
	}
	for n, sum := range want {
		if got := sums.get(n); got == nil || *got != sum {
			t.Fatalf("%d: %v, want %d", n, got, sum)
		}
	}
}

// TestLowest checks that the lowest keys are moved to the front, even if some are equal, and that keys have the order of
// Nearer.
func TestLowest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.Uint64Range(0, rapid.SampledFrom([]uint64{3, 1000}).Draw(t, "range"))).Draw(t, "keys")
		n := rapid.IntRange(0, len(keys)+1).Draw(t, "n")
		want := slices.Sorted(slices.Values(keys))
		sets.Lowest(keys, n)
		n = min(n, len(keys))
		if got := slices.Sorted(slices.Values(keys[:n])); !slices.Equal(got, want[:n]) || !slices.Equal(slices.Sorted(slices.Values(keys)), want) {
			t.Fatalf("%v, want %v first", keys, want[:n])
		}
		a := Neighbour{rapid.Uint32().Draw(t, "a"), rapid.Float32Range(0, 1).Draw(t, "of a")}
		b := Neighbour{rapid.Uint32().Draw(t, "b"), rapid.Float32Range(0, 1).Draw(t, "of b")}
		if got, want := cmp.Compare(Key(a.Node, a.Similarity), Key(b.Node, b.Similarity)), byNearness(a, b); got*want < 0 || (got == 0) != (want == 0) {
			t.Fatalf("%+v and %+v: %d, want %d", a, b, got, want)
		}
	})
}
