package resemble

import (
	"context"
	"testing"

	"pgregory.net/rapid"
)

// If there are more samples of short documents than the filter may hold, long documents are searched for those of the
// next tier, and in the end for none.
func TestAcrossManyShort(t *testing.T) {
	m := newMaker()
	for _, n := range []int{79, 399, 4000} {
		m.add(0, m.values(n))
	}
	docs := m.docs
	equal, tiers := find(t, docs), newTiers(25)
	for most, want := range map[uint64]uint8{25 + 31: 0, 25 + 30: 2, 12 + 31: 2, 12 + 30: 3, 6 + 31: 3, 6 + 30: 4} {
		if a := newAcross(docs, equal, &tiers, most); a.from != want {
			t.Errorf("at most %d: from tier %d, want %d", most, a.from, want)
		}
	}
}

// In a list, some documents have the key as their own and others look for it. The first are paired with all, in part if
// there are too many; the number of pairs is as predicted.
func TestRunsOfShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.IntRange(2, 60).Draw(t, "documents")
		own := rapid.SliceOfN(rapid.Bool(), docs, docs).Draw(t, "own")
		j := &selfJoin{
			docs: docs, res: Resources{Memory: 1 << 20, Workers: 1},
			selfJoinConfig: selfJoinConfig{maxCommon: 1000, reach: rapid.IntRange(1, 5).Draw(t, "reach"), maxPairs: rapid.Int64Range(1, 3000).Draw(t, "pairs")},
			keys:           func(_ int, _ uint32, dst []uint64) []uint64 { return append(dst, 7) },
			unpairedAcross: func(uint64, uint32) {},
			short:          func(_ uint64, id uint32) bool { return own[id] },
		}
		got := map[ids]bool{}
		err := j.pairs(context.Background(), func(_ int, a uint32, near []partner) ([]Pair, error) {
			for _, p := range near {
				if a >= p.id || p.n != 1 || !own[a] && !own[p.id] || got[ids{a, p.id}] {
					t.Errorf("pair %d %d, %d times", a, p.id, p.n)
				}
				got[ids{a, p.id}] = true
			}
			return nil, nil
		}, func([]Pair) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		short := 0
		for _, o := range own {
			short += toInt(o)
		}
		all := allPairs(short) + uint64(short)*uint64(docs-short)
		if n := uint64(len(got)); n != j.stats.PairsFormed || n+j.stats.PairsNotFormed != all {
			t.Errorf("%d pairs of %d, foreseen %d and %d not", n, all, j.stats.PairsFormed, j.stats.PairsNotFormed)
		}
	})
}
