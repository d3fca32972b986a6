package expand

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/minhash"
)

// kept returns the neighbours to keep among all nodes that a node was compared with: the nearest, and the nearest that
// are apart from the node.
func (w *world) kept(node uint32, all []Neighbour, keep Keep) []Neighbour {
	all = slices.Clone(all)
	slices.SortFunc(all, byNearness)
	var apart []Neighbour
	for _, n := range all {
		if !w.Together(node, n.Node) {
			apart = append(apart, n)
		}
	}
	out := append(slices.Clone(all[:min(keep.Nearest, len(all))]), apart[:min(keep.Apart, len(apart))]...)
	slices.SortFunc(out, byNearness)
	return slices.Compact(out)
}

// ordered returns the candidates of a node by descending agreement, and ties in the order in which they were met.
func (w *world) ordered(node uint32, candidates []uint32) []uint32 {
	candidates = slices.Clone(candidates)
	slices.SortStableFunc(candidates, func(a, b uint32) int {
		return minhash.LowAgreement(w.low[node], w.low[b]) - minhash.LowAgreement(w.low[node], w.low[a])
	})
	return candidates
}

// compared returns the candidates to compare exactly: those that agree best, and those that agree best among the ones
// apart. Among ties, it prefers the ones met first.
func (w *world) compared(node uint32, candidates []uint32, keep Keep) (out []Neighbour, n int) {
	apart := 0
	for i, c := range w.ordered(node, candidates) {
		is := !w.Together(node, c)
		if i < compareFactor*keep.Nearest || is && apart < compareFactor*keep.Apart {
			n++
			if x := w.neighbour(node, c); x.Similarity > 0 && x.Similarity >= keep.Least {
				out = append(out, x)
			}
		}
		if is {
			apart++
		}
	}
	return out, n
}

func others(r *rand.Rand, n int, node uint32, most int) (out []uint32) {
	for _, c := range r.Perm(n)[:r.IntN(most+1)] {
		if uint32(c) != node {
			out = append(out, uint32(c))
		}
	}
	return out
}

// TestSelect compares with brute force. If there are few candidates, all are compared; otherwise those that agree best.
func TestSelect(t *testing.T) {
	const n = 200
	w := newWorld(2, n)
	r := rand.New(rand.NewPCG(7, 8))
	for _, keep := range []Keep{{25, 25, 0.03}, {25, 0, 0.03}, {0, 5, 0}, {3, 3, 0.2}, {1, 4, 0}, {5, 2, 0.1}, {200, 200, 0}} {
		l := Lister{Nodes: w, Keep: keep}
		full := compareFactor * keep.Nearest // every candidate is compared
		var compared int64
		for range 500 {
			node := uint32(r.IntN(n))
			candidates := others(r, n, node, n-1)
			want, count := w.compared(node, candidates, keep)
			if len(candidates) <= full {
				if count != len(candidates) {
					t.Fatalf("%d of %d compared", count, len(candidates))
				}
				want = nil
				for _, c := range candidates {
					if x := w.neighbour(node, c); x.Similarity > 0 && x.Similarity >= keep.Least {
						want = append(want, x)
					}
				}
			}
			compared += int64(count)
			if got, want := l.Select(node, w.ordered(node, candidates)), w.kept(node, want, keep); !slices.Equal(got, want) {
				t.Fatalf("%+v, node %d of %d candidates:\n%v, want\n%v", keep, node, len(candidates), got, want)
			}
			if l.Compared != compared {
				t.Fatalf("%d comparisons, want %d", l.Compared, compared)
			}
		}
	}
}

// TestExpand compares with brute force: the list of a node and the neighbours of its neighbours, up to a width.
func TestExpand(t *testing.T) {
	const n = 200
	w := newWorld(3, n)
	w.link(4, 20)
	more, once := 0, 0
	for _, keep := range []Keep{{25, 25, 0.03}, {10, 10, 0}, {3, 3, 0.2}, {200, 200, 0}, {0, 4, 0}} {
		for _, width := range []int{0, 1, 5, 50} {
			l := Lister{Nodes: w, Keep: keep}
			for node := range uint32(n) {
				known := w.lists[node]
				leads := map[uint32][]int{} // indexes of the neighbours that lead to each node
				var candidates []uint32
				for i, x := range known[:min(width, len(known))] {
					for _, y := range w.Nearest(nil, x.Node, width) {
						leads[y] = append(leads[y], i)
						isKnown := y == node || slices.ContainsFunc(known, func(x Neighbour) bool { return x.Node == y })
						if by := leads[y]; !isKnown && !slices.Contains(candidates, y) && (i < 16 || len(by) == 2) {
							candidates = append(candidates, y)
						}
					}
				}
				for _, by := range leads {
					if by[0] >= 16 && len(by) == 1 {
						once++
					}
				}
				found, _ := w.compared(node, candidates, keep)
				want := w.kept(node, append(found, known...), keep)
				if got := l.Expand(w, node, known, width); !slices.Equal(got, want) {
					t.Fatalf("%+v, width %d, node %d:\n%v, want\n%v", keep, width, node, got, want)
				}
				more += len(found)
			}
		}
	}
	if more < 1000 || once < 100 {
		t.Errorf("only %d neighbours of neighbours, and %d to which only a late one leads", more, once)
	}
}

// TestNearKey: the packed numbers are in the order of Nearer.
func TestNearKey(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 10000 {
		a := Neighbour{Node: uint32(r.IntN(4)), Similarity: float32(r.IntN(5)) / 4}
		b := Neighbour{Node: r.Uint32(), Similarity: r.Float32()}
		if r.IntN(2) == 0 {
			b = Neighbour{Node: uint32(r.IntN(4)), Similarity: float32(r.IntN(5)) / 4}
		}
		x, y := Key(a.Node, a.Similarity), Key(b.Node, b.Similarity)
		if want := Nearer(a, b); (x < y) != (want < 0) || (x == y) != (want == 0) || want != sign(byNearness(a, b)) {
			t.Fatalf("%v, %v: %x, %x, %d", a, b, x, y, want)
		}
	}
}

func sign(n int) int { return max(-1, min(1, n)) }
