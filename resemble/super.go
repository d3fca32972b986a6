package resemble

import (
	"context"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/shingles"
)

// SuperKind is one of the two kinds of super-shingles.
type SuperKind uint8

// The kinds of super-shingles.
const (
	// SketchShingles are the shingles of the sorted sketch ([S1]): W consecutive samples. One in common is a strong
	// hint, but short documents may have none.
	SketchShingles SuperKind = iota
	// MinimaGroups are the minima under Groups·Size permutations, hashed in groups of Size. Documents of resemblance r
	// agree in a group with probability r^Size.
	MinimaGroups
)

// SuperConfig defines super-shingles and the number of them that two documents must share. Zero fields mean the
// defaults.
type SuperConfig struct {
	Kind         SuperKind
	W            int // samples in a super-shingle of SketchShingles; 4
	Groups, Size int // of MinimaGroups; 6 and 14
	Least        int // super-shingles in common; 1 of SketchShingles, 2 of MinimaGroups
}

func (s SuperConfig) withDefaults() (SuperConfig, error) {
	least := 1
	if s.Kind == MinimaGroups {
		least = 2
	}
	orDefault(&s.W, 4)
	orDefault(&s.Groups, shingles.DefaultGroups)
	orDefault(&s.Size, shingles.DefaultGroupSize)
	orDefault(&s.Least, least)
	if s.Kind > MinimaGroups || min(s.W, s.Groups, s.Size, s.Least) < 1 || s.Groups > 1<<8 || s.Size > 1<<8 {
		return s, fmt.Errorf("resemble: super-shingles by %+v", s)
	}
	return s, nil
}

// SuperPairs is another way to pairs: it compares the documents that share super-shingles exactly, and emits pairs as
// Pairs does. It forms far fewer pairs and finds only those of high resemblance (shingles.GroupAgreement gives the
// probability), and containment by luck. Documents that are sampled at different moduli, because their sizes differ,
// share no super-shingles of the kind SketchShingles.
func SuperPairs(ctx context.Context, docs Documents, equal *Equal, strip *Boilerplate, sc SuperConfig, c Config, emit func([]Pair) error) (Stats, error) {
	sc, err := sc.withDefaults()
	if err != nil {
		return Stats{}, err
	}
	s, err := newSearch(docs, equal, strip, c, emit)
	if err != nil {
		return Stats{}, err
	}
	p := superPairing{s, sc, make([][]uint64, s.c.workers())}
	err = s.find(ctx, &selfJoin{keys: p.keys}, func(_, _ uint32, n int) bool { return n >= sc.Least }, p.compare)
	return s.stats, err
}

type superPairing struct {
	*search
	sc     SuperConfig
	sample [][]uint64 // by worker
}

func (p *superPairing) keys(worker int, id uint32, dst []uint64) []uint64 {
	own, ok := p.own(worker, id)
	if !ok {
		return dst
	}
	if p.sc.Kind == SketchShingles {
		p.sample[worker] = p.tiers.sample(p.sample[worker][:0], own, p.tier[id])
		dst = append(dst, shingles.SuperShingles(p.sample[worker], p.sc.W)...)
		slices.Sort(dst)
		return slices.Compact(dst)
	}
	g := shingles.NewGroupedMinima(p.sc.Groups, p.sc.Size)
	g.AddAll(own)
	mixer := shingles.NewMixer(64, 1)
	for i, v := range g.Groups() {
		dst = append(dst, mixer.Mix(v+uint64(i))) // groups are not to be confused
	}
	return dst
}
