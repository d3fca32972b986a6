// Package binomial has the binomial coefficients and probabilities from which the S-curves of LSH indexes are computed.
package binomial

import "math"

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

// AtMost returns the probability of at most x successes in n trials of probability p each, 0 < p < 1.
func AtMost(n, x, p float64) float64 {
	switch x = math.Floor(x); {
	case x < 0:
		return 0
	case x >= n:
		return 1
	}
	return beta(n-x, x+1, 1-p)
}

// beta returns the regularized incomplete beta function I_x(a, b) for 0 < x < 1. Its continued fraction (DLMF 8.17.22)
// converges fast up to the mean of the distribution; beyond it, that of the other side does.
func beta(a, b, x float64) float64 {
	if x > (a+1)/(a+b+2) {
		return 1 - beta(b, a, 1-x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / (a * betaFraction(a, b, x))
}

// betaFraction returns 1 + d1/(1 + d2/(1 + ...)), by the method of Lentz. The number of steps grows as the square root
// of the larger of a and b.
func betaFraction(a, b, x float64) float64 {
	const tiny, enough = 1e-300, 1e-16
	f, c, d := 1.0, 1.0, 0.0
	for i := 1.0; i < 10000; i++ {
		m := math.Floor(i / 2)
		term := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		if i != 2*m {
			term = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		if d = 1 + term*d; d == 0 {
			d = tiny
		}
		if c = 1 + term/c; c == 0 {
			c = tiny
		}
		d = 1 / d
		f *= c * d
		if math.Abs(c*d-1) <= enough {
			break
		}
	}
	return f
}

// Quantile returns the value below which a normally distributed number of mean 0 and deviation 1 is with probability p,
// 0 < p < 1.
func Quantile(p float64) float64 {
	if p > 0.5 {
		return -Quantile(1 - p)
	}
	// The logarithm of the distribution is concave, so Newton's method comes nearer from below with every step.
	z := -math.Sqrt(-2 * math.Log(p))
	for range 100 {
		below, density := math.Erfc(-z/math.Sqrt2)/2, math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)
		step := math.Log(p/below) * below / density
		if z += step; step <= 1e-15*math.Abs(z) {
			break
		}
	}
	return z
}
