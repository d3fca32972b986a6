package moved

import "math"

// Model holds the weights of the figures of Evidence, in the order of Vector; Default names them.
type Model [features]float64

// utility returns the logarithm of the odds that the content is at a candidate rather than nowhere, if there are no
// other candidates.
func (m *Model) utility(e *Evidence) (u float64) {
	if e.Redirect {
		return redirectUtility
	}
	for i, x := range Vector(e) {
		u += m[i] * x
	}
	if !e.supported() {
		u = min(u, unsupportedUtility)
	}
	return u
}

// unsupportedUtility is the greatest utility of a candidate that only names and URLs indicate. Its probability is below
// one half.
const unsupportedUtility = -0.1

// redirectUtility is the utility of the destination of a redirect: the site itself says that the content is there.
const redirectUtility = 20

// probabilities appends to dst the probability of each candidate: exp(u) of its utility u, divided by 1 plus the sum
// over all candidates. The 1 stands for no candidate.
func probabilities(dst, utilities []float64) []float64 {
	most := 0.0
	for _, u := range utilities {
		most = max(most, u)
	}
	sum := math.Exp(-most)
	for _, u := range utilities {
		sum += math.Exp(u - most)
	}
	for _, u := range utilities {
		dst = append(dst, math.Exp(u-most)/sum)
	}
	return dst
}
