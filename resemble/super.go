package resemble

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/shingles"
)

// superWidth is the number of samples in a super-shingle.
const superWidth = 4

// SuperPairs is another way to find pairs: it exactly compares the documents that share a super-shingle ([S1]), which
// is 4 consecutive samples of the sorted sketch, and emits pairs as Pairs does. It forms far fewer pairs and finds only
// pairs of high resemblance, and containment by luck. Short documents, and documents sampled at different moduli
// because their sizes differ, may share no super-shingle.
func SuperPairs(ctx context.Context, docs Documents, equal *Equal, strip *Boilerplate, c Config, emit func([]Pair) error) (Stats, error) {
	s, err := newSearch(docs, equal, strip, c, emit)
	if err != nil {
		return Stats{}, err
	}
	samples := make([][]uint64, s.c.workers())
	keys := func(worker int, id uint32, dst []uint32) (keys, outline []uint32) {
		own, ok := s.own(worker, id)
		if !ok {
			return dst, nil
		}
		samples[worker] = s.tiers.sample(samples[worker][:0], own, s.tier[id])
		for _, v := range shingles.SuperShingles(samples[worker], superWidth) {
			dst = append(dst, uint32(v>>(64-keyBits)))
		}
		slices.Sort(dst)
		return slices.Compact(dst), nil
	}
	err = s.find(ctx, &selfJoin{keys: keys, expected: uint64(docs.Len()), tiers: 1}, nil, s.compare)
	return s.stats, err
}
