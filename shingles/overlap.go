package shingles

import (
	"errors"
	"math"
)

// ErrMismatch is returned when two sketches of other parameters are brought together.
var ErrMismatch = errors.New("shingles: sketches of different parameters")

// Overlap counts the sampled values of two documents: those found in A, in B and
// in both. From a Set the counts are of all values, and what follows is exact.
type Overlap struct{ A, B, Both int }

// Union is the number of values in A or B: the sample on which Resemblance rests.
func (o Overlap) Union() int { return o.A + o.B - o.Both }

// Resemblance is |A∩B|/|A∪B|, from 0 to 1. It is not ok if both sets are empty:
// then there is no estimate, and 0 or 1 would both be wrong.
func (o Overlap) Resemblance() (r float64, ok bool) { return ratio(o.Both, o.Union()) }

// Distance is 1 - Resemblance. On exact sets it is a metric ([S2] section 2).
func (o Overlap) Distance() (d float64, ok bool) {
	r, ok := o.Resemblance()
	return 1 - r, ok
}

// Containment is |A∩B|/|A|, the share of A that is in B, from 0 to 1. It is not
// ok if A has no samples.
func (o Overlap) Containment() (c float64, ok bool) { return ratio(o.Both, o.A) }

// Swap exchanges A and B.
func (o Overlap) Swap() Overlap { return Overlap{A: o.B, B: o.A, Both: o.Both} }

func ratio(part, whole int) (float64, bool) {
	if whole <= 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}

// all is no limit on the number of values.
const all = math.MaxInt

// overlap merges two ascending sequences and counts, among their first limit
// distinct values, those in a, in b and in both.
func overlap(a, b []uint64, limit int) Overlap {
	i, j, seen, both := 0, 0, 0, 0
	for i < len(a) && j < len(b) && seen < limit {
		x, y := a[i], b[j]
		i += one(x <= y)
		j += one(y <= x)
		both += one(x == y)
		seen++
	}
	rest := limit - seen // 0 if both go on
	return Overlap{A: i + min(rest, len(a)-i), B: j + min(rest, len(b)-j), Both: both}
}

// one is 1 for true; the compiler makes it a single instruction.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
