package resemble

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// With deferred keys, documents that can be candidates have the same partners, sharing the same number of keys, as
// without, and fewer pairs are formed.
func TestDeferred(t *testing.T) {
	const docs, least = 400, 9
	r := rand.New(rand.NewPCG(1, 2))
	sets := make([][]uint64, docs)
	for id := range sets {
		for key := range uint64(8) { // in half of the documents each
			if r.IntN(2) == 0 {
				sets[id] = append(sets[id], key)
			}
		}
		for range 20 {
			sets[id] = append(sets[id], 100+r.Uint64N(4000))
		}
		if id%10 > 0 { // shares most with the previous one
			sets[id] = append(sets[id], sets[id-1][len(sets[id-1])-15:]...)
		}
		slices.Sort(sets[id])
		sets[id] = slices.Compact(sets[id])
	}
	find := func(d deferral) (map[ids]uint32, SelfJoinStats) {
		found := map[ids]uint32{}
		j := selfJoin{deferral: d, docs: docs, res: Resources{Dir: t.TempDir(), Workers: 1}, selfJoinConfig: selfJoinConfig{maxCommon: 1000, reach: 16}}
		j.keys = func(_ int, id uint32, dst []uint64) []uint64 { return append(dst, sets[id]...) }
		j.short = func(key uint64, id uint32) bool { return key%7 > 0 || id%3 > 0 }
		j.unpairedAcross = func(uint64, uint32) { t.Error("a key of too many documents") }
		err := j.pairs(context.Background(), func(_ int, a uint32, near []partner) ([]Pair, error) {
			for _, p := range near {
				if p.n >= least {
					found[ids{a, p.id}] = p.n
				}
			}
			return nil, nil
		}, func([]Pair) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		return found, j.stats
	}
	want, before := find(deferral{})
	got, after := find(deferral{
		least:     func(id uint32) int { return int(id) % (least + 1) },
		candidate: func(_, _ uint32, n int) bool { return n >= least },
	})
	if len(want) < docs/2 || len(got) != len(want) {
		t.Fatalf("%d pairs, want %d", len(got), len(want))
	}
	for pair, n := range want {
		if got[pair] != n {
			t.Errorf("%v share %d keys, want %d", pair, got[pair], n)
		}
	}
	if after.PairsFormed != before.PairsFormed || after.Pairs >= before.Pairs {
		t.Errorf("%d and %d pairs, of which %d and %d were formed", before.PairsFormed, after.PairsFormed, before.Pairs, after.Pairs)
	}
}
