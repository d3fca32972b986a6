package resemble

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/internal/sets"
)

// joined returns the pairs that a self-join forms, which must be different and in order.
func joined(t *rapid.T, j *selfJoin) map[ids]bool {
	var all []ids
	j.tiers, j.res = 1, Resources{Memory: 1 << 20, Workers: 1}
	err := j.pairs(background, func(_ int, batch []ids) ([]Pair, error) {
		all = append(all, batch...)
		return nil, nil
	}, func([]Pair) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	found := map[ids]bool{}
	for i, p := range all {
		if p.a >= p.b || i > 0 && slices.Compare([]uint32{all[i-1].a, all[i-1].b}, []uint32{p.a, p.b}) >= 0 {
			t.Fatalf("%v after %v", p, all[max(i-1, 0)])
		}
		found[p] = true
	}
	return found
}

// Every pair that shares as many keys as its smaller document needs is formed, however few keys that document asks with.
func TestRarestKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.SliceOfNDistinct(rapid.Uint32Range(0, 30), 1, 20, rapid.ID[uint32]), 2, 25).Draw(t, "sets")
		share := rapid.IntRange(2, 10).Draw(t, "tenths")
		least := func(id uint32) int { return max(1, len(keys[id])*share/10) }
		for i := range keys {
			slices.Sort(keys[i])
		}
		found := joined(t, &selfJoin{
			docs: len(keys), selfJoinConfig: selfJoinConfig{maxCommon: 1000, reach: 16},
			keys: func(_ int, id uint32, dst []uint32) ([]uint32, []uint32) { return append(dst, keys[id]...), nil },
			asks: func(id uint32, held []uint32, rare []uint64, ask func(i uint64)) {
				for _, i := range rare[:len(held)-least(id)+1] {
					ask(i)
				}
			},
			may: func(a, b uint32, either bool) bool { return either || len(keys[a]) <= len(keys[b]) },
		})
		for b := range uint32(len(keys)) {
			for a := range b {
				both := 0
				for _, k := range keys[a] {
					both += sets.One(slices.Contains(keys[b], k))
				}
				small := a
				if len(keys[b]) < len(keys[a]) {
					small = b
				}
				if both >= least(small) && !found[ids{a, b}] {
					t.Errorf("%v and %v share %d", keys[a], keys[b], both)
				}
				if both == 0 && found[ids{a, b}] {
					t.Errorf("%v and %v share nothing", keys[a], keys[b])
				}
			}
		}
	})
}

// In a list, some documents ask with the key. They are paired with all, in part if there are too many; the number of pairs
// is as predicted.
func TestPairsOfList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.IntRange(2, 60).Draw(t, "documents")
		asking := rapid.SliceOfN(rapid.Bool(), docs, docs).Draw(t, "asking")
		j := &selfJoin{
			docs:           docs,
			selfJoinConfig: selfJoinConfig{maxCommon: 1000, reach: rapid.IntRange(1, 5).Draw(t, "reach"), maxPairs: rapid.Int64Range(1, 3000).Draw(t, "pairs")},
			keys:           func(_ int, _ uint32, dst []uint32) ([]uint32, []uint32) { return append(dst, 7), nil },
			asks: func(id uint32, _ []uint32, rare []uint64, ask func(i uint64)) {
				if asking[id] {
					ask(rare[0])
				}
			},
		}
		got, n := joined(t, j), 0
		for p := range got {
			if !asking[p.a] && !asking[p.b] {
				t.Errorf("%v, and neither asks", p)
			}
		}
		for _, a := range asking {
			n += sets.One(a)
		}
		all := allPairs(n) + uint64(n)*uint64(docs-n)
		if formed := uint64(len(got)); formed != j.stats.PairsFormed || formed+j.stats.PairsNotFormed != all {
			t.Errorf("%d pairs of %d, foreseen %d and %d not", formed, all, j.stats.PairsFormed, j.stats.PairsNotFormed)
		}
	})
}
