package shingles

import (
	"math"

	"github.com/lshclust/lshclust/internal/sets"
)

// Overlap counts the sampled values of two documents: those in A, in B and in both. If it comes from a Set, it counts
// all values, and all figures computed from it are exact.
type Overlap struct{ A, B, Both int }

// Union returns the number of values in A or B: the sample behind Resemblance.
func (o Overlap) Union() int { return o.A + o.B - o.Both }

// Resemblance returns |A∩B|/|A∪B|, from 0 to 1. If both samples are empty, ok is false: there is no estimate, and both
// 0 and 1 would be wrong.
func (o Overlap) Resemblance() (r float64, ok bool) { return ratio(o.Both, o.Union()) }

// Containment returns |A∩B|/|A|, the share of A that is in B, from 0 to 1. If A has no samples, ok is false.
func (o Overlap) Containment() (c float64, ok bool) { return ratio(o.Both, o.A) }

// Swap exchanges A and B.
func (o Overlap) Swap() Overlap { return Overlap{A: o.B, B: o.A, Both: o.Both} }

func ratio(part, whole int) (float64, bool) {
	if whole <= 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}

// all means no limit on the number of values.
const all = math.MaxInt

// overlap merges two ascending sequences. Among their first limit distinct values it counts those in a, in b and in
// both.
func overlap(a, b []uint64, limit int) Overlap {
	i, j, seen, both := 0, 0, 0, 0
	for i < len(a) && j < len(b) && seen < limit {
		x, y := a[i], b[j]
		i += sets.One(x <= y)
		j += sets.One(y <= x)
		both += sets.One(x == y)
		seen++
	}
	rest := limit - seen // 0 if both continue
	return Overlap{A: i + min(rest, len(a)-i), B: j + min(rest, len(b)-j), Both: both}
}

// StdErr returns the standard error of Resemblance as an estimate: sqrt(r(1-r)/n) for the resemblance r of n samples,
// the square root of the variance of a binomial share. It first adds one agreeing sample and one that does not agree,
// so that a few samples that all agree do not look certain. It is 0 without samples.
func (o Overlap) StdErr() float64 {
	if o.Union() <= 0 {
		return 0
	}
	n := float64(o.Union() + 2)
	r := float64(o.Both+1) / n
	return math.Sqrt(r * (1 - r) / n)
}
