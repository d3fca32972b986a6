package pipeline

import (
	"math/rand/v2"
	"testing"

	"github.com/lshclust/lshclust/internal/tables"
)

// TestChains joins random pairs: a sequence holds the nodes that the pairs connect, each once, and nodes that are joined
// first are next to each other.
func TestChains(t *testing.T) {
	const n = 300
	r := rand.New(rand.NewPCG(1, 2))
	c := newChains(n)
	set := make([]int, n) // by node
	for i := range set {
		set[i] = i
	}
	for i := range 220 {
		a, b := uint32(r.IntN(n)), uint32(r.IntN(n))
		c.join(a, b)
		if i == 0 && c.next[a] != b {
			t.Errorf("%d is before %d, not %d", a, c.next[a], b)
		}
		old := set[b]
		for j := range set {
			if set[j] == old {
				set[j] = set[a]
			}
		}
	}
	seen := make([]bool, n)
	for first := range uint32(n) {
		if c.of(first) != first {
			continue
		}
		for u := first; u != tables.None; u = c.after(u) {
			if seen[u] || set[u] != set[first] || c.of(u) != first {
				t.Errorf("node %d in the sequence of %d", u, first)
			}
			seen[u] = true
		}
	}
	for u, ok := range seen {
		if !ok {
			t.Errorf("no sequence has node %d", u)
		}
	}
}

// TestPacking checks that packed values can be unpacked and sort by the first place, the difference and the second
// place. With more than 2^28 places, differences are coarser.
func TestPacking(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, places := range []int{1, 2, 3, 400_000, 1 << 28, 1<<28 + 1, 1 << 30, 1<<32 - 1} {
		k := newPacking(places)
		for range 1000 {
			a, b, c := uint32(r.IntN(places)), uint32(r.IntN(places)), uint32(r.IntN(places))
			x, y := r.IntN(129), r.IntN(129)
			if p, q := k.places(k.candidate(a, b, x)); p != a || q != b {
				t.Fatalf("%d places: %d and %d, want %d and %d", places, p, q, a, b)
			}
			if p, q := k.pair(k.alike(a, b, x)); p != a || q != b {
				t.Fatalf("%d places: pair %d and %d, want %d and %d", places, p, q, a, b)
			}
			x, y = x>>k.dropped<<k.dropped, y>>k.dropped<<k.dropped
			if x != y && (k.candidate(a, b, x) < k.candidate(a, c, y)) != (x < y) || x != y && (k.alike(a, b, x) < k.alike(b, c, y)) != (x < y) {
				t.Fatalf("%d places: order of %d and %d", places, x, y)
			}
			if a != b && (k.candidate(a, c, x) < k.candidate(b, c, y)) != (a < b) {
				t.Fatalf("%d places: order of places %d and %d", places, a, b)
			}
		}
		if places <= 1<<28 && k.dropped != 0 {
			t.Errorf("%d places: %d bits dropped", places, k.dropped)
		}
	}
}
