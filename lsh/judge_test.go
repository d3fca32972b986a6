package lsh

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/minhash"
)

// The assembly finds the same hits as the Go code, for rows of few and of many signatures, and these are the rows given
// by the keys and the floor.
func TestJudge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ m, k, l, least int }{{80, 3, 125, 16}, {80, 2, 128, 4}, {80, 3, 60, 0}, {64, 2, 30, 9}, {65, 4, 100, 81}} {
		x := mustIndex(t, c.m, c.k, c.l, 1)
		j := newJudge(x, c.least)
		for _, n := range []int{0, 1, 2, 300} {
			rows := make([]byte, (n+1)*judgeStride) // the bytes after the signatures of a row may have any value
			for i := range rows {
				rows[i] = byte(r.IntN(1 + r.IntN(6)))
			}
			key := r.IntN(c.l)
			j.set(key)
			a, rows := rows[:judgeStride], rows[judgeStride:]
			got, want := make([]hit, n), make([]hit, n)
			got, want = got[:j.rows(got, a, rows)], want[:j.rowsGo(want, a, rows)]
			if !slices.Equal(got, want) {
				t.Fatalf("%+v, key %d: %d hits of %d rows, want %d", c, key, len(got), n, len(want))
			}
			for i := range n {
				equal := minhash.LowMask(a[:c.m], rows[i*judgeStride:][:c.m])
				first := slices.IndexFunc(x.masks[:key+1], equal.Contains)
				hit := slices.ContainsFunc(got, func(h hit) bool { return h.place == uint64(i) && h.equal == equal })
				if hit != (equal.Count() >= c.least || first != key) {
					t.Fatalf("%+v, key %d: row %d with %d equal bytes and key %d is a hit: %v", c, key, i, equal.Count(), first, hit)
				}
			}
		}
	}
	if newJudge(mustIndex(t, 81, 3, 10, 1), 1) != nil || newJudge(mustIndex(t, 80, 3, 129, 1), 1) != nil || newJudge(mustIndex(t, 63, 3, 10, 1), 1) != nil {
		t.Error("a judge for an index that it cannot handle")
	}
}
