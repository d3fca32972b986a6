package resemble

import (
	"context"
	"fmt"
	"sort"

	"github.com/lshclust/lshclust/internal/sets"
)

// Pairs emits the pairs of representatives that are similar, each once, in ascending order of (A, B). It calls emit
// from one goroutine at a time; the slice is valid until emit returns. If emit returns an error or ctx ends, Pairs
// stops and returns that error with the counts so far.
//
// It is the algorithm of [S1] on MOD_m sketches: it drops boilerplate, pairs documents that share a sample, and counts
// the samples that they share. It adds four things. It samples documents of fewer than 16·M shingles at a higher rate,
// and the shortest entirely, so that short pages are not lost, and compares two documents at the higher rate of the two,
// so that it finds a paragraph in a book. It pairs a document only by its rarest samples, so many that each document
// that is similar shares one of them. It turns pairs away that share too few samples, or whose maps of all shingles, a
// few bits for each, show that they share too few. And it compares the others exactly.
//
// Beyond the pairs that Miss allows, Pairs misses documents whose shared samples are paired in part (see Config).
// Stats.MostlyIgnored is the number of documents that this may affect; each of them is paired with some that have the
// same samples.
//
// For Sketches, pairs are documents that share a sample, compared by their sketches. Then M and
// Miss have no effect, and MinShingles is a number of samples: a document with fewer is not compared, and neither
// resemblance nor containment is estimated from fewer.
func Pairs(ctx context.Context, docs Documents, equal *Equal, strip *Boilerplate, c Config, emit func([]Pair) error) (Stats, error) {
	s, err := newSearch(docs, equal, strip, c, emit)
	if err != nil {
		return Stats{}, err
	}
	if sketches, ok := sketched(docs); ok {
		err := s.sketchPairs(ctx, sketches)
		return s.stats, err
	}
	s.across = newAcross(docs, equal, &s.tiers, maxAcross)
	p := newPairing(s)
	if err := p.look(ctx); err != nil {
		return s.stats, err
	}
	err = s.find(ctx, &p.join, p.candidate, p.compare)
	return s.stats, err
}

// pairing decides by MOD_m sketches.
type pairing struct {
	*search
	of      []sampled         // by document
	drop    map[uint32]counts // host -> samples of its boilerplate
	similar margin
	within  margin

	mostDropped counts           // the most samples that the boilerplate of a host has
	most        [maxTiers]counts // by tier, the most samples of a document
	join        selfJoin
}

func newPairing(s *search) *pairing {
	p := &pairing{search: s, drop: make(map[uint32]counts)}
	p.of = make([]sampled, s.docs.Len())
	p.similar = newMargin(s.c.Floor, s.c.Miss)
	p.within = newMargin(s.c.Containment, s.c.Miss)
	for host, values := range s.strip.All() {
		var samples counts
		for _, v := range values {
			samples.add(&s.tiers, v)
		}
		p.drop[host] = samples
		for t, n := range samples {
			p.mostDropped[t] = max(p.mostDropped[t], n)
		}
	}
	p.join = selfJoin{keys: p.keys, tiers: len(s.tiers.rate), tier: s.tier, collected: p.lookAtSizes, asks: p.asks, may: p.may}
	for id := range uint32(s.docs.Len()) {
		if s.equal.Relation(id) == Alone {
			n := s.docs.Stored(id)
			p.join.expected += s.tiers.expected(n, s.tiers.of(n))
			p.join.outlined += uint64(mapSize(uint32(n)))
		}
	}
	return p
}

// candidate reports whether a pair may be similar by the samples that it shares: whether it would be if each document
// contained the boilerplate of the other's host.
func (p *pairing) candidate(a, b uint32) bool {
	t := p.across.between(p.of[a].tier, p.of[b].tier)
	return p.alike(a, b) && p.mayBeWithout(a, b, t, p.join.store.commonFrom(t, a, b))
}

