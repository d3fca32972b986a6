package resemble

import "github.com/lshclust/lshclust/shingles"

// Pair is two documents, A < B, and how much they have in common.
type Pair struct {
	A, B uint32
	// Exact counts the shingles of A, of B and of both, boilerplate left out.
	Exact shingles.Overlap
	// Sample counts those of them that the sketches hold: of every M shingles one,
	// of short documents more. Sample.Resemblance and Sample.Containment are the
	// estimates, on Sample.Union and Sample.A samples. They need no correction for
	// small samples: these pairs share a sample, and what is compared is never
	// empty. In pairs of other makes than Pairs all of it is zero.
	Sample shingles.Overlap
}

// Resemblance is |A∩B|/|A∪B|, exact, boilerplate left out.
func (p Pair) Resemblance() float64 {
	r, _ := p.Exact.Resemblance()
	return r
}

// Estimate is the resemblance that the sketches show; ok is false without samples.
func (p Pair) Estimate() (r float64, ok bool) { return p.Sample.Resemblance() }

// ContainmentAB is |A∩B|/|A|, the share of A that is in B, exact.
func (p Pair) ContainmentAB() float64 {
	c, _ := p.Exact.Containment()
	return c
}

// ContainmentBA is |A∩B|/|B|, the share of B that is in A, exact.
func (p Pair) ContainmentBA() float64 {
	c, _ := p.Exact.Swap().Containment()
	return c
}

// Containment is the larger of both containments.
func (p Pair) Containment() float64 { return max(p.ContainmentAB(), p.ContainmentBA()) }

// RelationOf returns why a pair is stored: "similar" if its resemblance is at least the threshold, else "contained".
func RelationOf(p Pair, threshold float64) string {
	if p.Resemblance() >= threshold {
		return Similar.String()
	}
	return "contained"
}
