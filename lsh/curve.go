package lsh

import (
	"math"

	"github.com/lshclust/lshclust/internal/binomial"
)

// Found returns the probability that two documents of similarity s have a key in common and agree in at least floor·m
// signatures: the mean of 1-(1-C(X,k)/C(m,k))^l over X~Bin(m,s) equal signatures that reach the floor.
func Found(m, k, l int, floor, s float64) float64 {
	var sum float64
	for x := max(k, Least(floor, m)); x <= m; x++ {
		p := 1 - math.Pow(1-binomial.Choose(x, k)/binomial.Choose(m, k), float64(l))
		sum += p * binomial.Probability(m, x, s)
	}
	return min(sum, 1) // rounding may leave it above
}

// Found returns the probability that two documents of similarity s have a key in common and agree in at least floor·M
// signatures, over all choices of L different subsets as NewIndex makes them. Given X equal signatures, a=C(X,K) of all
// N=C(M,K) subsets are equal, and none of the L is among them with probability C(N-a,L)/C(N,L). The function Found
// instead counts subsets as drawn with repetition, as the paper does, which gives up to .006 less for k=2, l=160 out of
// 80.
func (x *Index) Found(floor, s float64) float64 {
	all, sum := binomial.Choose(x.M, x.K), 0.0
	for equal := max(x.K, Least(floor, x.M)); equal <= x.M; equal++ {
		sum += (1 - noneOf(all, binomial.Choose(equal, x.K), x.L)) * binomial.Probability(x.M, equal, s)
	}
	return min(sum, 1)
}

// noneOf returns the probability that l different draws out of all miss a certain part of them.
func noneOf(all, part float64, l int) float64 {
	p := 1.0
	for i := range l {
		p *= max(0, all-part-float64(i)) / (all - float64(i))
	}
	return p
}

// Least returns the number of equal signatures that a floor requires. The margin keeps 0.3·80 at 24 however the product
// is rounded.
func Least(floor float64, m int) int {
	return int(math.Ceil(floor*float64(m) - 1e-9))
}
