package resemble

import "github.com/lshclust/lshclust/shingles"

// Pair is two documents, A < B, and how much they have in common.
type Pair struct {
	A, B uint32
	// Exact counts the shingles of A, of B and of both, without boilerplate. It is zero if sketches that hold only some
	// of the shingles found the pair (see Sketches).
	Exact shingles.Overlap
	// Sample counts the shingles that the sketches hold. Pairs samples one shingle in every M, and more of short
	// documents. Sample.Resemblance and Sample.Containment are estimates from Sample.Union and Sample.A samples. They
	// need no correction for small samples: these pairs share a sample, so the compared sets are never empty. It is
	// zero in pairs that sketches have not found.
	Sample shingles.Overlap
}

// Estimated reports whether the figures of the pair are estimates from sketches.
func (p Pair) Estimated() bool { return p.Exact == shingles.Overlap{} }

// Overlap returns the counts behind resemblance and containment: Exact, or Sample if the pair is Estimated.
func (p Pair) Overlap() shingles.Overlap {
	if p.Estimated() {
		return p.Sample
	}
	return p.Exact
}

// Swap exchanges A and B.
func (p Pair) Swap() Pair {
	return Pair{A: p.B, B: p.A, Exact: p.Exact.Swap(), Sample: p.Sample.Swap()}
}

// Resemblance returns |A∩B|/|A∪B| without boilerplate.
func (p Pair) Resemblance() float64 {
	r, _ := p.Overlap().Resemblance()
	return r
}

// Estimate returns the resemblance that the sketches show; ok is false without samples.
func (p Pair) Estimate() (r float64, ok bool) { return p.Sample.Resemblance() }

// ContainmentAB returns |A∩B|/|A|, the share of A that is in B. It is meaningless if the pair is Estimated from
// sketches of a kind that does not estimate containment (shingles.Kind.Containment).
func (p Pair) ContainmentAB() float64 {
	c, _ := p.Overlap().Containment()
	return c
}

// ContainmentBA returns |A∩B|/|B|, the share of B that is in A, like ContainmentAB.
func (p Pair) ContainmentBA() float64 {
	c, _ := p.Overlap().Swap().Containment()
	return c
}

// Containment returns the larger of the two containments.
func (p Pair) Containment() float64 { return max(p.ContainmentAB(), p.ContainmentBA()) }

// Contained is the name, in tables, of the relation of a pair that was found only for its containment: its resemblance
// is below the threshold of similar pairs.
const Contained = "contained"

// Relation returns why the pair was found under a threshold of resemblance: the name of Similar, or Contained.
func (p Pair) Relation(threshold float64) string {
	if p.Resemblance() >= threshold {
		return Similar.String()
	}
	return Contained
}
