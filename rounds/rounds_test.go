package rounds

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/resemble"
)

// graphs returns graphs of different shapes: pairs of nodes, each once.
func graphs(r *rand.Rand) map[string]struct {
	n     int
	pairs []center.Pair
} {
	type graph = struct {
		n     int
		pairs []center.Pair
	}
	out := map[string]graph{"empty": {}, "no links": {n: 5}}
	pair := func(a, b int) center.Pair {
		return center.Pair{A: uint32(a), B: uint32(b), Similarity: 1 - float32(r.IntN(8))/8}
	}
	chain, star, last, clique := graph{n: 500}, graph{n: 300}, graph{n: 300}, graph{n: 40}
	for i := range chain.n - 1 {
		chain.pairs = append(chain.pairs, pair(i, i+1))
	}
	for i := range star.n - 1 {
		star.pairs, last.pairs = append(star.pairs, pair(0, i+1)), append(last.pairs, pair(i, last.n-1))
	}
	for a := range clique.n {
		for b := range a {
			clique.pairs = append(clique.pairs, pair(b, a))
		}
	}
	out["chain"], out["star"], out["star around the last"], out["clique"] = chain, star, last, clique
	order := r.Perm(chain.n)
	mixed := graph{n: chain.n}
	for _, p := range chain.pairs {
		mixed.pairs = append(mixed.pairs, pair(order[p.A], order[p.B]))
	}
	out["chain in random order"] = mixed
	for i := range 60 {
		g := graph{n: 1 + r.IntN(200)}
		for range r.IntN(4 * g.n) {
			g.pairs = append(g.pairs, pair(r.IntN(g.n), r.IntN(g.n))) // loops and repetitions included
		}
		out[fmt.Sprintf("random %d", i)] = g
	}
	return out
}

// linksOf returns the links of ranges of nodes of a graph, in both directions, at a threshold.
func linksOf(g center.Graph, threshold float32) func(first, end uint32) iter.Seq2[Link, error] {
	return func(first, end uint32) iter.Seq2[Link, error] {
		return func(yield func(Link, error) bool) {
			for u := first; u < end; u++ {
				for _, e := range g.Neighbours(u) {
					if e.Similarity >= threshold && !yield(Link{u, e.To}, nil) {
						return
					}
				}
			}
		}
	}
}

func local(t testing.TB, parts int) *Local {
	return &Local{Parts: parts, Sort: extsort.Config{Memory: 1 << 20, Dir: t.TempDir()}}
}

// CENTER by rounds gives the centers of the scan, however many parts there are, and takes no more rounds than parts, and
// one in which everybody listens.
func TestCenter(t *testing.T) {
	for name, g := range graphs(rand.New(rand.NewPCG(1, 1))) {
		of := center.NewGraph(g.n, g.pairs)
		for _, threshold := range []float32{0, 0.5} {
			want := center.Cluster(of, nil, threshold)
			for _, parts := range []int{1, 2, 3, 7, 50, 1000} {
				d := local(t, parts)
				got, err := d.Center(t.Context(), g.n, linksOf(of, threshold))
				if err != nil {
					t.Fatalf("%s, %d parts: %v", name, parts, err)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, threshold %g, %d parts: centers %d, want %d", name, threshold, parts, got, want)
				}
				if most := min(parts, g.n) + 1; d.Rounds > most {
					t.Errorf("%s, %d parts: %d rounds", name, parts, d.Rounds)
				}
				if d.Sent > int64(len(g.pairs)) {
					t.Errorf("%s, %d parts: %d records for %d pairs", name, parts, d.Sent, len(g.pairs))
				}
			}
		}
	}
}

