package expand

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
)

// world is a set of nodes: bags, signatures of one byte each, and for each node the pages that link to it. It
// implements Nodes, and Graph with the lists set by a test.
type world struct {
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

// reference does what From does, with maps and without reuse.
func (w *world) reference(node uint32, known []Neighbour, width int) []Neighbour {
	met, out := map[uint32]bool{node: true}, slices.Clone(known)
	for _, n := range known {
		met[n.Node] = true
	}
	slices.SortFunc(out, byNearness)
	for _, n := range out[:min(width, len(out))] {
		for _, v := range w.lists[n.Node][:min(width, len(w.lists[n.Node]))] {
			if met[v.Node] {
				continue
			}
			met[v.Node] = true
			if s := bags.Similarity(w.bags[node], w.bags[v.Node]); s > 0 {
				out = append(out, Neighbour{v.Node, float32(s), true})
			}
		}
	}
	slices.SortFunc(out, byNearness)
	return out
}

// TestSearch compares the neighbours of neighbours of many bags with a reference, using one Search.
func TestSearch(t *testing.T) {
	const n = 150
	w := newWorld(1, n)
	w.link(1, 8)
	r := rand.New(rand.NewPCG(3, 4))
	s := Search{Graph: w, Bags: w.Bags}
	for range 2000 {
		node, width := uint32(r.IntN(n)), r.IntN(7)
		known := slices.Clone(w.lists[node])
		r.Shuffle(len(known), func(i, j int) { known[i], known[j] = known[j], known[i] })
		want := w.reference(node, known, width)
		if got := s.From(node, w.bags[node], known, width); !slices.Equal(got, want) {
			t.Fatalf("node %d, width %d:\n%v, want\n%v", node, width, got, want)
		}
	}
}

func TestSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var s set
	for range 50 {
		s.clear()
		has := map[uint32]bool{}
		shift := r.IntN(20)
		for range r.IntN(2000) {
			n := uint32(r.IntN(1500)) << shift
			if s.add(n) == has[n] {
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
	if !s.add(3) || s.add(3) || !s.add(0) || s.add(0) {
		t.Error("wrong after the last stamp")
	}
}
