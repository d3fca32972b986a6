package lsh

import (
	"cmp"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/center"
)

// batched yields pairs, a few at a time.
func batched(pairs []Pair) iter.Seq2[[]Pair, error] {
	return func(yield func([]Pair, error) bool) {
		for some := range slices.Chunk(pairs, 7) {
			if !yield(some, nil) {
				return
			}
		}
	}
}

// The list follows its definition, for any order of the pairs, number of parts and memory.
func TestShortlist(t *testing.T) {
	const rows, m, most = 60, 80, 5
	r := rand.New(rand.NewPCG(1, 2))
	var pairs []Pair
	for a := range uint32(rows) {
		for b := a + 1; b < rows; b++ {
			if r.IntN(3) > 0 {
				pairs = append(pairs, Pair{A: a, B: b, Agreement: uint8(6 + r.IntN(12))})
			}
		}
	}
	want := listed(pairs, rows, most)
	if len(want) == 0 || len(want) == len(pairs) {
		t.Fatalf("%d of %d pairs are on the list: nothing is tested", len(want), len(pairs))
	}
	for _, parts := range []int{1, 2, 5} {
		for _, memory := range []int64{1, 1 << 12, 1 << 30} {
			r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
			var in []iter.Seq2[[]Pair, error]
			for i := range parts {
				in = append(in, batched(pairs[i*len(pairs)/parts:(i+1)*len(pairs)/parts]))
			}
			s, err := NewShortlist(t.Context(), ShortlistConfig{Rows: rows, M: m, Most: most, Memory: memory}, in...)
			if err != nil {
				t.Fatal(err)
			}
			var got []Pair
			for _, p := range pairs {
				if s.Has(p) {
					got = append(got, p)
				}
			}
			slices.SortFunc(got, byRows)
			if !slices.Equal(got, want) {
				t.Errorf("%d parts, %d bytes: %d pairs on the list, want %d", parts, memory, len(got), len(want))
			}
		}
	}
}

// listed are the pairs that agree at least as well as the most-th best of one of their rows, by rows.
func listed(pairs []Pair, rows, most int) []Pair {
	of := make([][]int, rows)
	for _, p := range pairs {
		of[p.A], of[p.B] = append(of[p.A], int(p.Agreement)), append(of[p.B], int(p.Agreement))
	}
	last := func(row uint32) int {
		slices.SortFunc(of[row], func(a, b int) int { return b - a })
		if len(of[row]) < most {
			return 0
		}
		return of[row][most-1]
	}
	var out []Pair
	for _, p := range pairs {
		if int(p.Agreement) >= last(p.A) || int(p.Agreement) >= last(p.B) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, byRows)
	return out
}

// An error of a part is an error of the list, and no shorter list.
func TestShortlistError(t *testing.T) {
	broken := errors.New("broken")
	part := func(yield func([]Pair, error) bool) {
		_ = yield([]Pair{{A: 0, B: 1, Agreement: 50}}, nil) && yield(nil, broken)
	}
	if _, err := NewShortlist(t.Context(), ShortlistConfig{Rows: 2, M: 80, Most: 1, Memory: 1 << 20}, part); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

func TestEmptyShortlist(t *testing.T) {
	for _, c := range []ShortlistConfig{{}, {Rows: 3, M: 80, Most: 2}} {
		if _, err := NewShortlist(t.Context(), c); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// edges is a graph by its rows.
type edges [][]center.Edge

func (e edges) Len() int                          { return len(e) }
func (e edges) Neighbours(u uint32) []center.Edge { return e[u] }

// The nearest are the first of each row's neighbours in the order of similarity and number, and both ways are among
// them if one of them is.
func TestNearest(t *testing.T) {
	const rows = 40
	r := rand.New(rand.NewPCG(3, 4))
	g := make(edges, rows)
	for a := range uint32(rows) {
		for b := a + 1; b < rows; b++ {
			if r.IntN(3) > 0 {
				s := float32(r.IntN(10)) / 10 // so that there are ties
				g[a], g[b] = append(g[a], center.Edge{To: b, Similarity: s}), append(g[b], center.Edge{To: a, Similarity: s})
			}
		}
	}
	for _, most := range []int{1, 3, rows} {
		best := make([]map[uint32]bool, rows)
		for u, of := range g {
			best[u] = map[uint32]bool{}
			sorted := slices.SortedFunc(slices.Values(of), func(a, b center.Edge) int {
				return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.To, b.To))
			})
			for _, e := range sorted[:min(most, len(sorted))] {
				best[u][e.To] = true
			}
		}
		n := NewNearest(g, most)
		for u, of := range g {
			for _, e := range of {
				if got, want := n.Has(uint32(u), e), best[u][e.To] || best[e.To][uint32(u)]; got != want {
					t.Errorf("nearest %d: edge from %d to %d at %g: %t, want %t", most, u, e.To, e.Similarity, got, want)
				}
			}
		}
	}
}
