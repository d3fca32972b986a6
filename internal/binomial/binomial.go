// Package binomial has the binomial coefficients and probabilities from which the S-curves of LSH indexes are computed.
package binomial

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Choose returns the number of subsets of k of n things. It is a float because C(128,64) has 37 digits.
func Choose(n, k int) float64 {
	c := 1.0
	for i := range k {
		c *= float64(n-i) / float64(i+1)
	}
	return math.Round(c)
}

// Probability returns the probability of x successes in n trials of probability p each.
func Probability(n, x int, p float64) float64 {
	return Choose(n, x) * math.Pow(p, float64(x)) * math.Pow(1-p, float64(n-x))
}

// AtMost returns the probability of at most x successes in n trials of probability p each, 0 <= p <= 1.
func AtMost(n, x, p float64) float64 {
	switch x = math.Floor(x); {
	case x < 0:
		return 0
	case x >= n || p <= 0:
		return 1
	case p >= 1:
		return 0
	}
	return mathext.RegIncBeta(n-x, x+1, 1-p)
}

// Quantile returns the value below which a normally distributed number of mean 0 and deviation 1 is with probability p,
// 0 < p < 1.
func Quantile(p float64) float64 { return mathext.NormalQuantile(p) }
