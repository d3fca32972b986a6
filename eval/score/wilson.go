package score

import "math"

// z95 is the normal quantile of a two-sided 95 % interval.
const z95 = 1.959963984540054

// Wilson returns the 95 % score interval of the success rate of n independent trials, which is 0 to 1 if there are
// none. Unlike the normal interval, it has a positive width even if all trials or none succeed.
func Wilson(successes, n int) Interval {
	if n < 1 {
		return Interval{0, 1}
	}
	p, m, z2 := float64(successes)/float64(n), float64(n), z95*z95
	mid := p + z2/(2*m)
	wide := z95 * math.Sqrt(p*(1-p)/m+z2/(4*m*m))
	out := Interval{(mid - wide) / (1 + z2/m), (mid + wide) / (1 + z2/m)}
	if successes == 0 {
		out.Low = 0 // exactly 0, without a rounding error
	}
	if successes == n {
		out.High = 1
	}
	return out
}