// alike reports whether two documents may be similar by their outlines.
func (p *pairing) alike(a, b uint32) bool {
	_, x := p.join.store.all(a)
	_, y := p.join.store.all(b)
	sizeA, sizeB := p.bare(a, b, 0, x[0], y[0])
	least := p.leastCommon(int(sizeA), int(sizeB))
	return !lacks(x, y, int(x[0])-least) && !lacks(y, x, int(y[0])-least)
}

// may reports whether two documents may be a candidate by their masks, so that hardly any others need be sorted. Unless either may be
// the smaller one by its samples, that must be a.
func (p *pairing) may(a, b uint32, either bool) bool {
	x, y := &p.of[a], &p.of[b]
	t := p.across.between(x.tier, y.tier)
	if !either && x.size[t] > y.size[t] {
		return false
	}
	if x.tier > y.tier {
		x, y = y, x
	}
	if t != x.tier {
		return true
	}
	most := x.size[t] - x.own.without(&y.all)
	if t == y.tier {
		most = min(most, y.size[t]-y.own.without(&x.all))
	}
	return p.mayBeWithout(a, b, t, most)
}

// mayBeWithout reports whether a pair may be similar if the documents share a number of samples.
func (p *pairing) mayBeWithout(a, b uint32, t uint8, shared uint32) bool {
	sizeA, sizeB := p.bare(a, b, t, p.of[a].size[t], p.of[b].size[t])
	return p.mayBe(shared, max(shared, sizeA), max(shared, sizeB))
}

// mayBe reports whether two documents of some numbers of samples may be similar if they share a number of them.
func (p *pairing) mayBe(shared, sizeA, sizeB uint32) bool {
	return p.similar.enough(shared, sizeA+sizeB-shared) || p.c.Containment <= 1 && p.within.enough(shared, min(sizeA, sizeB))
}

// bare returns the least sizes that can remain of two documents without the boilerplate of the other's host.
func (p *pairing) bare(a, b uint32, tier uint8, sizeA, sizeB uint32) (uint32, uint32) {
	if len(p.drop) > 0 && p.docs.Host(a) != p.docs.Host(b) {
		sizeA -= min(sizeA, p.drop[p.docs.Host(b)][tier])
		sizeB -= min(sizeB, p.drop[p.docs.Host(a)][tier])
	}
	return sizeA, sizeB
}

// asks asks with the rarest samples of a document, at each tier at which it may be the smaller one of a pair: with so many
// that a candidate shares one of them.
func (p *pairing) asks(id uint32, held []uint32, rare []uint64, ask func(i uint64)) {
	x := &p.of[id]
	done := [maxTiers]bool{}
	for tier := range p.tiers.rate {
		t := p.across.between(x.tier, uint8(tier))
		if done[t] || x.size[t] > p.most[tier][t] {
			continue
		}
		done[t] = true
		n := 0
		for _, k := range held {
			n += sets.One(levelOf(k) >= t)
		}
		n -= p.least(x.size[t]-min(x.size[t], p.mostDropped[t])) - 1
		for _, i := range rare {
			if n <= 0 {
				break
			}
			if levelOf(held[uint32(i)]) >= t {
				ask(i)
				n--
			}
		}
	}
}

// least returns how many samples a document of so many shares with a similar one of as many or more.
func (p *pairing) least(size uint32) int {
	return sort.Search(int(size), func(n int) bool { return p.mayBe(uint32(n), size, size) })
}

// lookAtSizes finds the most samples of the documents of each tier.
func (p *pairing) lookAtSizes() {
	for id, tier := range p.tier {
		if tier == outside {
			continue
		}
		for t, n := range p.of[id].size {
			p.most[tier][t] = max(p.most[tier][t], n)
		}
	}
}

func checkSame(docs Documents, equal *Equal) error {
	if docs.Len() != equal.Len() {
		return fmt.Errorf("resemble: %d documents for equalities among %d", docs.Len(), equal.Len())
	}
	return checkLen(docs)
}
