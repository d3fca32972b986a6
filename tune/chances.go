package tune

import (
	"math"

	"github.com/lshclust/lshclust/internal/binomial"
)

// chances holds, for keys of k out of m signatures and for some similarities, what is needed to compute the
// probabilities of pairs for any number of keys and for all floors at once.
type chances struct {
	m, k  int
	all   float64     // C(m,k)
	equal [][]float64 // by similarity: the probability of x equal signatures, x from 0 to m
}

func newChances(m, k int, similarities []float64) *chances {
	c := &chances{m: m, k: k, all: binomial.Choose(m, k)}
	for _, s := range similarities {
		equal := make([]float64, m+1)
		for x := range equal {
			equal[x] = binomial.Probability(m, x, s)
		}
		c.equal = append(c.equal, equal)
	}
	return c
}

// negligible is a probability that is too small to change a figure.
const negligible = 1e-13

// found returns, for each similarity and each number of signatures from 0 to m, the probability that a pair has one of
// l keys in common and at least that many equal signatures: found[similarity][least].
func (c *chances) found(l int) [][]float64 {
	out := make([][]float64, len(c.equal))
	whole := logFalling(c.all, l)
	for i := range out {
		tail := make([]float64, c.m+1)
		var sum float64
		for x := c.m; x >= 0; x-- {
			if x >= c.k && c.equal[i][x] > negligible {
				sum += c.equal[i][x] * (1 - c.none(binomial.Choose(x, c.k), l, whole))
			}
			tail[x] = min(sum, 1)
		}
		out[i] = tail
	}
	return out
}

// none returns the probability that l different subsets out of all avoid a part of them. It works with logarithms
// because l is large.
func (c *chances) none(part float64, l int, whole float64) float64 {
	left := c.all - part
	if left < float64(l) {
		return 0
	}
	return min(1, math.Exp(logFalling(left, l)-whole))
}

// logFalling returns the logarithm of n·(n-1)·…·(n-l+1).
func logFalling(n float64, l int) float64 {
	if n > 1e6*float64(l) { // the difference of two large logarithms would have no digits left
		return float64(l) * math.Log(n-float64(l-1)/2)
	}
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(n - float64(l) + 1)
	return a - b
}
