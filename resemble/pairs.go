package resemble

import (
	"context"
	"fmt"
)

// Pairs emits the pairs of representatives that are similar, each once, in ascending order of (A, B). It calls emit
// from one goroutine at a time; the slice is valid until emit returns. If emit returns an error or ctx ends, Pairs
// stops and returns that error with the counts so far.
//
// It is the algorithm of [S1] on MOD_m sketches: it drops boilerplate, ignores shingles in more than MaxCommon
// documents, and counts for each pair of documents the samples that they share. It adds three things. It samples
// documents of fewer than 16·M shingles at a higher rate, and the shortest entirely, so that short pages are not lost,
// and compares two documents at the higher rate of the two, so that it finds a paragraph in a book. When it turns pairs
// away, a sample that is too common or too frequent to be paired in full counts as shared, so that it hides nothing
// that another sample shows. And it compares the pairs that are not rejected exactly.
//
// Beyond the pairs that Miss allows, Pairs misses documents that share only common samples. Stats.MostlyIgnored is the
// number of documents that this may affect; each of them is paired with some that have the same common samples.
//
// For Sketches, pairs are documents that share a sample which is not common, compared by their sketches. Then M and
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
	err = s.find(ctx, &selfJoin{keys: p.keys, short: p.short, unpaired: p.leaveOut, unpairedAcross: p.leaveOutAcross, ignored: p.mostlyIgnored, deferral: deferral{least: p.least}}, p.candidate, p.compare)
	p.count()
	return s.stats, err
}

// pairing decides by MOD_m sketches.
type pairing struct {
	*search
	of      []sampled         // by document
	drop    map[uint32]counts // host -> samples of its boilerplate
	similar margin
	within  margin

	mostDropped counts   // the most samples that the boilerplate of a host has
	enough      []uint32 // see newEnough
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
	p.enough = p.newEnough()
	return p
}

func (p *pairing) leaveOut(key uint64, id uint32) {
	p.of[id].apart.add(&p.tiers, key)
}

func (p *pairing) leaveOutAcross(key uint64, id uint32) {
	p.of[id].far.add(&p.tiers, key)
}

// candidate reports whether a pair that shares n samples may be similar: whether it would be if everything that was not
// paired were shared, and if each document contained the boilerplate of the other's host.
func (p *pairing) candidate(a, b uint32, n int) bool {
	x, y := &p.of[a], &p.of[b]
	t := p.across.between(x.tier, y.tier)
	sizeA, sizeB := x.size[t], y.size[t]
	apartA, apartB := x.apart[t], y.apart[t]
	if x.tier < y.tier {
		apartA += x.far[t]
	} else if y.tier < x.tier {
		apartB += y.far[t]
	}
	shared := min(uint32(n)+min(apartA, apartB), sizeA, sizeB)
	if len(p.drop) > 0 {
		if x, y := p.docs.Host(a), p.docs.Host(b); x != y {
			sizeA = p.smaller(sizeA, y, t, shared)
			sizeB = p.smaller(sizeB, x, t, shared)
		}
	}
	return p.similar.enough(shared, sizeA+sizeB-shared) || p.c.Containment <= 1 && p.within.enough(shared, min(sizeA, sizeB))
}

// smaller returns the least size that can remain of size without the boilerplate of the other host.
func (p *pairing) smaller(size uint32, host uint32, tier uint8, shared uint32) uint32 {
	return max(shared, size-min(size, p.drop[host][tier]))
}

// count counts the documents that may lack pairs.
func (p *pairing) count() {
	for id := range p.tier {
		if p.mostlyIgnored(uint32(id)) {
			p.stats.MostlyIgnored++
		}
	}
}

// mostlyIgnored reports whether at least half of the samples of a document are ignored.
func (p *pairing) mostlyIgnored(id uint32) bool {
	t := p.tier[id]
	return t != outside && p.of[id].size[t] > 0 && 2*p.of[id].apart[t] >= p.of[id].size[t]
}

func checkSame(docs Documents, equal *Equal) error {
	if docs.Len() != equal.Len() {
		return fmt.Errorf("resemble: %d documents for equalities among %d", docs.Len(), equal.Len())
	}
	return checkLen(docs)
}
