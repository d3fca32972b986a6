package resemble

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/shingles"
)

// Sketches are Documents that may hold only sketches, as in [S1] and [S2]. Then Values returns the samples, and figures
// are estimates.
type Sketches interface {
	Documents
	Sketched() bool              // if false, the other methods are not called
	Sketcher() shingles.Sketcher // the sketcher of all sketches
	Size(id uint32) int          // number of distinct shingles of the document
}

// Digest returns the digest of a set of shingles, given in ascending order. Equal sets have equal digests.
func Digest(values []uint64) uint64 {
	h := uint64(len(values))*0x9e3779b97f4a7c15 + 1
	for _, v := range values {
		h = (h ^ v) * 0xd6e8feb86659fd93
		h ^= h >> 32
	}
	return h
}

// sketched returns docs as Sketches if they hold sketches.
func sketched(docs Documents) (Sketches, bool) {
	s, ok := docs.(Sketches)
	return s, ok && s.Sketched()
}

// SketchBoilerplate returns the configuration for finding boilerplate in sketches: as for whole sets, except that the
// least number of own shingles of a page is a number of samples, smaller by the sampling factor.
func SketchBoilerplate(s shingles.Sketcher) BoilerplateConfig {
	const least = 16 // shingles, as in whole sets
	if s.Kind == shingles.Var {
		return BoilerplateConfig{Least: least / 4} // half to one of 100 samples, or all shingles of a short page
	}
	return BoilerplateConfig{Least: max(1, int(least/cmp.Or(s.M, shingles.DefaultM)))}
}

// sketchPairs is Pairs for sketches. It forms the pairs that share a sample which is not common, and compares the
// sketches of each. Pair.Exact is zero, unless both sketches hold all shingles of their documents.
func (s *search) sketchPairs(ctx context.Context, docs Sketches) error {
	p := sketchPairing{s, docs}
	err := s.find(ctx, &selfJoin{keys: p.keys, expected: uint64(docs.Len()), tiers: 1}, nil, p.compare)
	s.stats.Fine = 0 // the sampling of a sketch is fixed
	return err
}

type sketchPairing struct {
	*search
	sketches Sketches
}

// keys appends the keys of the samples of a document.
func (p *sketchPairing) keys(worker int, id uint32, dst []uint32) (keys, outline []uint32) {
	own, _ := p.own(worker, id)
	for _, v := range own {
		dst = append(dst, keyOf(v, p.shift, 0))
	}
	return slices.Compact(dst), nil
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

// similar reports whether to emit a pair, which takes at least MinShingles samples.
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

func (c *comparer) estimate(docs Sketches, a, b uint32) Pair {
	as, bs := c.pair(a, b)
	sizeA, sizeB := docs.Size(a), docs.Size(b)
	p := Pair{A: a, B: b, Sample: docs.Sketcher().Overlap(shingles.Stored{Values: as, Size: sizeA}, shingles.Stored{Values: bs, Size: sizeB})}
	if docs.Stored(a) == sizeA && docs.Stored(b) == sizeB {
		p.Exact = overlap(as, bs)
	}
	return p
}
