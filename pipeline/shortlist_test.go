package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/lshclust/lshclust/lsh"
)

// The list is what its definition says, whoever found the pairs, in whatever order, however little is counted at a time.
func TestShortlist(t *testing.T) {
	const nodes, signatures, most = 60, 80, 5
	r := rand.New(rand.NewPCG(1, 2))
	var pairs []lsh.Pair
	for a := range uint32(nodes) {
		for b := a + 1; b < nodes; b++ {
			if r.IntN(3) > 0 {
				pairs = append(pairs, lsh.Pair{A: a, B: b, Agreement: uint8(6 + r.IntN(12))})
			}
		}
	}
	want := listed(pairs, nodes, most)
	if len(want) == 0 || len(want) == len(pairs) {
		t.Fatalf("%d of %d pairs are on the list: nothing is tested", len(want), len(pairs))
	}
	for _, workers := range []int{1, 2, 5} {
		for _, memory := range []int64{1, 1 << 12, 1 << 30} {
			r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
			s, err := newShortlist(t.TempDir(), nodes, signatures, most, workers, memory)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range pairs {
				if err := s.add(i%workers, []lsh.Pair{p}); err != nil {
					t.Fatal(err)
				}
			}
			var mu sync.Mutex
			var got []lsh.Pair
			err = s.each(context.Background(), func(_ int, p []lsh.Pair) error {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, p...)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			s.close()
			slices.SortFunc(got, byNodes)
			if !slices.Equal(got, want) || int(sum(s.skipped)) != len(pairs)-len(want) {
				t.Errorf("%d workers, %d bytes: %d pairs on the list and %d left out, want %d of %d", workers, memory, len(got), sum(s.skipped), len(want), len(pairs))
			}
		}
	}
}

// listed are the pairs that agree at least as well as the most-th best of one of their nodes, by nodes.
func listed(pairs []lsh.Pair, nodes, most int) []lsh.Pair {
	of := make([][]int, nodes)
	for _, p := range pairs {
		of[p.A], of[p.B] = append(of[p.A], int(p.Agreement)), append(of[p.B], int(p.Agreement))
	}
	last := func(node uint32) int {
		slices.SortFunc(of[node], func(a, b int) int { return b - a })
		if len(of[node]) < most {
			return 0
		}
		return of[node][most-1]
	}
	var out []lsh.Pair
	for _, p := range pairs {
		if int(p.Agreement) >= last(p.A) || int(p.Agreement) >= last(p.B) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, byNodes)
	return out
}

func byNodes(a, b lsh.Pair) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) }

// A disk that is gone is an error, and no shorter list.
func TestShortlistError(t *testing.T) {
	s, err := newShortlist(t.TempDir(), 10, 80, 2, 1, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	many := make([]lsh.Pair, 1<<18)
	err = s.add(0, many)
	if err == nil {
		err = s.each(context.Background(), func(int, []lsh.Pair) error { return fmt.Errorf("handed on") })
	}
	if err == nil || err.Error() == "handed on" {
		t.Errorf("error %v", err)
	}
}
