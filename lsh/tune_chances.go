package lsh

import "math"

// chances is, for keys of k out of m signatures and for some similarities, what it takes to tell the probabilities of pairs
// for any number of keys and any floor at once.
type chances struct {
	m, k  int
	all   float64     // C(m,k)
	equal [][]float64 // by similarity: probability of x equal signatures, x from 0 to m
	kept  [][]share   // by similarity: of the subsets that are equal, those in runs that are paired
}

// newChances counts of C(x,k) equal subsets only those in runs that are paired. A pair meets in several keys; within a class
// of rows, whether a run is too long is taken as independent of the others.
func newChances(m, k int, similarities []float64, met *Meetings) *chances {
	c := &chances{m: m, k: k, all: choose(m, k)}
	for _, s := range similarities {
		equal := make([]float64, m+1)
		for x := range equal {
			equal[x] = binomial(m, x, s)
		}
		c.equal, c.kept = append(c.equal, equal), append(c.kept, met.kept(k, s))
	}
	return c
}

// negligible is a probability that changes no figure that is shown.
const negligible = 1e-13

// found is the probability of each similarity to be found by l keys and at least so many equal signatures, for each number
// of these from 0 to m: found[similarity][least].
func (c *chances) found(l int) [][]float64 {
	out := make([][]float64, len(c.equal))
	whole := logFalling(c.all, l)
	for i := range out {
		tail := make([]float64, c.m+1)
		var sum float64
		for x := c.m; x >= 0; x-- {
			if x >= c.k && c.equal[i][x] > negligible {
				sum += c.equal[i][x] * c.formed(i, choose(x, c.k), l, whole)
			}
			tail[x] = min(sum, 1)
		}
		out[i] = tail
	}
	return out
}

// formed is the probability that one of l subsets is among some equal ones, in a run that is paired.
func (c *chances) formed(i int, equal float64, l int, whole float64) (p float64) {
	for _, s := range c.kept[i] {
		if s.kept > 0 {
			p += s.weight * (1 - c.none(s.kept*equal, l, whole))
		}
	}
	return p
}

// none is the probability that l different subsets out of all avoid a part of them, as noneOf, by logarithms.
func (c *chances) none(part float64, l int, whole float64) float64 {
	left := c.all - part
	if left < float64(l) {
		return 0
	}
	return min(1, math.Exp(logFalling(left, l)-whole))
}

// logFalling is the logarithm of n·(n-1)·…·(n-l+1).
func logFalling(n float64, l int) float64 {
	if n > 1e6*float64(l) { // the difference of two large logarithms says nothing any more
		return float64(l) * math.Log(n-float64(l-1)/2)
	}
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(n - float64(l) + 1)
	return a - b
}
