package resemble

import (
	"context"

	"github.com/lshclust/lshclust/shingles"
)

// Sketches are documents with only a sketch each, as in [S1] and [S2]. Values returns the samples. FindEqualSketches,
// FindSketchBoilerplate and SketchPairs do for them what FindEqual, FindBoilerplate and Pairs do for whole sets.
type Sketches interface {
	Documents
	Sketcher() shingles.Sketcher // the sketcher that made all of them
	Size(id uint32) int          // number of distinct shingles of the document
	Digest(id uint32) uint64     // Digest of the set of all its shingles
}

// Digest is the digest of a set of shingles, given in ascending order, by which equal sets are found.
func Digest(values []uint64) uint64 { return hashSet(values) }

// FindEqualSketches is FindEqual for sketches. Its levels are as exact as there: the digest of the whole set tells
// documents with the same shingles, while documents with the same samples only are a similar pair.
func FindEqualSketches(ctx context.Context, docs Sketches, r Resources) (*Equal, error) {
	return findEqual(ctx, docs, r, docs.Digest, docs.Size)
}

// SketchBoilerplate returns how boilerplate is found in sketches: as in whole sets, except that the least number of
// shingles that a page has for itself is a number of samples, fewer by the same factor.
func SketchBoilerplate(s shingles.Sketcher) BoilerplateConfig {
	const least = 16 // shingles, as in whole sets
	if s.Kind == shingles.Var {
		return BoilerplateConfig{Least: least / 4} // half to one of 100 samples, or all shingles of a short page
	}
	m := s.M
	if m == 0 {
		m = shingles.DefaultM
	}
	return BoilerplateConfig{Least: max(1, int(least/m))}
}

// FindSketchBoilerplate is FindBoilerplate for sketches of a kind that Drops common values. A value counts as common by
// its share of those pages whose sketches would hold it if they had it.
func FindSketchBoilerplate(ctx context.Context, docs Sketches, equal *Equal, c BoilerplateConfig, r Resources) (*Boilerplate, BoilerplateStats, error) {
	s := docs.Sketcher()
	return findBoilerplate(ctx, docs, equal, c, r, func(id uint32) int { return s.Level(docs.Size(id)) })
}

// SketchPairs emits the pairs of representatives that are similar by their sketches, as Pairs does by whole sets: it
// forms the pairs that share a sample which is not common, and compares the sketches of each. Pair.Sample holds what
// they have in common; Pair.Exact is zero, unless both sketches hold all shingles of their documents.
//
// Of c, M and Miss are not in use, and MinShingles is a number of samples: a document with fewer is not compared, and
// neither resemblance nor containment is estimated by fewer.
func SketchPairs(ctx context.Context, docs Sketches, equal *Equal, strip *Boilerplate, c Config, emit func([]Pair) error) (Stats, error) {
	s, err := newSearch(docs, equal, strip, c, emit)
	if err != nil {
		return Stats{}, err
	}
	p := sketchPairing{s, docs, make([]uint32, docs.Len()), make([]uint32, docs.Len())}
	every := func(_, _ uint32, _ int) bool { return true }
	err = s.find(ctx, &selfJoin{keys: p.keys, unpaired: p.leaveOut}, every, p.compare)
	p.count()
	return s.stats, err
}

type sketchPairing struct {
	*search
	sketches Sketches
	size     []uint32 // number of samples of each document
	apart    []uint32 // of these, the common and the capped ones
}

func (p *sketchPairing) leaveOut(_ uint64, id uint32) { p.apart[id]++ }

// count adds the documents that may have been missed to the stats.
func (p *sketchPairing) count() {
	p.stats.Fine = 0 // a sketch is as fine as it is
	for id, n := range p.size {
		if n > 0 && 2*p.apart[id] >= n {
			p.stats.MostlyIgnored++
		}
	}
}

// keys are the samples of a document.
func (p *sketchPairing) keys(worker int, id uint32, dst []uint64) []uint64 {
	own, _ := p.own(worker, id)
	p.size[id] = uint32(len(own))
	return append(dst, own...)
}

// compare compares the sketches of pairs and returns those to emit.
func (p *sketchPairing) compare(worker int, batch []ids) ([]Pair, error) {
	var found []Pair
	for _, i := range batch {
		if x := p.comps[worker].estimate(p.sketches, i.a, i.b); p.similar(x) {
			found = append(found, x)
		}
	}
	return found, nil
}

// similar reports whether a pair is to be emitted, by no fewer samples than MinShingles.
func (p *sketchPairing) similar(x Pair) bool {
	o := x.Overlap()
	enough := func(samples int) bool { return samples >= p.c.MinShingles }
	switch {
	case x.Resemblance() >= p.c.Floor && enough(o.Union()):
		return true
	case !p.sketches.Sketcher().Kind.Containment() && x.Estimated():
		return false
	}
	return x.ContainmentAB() >= p.c.Containment && enough(o.A) || x.ContainmentBA() >= p.c.Containment && enough(o.B)
}

// Estimate compares two documents by their sketches, boilerplate left out as Compare does.
func Estimate(docs Sketches, strip *Boilerplate, a, b uint32) Pair {
	c := comparer{docs: docs, strip: strip}
	return c.estimate(docs, a, b)
}

func (c *comparer) estimate(docs Sketches, a, b uint32) Pair {
	as, bs := c.pair(a, b)
	sizeA, sizeB := docs.Size(a), docs.Size(b)
	p := Pair{A: a, B: b, Sample: docs.Sketcher().Overlap(shingles.Stored{Values: as, Size: sizeA}, shingles.Stored{Values: bs, Size: sizeB})}
	if len(docs.Values(a)) == sizeA && len(docs.Values(b)) == sizeB {
		p.Exact = overlap(as, bs)
	}
	return p
}