// The order in which a part is told, and by which round, changes nothing: records are delayed at random, shuffled, and
// the state goes through its bytes after each round.
func TestCenterLate(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for name, g := range graphs(r) {
		of, size := center.NewGraph(g.n, g.pairs), 1+g.n/6
		var parts []*CenterPart
		var links [][]Link
		for first := 0; first < g.n; first += size {
			end := min(first+size, g.n)
			parts = append(parts, NewCenterPart(uint32(first), end-first))
			links = append(links, collect(t, linksOf(of, 0.25)(uint32(first), uint32(end))))
		}
		told, busy := make([][]Told, len(parts)), g.n > 0
		for round := 0; busy; round++ {
			busy = false
			for _, i := range r.Perm(len(parts)) {
				r.Shuffle(len(told[i]), func(a, b int) { told[i][a], told[i][b] = told[i][b], told[i][a] })
				now := told[i]
				if round > 0 {
					now = now[:r.IntN(len(now)+1)]
				}
				told[i] = slices.Clone(told[i][len(now):])
				var left []Link
				err := parts[i].Round(errorless(now), errorless(links[i]),
					func(x Told) error { told[int(x.Node)/size] = append(told[int(x.Node)/size], x); return nil },
					func(l Link) error { left = append(left, l); return nil })
				if err != nil {
					t.Fatal(err)
				}
				links[i] = left
				state, err := parts[i].AppendBinary(nil)
				if err != nil {
					t.Fatal(err)
				}
				if parts[i], err = ParseCenterPart(state); err != nil {
					t.Fatal(err)
				}
			}
			for i := range parts {
				busy = busy || len(told[i])+len(links[i]) > 0
			}
		}
		got := []uint32{}
		for _, p := range parts {
			if err := p.Centers(func(c uint32) error { got = append(got, c); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		if want := center.Cluster(of, nil, 0.25); !slices.Equal(got, want) {
			t.Errorf("%s: centers %d, want %d", name, got, want)
		}
	}
}

func collect[T any](t *testing.T, from iter.Seq2[T, error]) (out []T) {
	t.Helper()
	for x, err := range from {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// Links that no graph has are refused.
func TestImpossibleLinks(t *testing.T) {
	nothing := func(Told) error { return nil }
	keep := func(Link) error { return nil }
	for name, links := range map[string][]Link{
		"out of order": {{4, 5}, {3, 5}}, "neighbours out of order": {{4, 6}, {4, 5}}, "of another part": {{9, 1}},
	} {
		p := NewCenterPart(3, 4)
		if err := p.Round(errorless[Told](nil), errorless(links), nothing, keep); !errors.Is(err, ErrLinks) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := NewCenterPart(3, 4)
	if err := p.Round(errorless([]Told{{7, 1}}), errorless[Link](nil), nothing, keep); !errors.Is(err, ErrLinks) {
		t.Errorf("a node of another part is told: %v", err)
	}
	if err := p.Round(errorless[Told](nil), errorless([]Link{{5, 1}}), nothing, keep); err != nil {
		t.Fatal(err)
	}
	if err := p.Centers(func(uint32) error { return nil }); !errors.Is(err, ErrLinks) {
		t.Errorf("a link in one direction: %v", err)
	}
	if _, err := ParseCenterPart(make([]byte, 15)); err == nil {
		t.Error("a state of 15 bytes is read")
	}
	if err := Forest(3, errorless([]Weighted{{0, 1, 0.5}, {1, 2, 0.6}}), func(Weighted) error { return nil }); !errors.Is(err, ErrLinks) {
		t.Errorf("weights that rise: %v", err)
	}
	if err := Forest(3, errorless([]Weighted{{0, 3, 0.5}}), func(Weighted) error { return nil }); !errors.Is(err, ErrLinks) {
		t.Errorf("a node that there is not: %v", err)
	}
}

// The components and their weakest links are those of union-find over all links from the strongest to the weakest.
func TestComponents(t *testing.T) {
	for name, g := range graphs(rand.New(rand.NewPCG(3, 3))) {
		var all []Weighted
		for _, p := range g.pairs {
			all = append(all, Weighted{p.A, p.B, float64(p.Similarity)})
		}
		slices.SortStableFunc(all, func(a, b Weighted) int { return cmp.Compare(b.Weight, a.Weight) })
		u, lowest := resemble.NewUnionFind(g.n), make([]float64, g.n)
		for _, l := range all {
			if u.Union(l.A, l.B) {
				lowest[u.Find(l.A)] = l.Weight
			}
		}
		for _, parts := range []int{1, 2, 3, 8, 13} {
			d := local(t, parts)
			got, err := d.Components(t.Context(), g.n, func(part int) iter.Seq2[Weighted, error] {
				var some []Weighted
				for i := part; i < len(all); i += parts {
					some = append(some, all[i])
				}
				return errorless(some)
			})
			if err != nil {
				t.Fatal(err)
			}
			for node := range uint32(g.n) {
				if got.Root[node] != u.Find(node) {
					t.Fatalf("%s, %d parts: node %d is in the component of %d, not %d", name, parts, node, got.Root[node], u.Find(node))
				}
				if root := got.Root[node]; got.Lowest[root] != lowest[root] {
					t.Fatalf("%s, %d parts: weakest link of %d is %g, not %g", name, parts, root, got.Lowest[root], lowest[root])
				}
			}
		}
	}
}
