package resemble

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/shingles"
)

// SuperKind is one of the two kinds of super-shingles.
type SuperKind uint8

// The kinds of super-shingles.
const (
	// SketchShingles are the shingles of the sorted sketch ([S1]): 4 consecutive samples. One in common is a strong
	// hint, but short documents may have none.
	SketchShingles SuperKind = iota
	// MinimaGroups are the minima under 84 permutations, hashed in 6 groups of 14. Documents of resemblance r agree in a
	// group with probability r^14; they must agree in two.
	MinimaGroups
)

// The shapes of super-shingles: 4 samples, or 6 groups of 14 minima, two of which two documents must share.
const (
	superWidth  = 4
	superGroups = 6
	superSize   = 14
)

// SuperPairs is another way to pairs: it compares the documents that share super-shingles exactly, and emits pairs as
// Pairs does. It forms far fewer pairs and finds only those of high resemblance, and containment by luck. Documents that
// are sampled at different moduli, because their sizes differ, share no super-shingles of the kind SketchShingles.
func SuperPairs(ctx context.Context, docs Documents, equal *Equal, strip *Boilerplate, kind SuperKind, c Config, emit func([]Pair) error) (Stats, error) {
	s, err := newSearch(docs, equal, strip, c, emit)
	if err != nil {
		return Stats{}, err
	}
	least := 1
	if kind == MinimaGroups {
		least = 2
	}
	p := superPairing{s, kind, make([][]uint64, s.c.workers())}
	err = s.find(ctx, &selfJoin{keys: p.keys}, func(_, _ uint32, n int) bool { return n >= least }, p.compare)
	return s.stats, err
}

type superPairing struct {
	*search
	kind   SuperKind
	sample [][]uint64 // by worker
}

func (p *superPairing) keys(worker int, id uint32, dst []uint64) []uint64 {
	own, ok := p.own(worker, id)
	if !ok {
		return dst
	}
	if p.kind == SketchShingles {
		p.sample[worker] = p.tiers.sample(p.sample[worker][:0], own, p.tier[id])
		dst = append(dst, shingles.SuperShingles(p.sample[worker], superWidth)...)
		slices.Sort(dst)
		return slices.Compact(dst)
	}
	mixer := shingles.NewMixer(64, 1)
	for i, v := range shingles.GroupMinima(own, superGroups, superSize) {
		dst = append(dst, mixer.Mix(v+uint64(i))) // groups are not to be confused
	}
	return dst
}
