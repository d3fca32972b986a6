package expand

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
)

// world is a set of nodes: bags, signatures of one byte each, and for each node the pages that link to it. It
// implements Nodes, and Graph with the lists that a test puts in.
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

// Fetch checks that the nodes are distinct and that there are such nodes.
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
func (w *world) reference(bag bags.Bag, start []Neighbour, without []uint32, rounds, width int) []Neighbour {
	met, expanded, out := map[uint32]bool{}, map[uint32]bool{}, []Neighbour(nil)
	for _, n := range without {
		met[n] = true
	}
	for _, n := range start {
		if !met[n.Node] {
			met[n.Node] = true
			out = append(out, n)
		}
	}
	slices.SortFunc(out, byNearness)
	for round := range rounds {
		var fresh []Neighbour
		for i, n := range out {
			if i >= width || expanded[n.Node] {
				continue
			}
			expanded[n.Node] = true
			for j, v := range w.lists[n.Node] {
				if j >= width || met[v.Node] {
					continue
				}
				met[v.Node] = true
				if s := bags.Similarity(bag, w.bags[v.Node]); s > 0 {
					fresh = append(fresh, Neighbour{v.Node, float32(s), uint8(round + 1)})
				}
			}
		}
		out = append(out, fresh...)
		slices.SortFunc(out, byNearness)
	}
	return out
}

// TestSearch compares the neighbours of neighbours with a reference, of many bags with one Search.
func TestSearch(t *testing.T) {
	const n = 150
	w := newWorld(1, n)
	w.link(1, 8)
	r := rand.New(rand.NewPCG(3, 4))
	s := Search{Graph: w, Bags: w.Bags}
	for try := range 2000 {
		node := uint32(r.IntN(n))
		start := slices.Clone(w.lists[node])
		if len(start) > 0 && try%3 == 0 {
			start = append(start, start[0]) // twice
		}
		without := []uint32{node}
		for range r.IntN(4) {
			without = append(without, uint32(r.IntN(n)))
		}
		rounds, width := r.IntN(5), r.IntN(7)
		got, want := s.From(w.bags[node], start, without, rounds, width), w.reference(w.bags[node], start, without, rounds, width)
		if !slices.Equal(got, want) {
			t.Fatalf("node %d, %d rounds of width %d:\n%v, want\n%v", node, rounds, width, got, want)
		}
	}
}

// TestSearchReaches: with enough rounds and all neighbours, a search meets everything that paths connect.
func TestSearchReaches(t *testing.T) {
	const n = 12
	w := &world{lists: make([][]Neighbour, n)}
	for i := range uint32(n) {
		w.bags = append(w.bags, bags.Bag{Terms: []uint32{7, 100 + i}, Counts: []uint16{1, 1}})
	}
	for i := range uint32(n - 1) {
		w.lists[i] = []Neighbour{w.neighbour(i, i+1)}
	}
	s := Search{Graph: w, Bags: w.Bags}
	for rounds := range n + 3 {
		got := s.From(w.bags[0], w.lists[0], []uint32{0}, rounds, n)
		if len(got) != min(rounds+1, n-1) {
			t.Errorf("%d rounds: %v", rounds, got)
		}
		for _, x := range got {
			if uint32(x.Round) != x.Node-1 {
				t.Errorf("node %d in round %d", x.Node, x.Round)
			}
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
