package moved

import (
	"math"
)

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

// Default is the model fitted to the gold of the eight versions of the Hugo documentation, all 28 pairs of them: 2,306
// pages that moved. Package moved at commit 21519726 has the fit, by Newton's method; docs/quality.md says how good the
// model is.
var Default = Model{
	-11.82, // constant
	-1.32,  // resemblance
	3.68,   // old_in_new
	-1.97,  // new_in_old
	4.02,   // context
	2.93,   // links
	4.38,   // name
	4.93,   // segment
	4.63,   // path
	2.09,   // folder
	4.20,   // fresh
	7.37,   // text_lead
	6.18,   // link_lead
	-4.38,  // name_and_segment
}
