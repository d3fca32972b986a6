package shingles

import (
	"math"

	"github.com/lshclust/lshclust/internal/binomial"
)

// Within returns p(s, r, eps) of [S2]: the probability that the share of s samples that agree is within eps of r, ends
// included, if each agrees with probability r.
func Within(s int, r, eps float64) float64 {
	if s <= 0 || !(r >= 0 && r <= 1) || !(eps >= 0) {
		return 0
	}
	const slack = 1e-9 // s·(r±eps) is often a whole number that floats miss
	low := math.Ceil(float64(s)*(r-eps) - slack)
	high := math.Floor(float64(s)*(r+eps) + slack)
	return binomial.AtMost(float64(s), high, r) - binomial.AtMost(float64(s), low-1, r)
}

// Bound is the expected error of an estimate from one number of samples at one resemblance.
type Bound struct {
	Samples     int     // in the union of both sketches
	Resemblance float64 // the true one, 0 to 1
	Eps         float64 // the error allowed
	Within      float64 // probability that the estimate is within Eps
	StdErr      float64 // standard error of the estimate
	Low, High   float64 // the middle 95 % of estimates lie between these
}

// Bounds returns the Bound for each number of samples and each resemblance, in this order. A MIN_s sketch has s
// samples; MOD_m sketches have about 1/m of the union of both documents. Bounds skips numbers of samples below 1 and
// resemblances outside 0 to 1.
func Bounds(samples []int, resemblances []float64, eps float64) []Bound {
	var rows []Bound
	for _, s := range samples {
		for _, r := range resemblances {
			if s > 0 && r >= 0 && r <= 1 {
				rows = append(rows, bound(s, r, eps))
			}
		}
	}
	return rows
}

func bound(s int, r, eps float64) Bound {
	n := float64(s)
	return Bound{
		Samples: s, Resemblance: r, Eps: eps,
		Within: Within(s, r, eps),
		StdErr: math.Sqrt(r * (1 - r) / n),
		Low:    quantile(0.025, s, r) / n,
		High:   quantile(0.975, s, r) / n,
	}
}

// quantile returns the least k with P(X <= k) >= q.
func quantile(q float64, n int, p float64) float64 {
	low, high := -1, n // AtMost(low) < q <= AtMost(high)
	for high-low > 1 {
		middle := low + (high-low)/2
		if binomial.AtMost(float64(n), float64(middle), p) >= q {
			high = middle
		} else {
			low = middle
		}
	}
	return float64(high)
}

// SampleBound is the expected number of samples in the MOD_m sketch of a document.
type SampleBound struct {
	Shingles int     // in the document
	Expected float64 // samples
	StdDev   float64 // of the number of samples
	Empty    float64 // probability that there is none
}

// ModBounds returns the SampleBound for each document size.
func ModBounds(m uint64, sizes []int) []SampleBound {
	rows := make([]SampleBound, 0, len(sizes))
	for _, n := range sizes {
		p, size := 1/float64(m), float64(max(n, 0))
		rows = append(rows, SampleBound{
			Shingles: n,
			Expected: size * p,
			StdDev:   math.Sqrt(size * p * (1 - p)),
			Empty:    math.Exp(size * math.Log1p(-p)),
		})
	}
	return rows
}

// Banded returns the probability that two sets of a resemblance r have signatures that agree in all bytes of a band, if
// these have a number of bands of the given number of rows (bytes) each: the S-curve of locality-sensitive hashing.
func Banded(bands, rows int, r float64) float64 {
	return -math.Expm1(float64(bands) * math.Log1p(-math.Pow(Agreement(r), float64(rows))))
}
