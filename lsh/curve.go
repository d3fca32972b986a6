package lsh

import "math"

// choose is C(n,k), as a float because C(128,64) has 37 digits.
func choose(n, k int) float64 {
	c := 1.0
	for i := range k {
		c *= float64(n-i) / float64(i+1)
	}
	return math.Round(c)
}

// Candidate is the probability that two documents of similarity s have a key in
// common: the mean over X~Bin(m,s) equal signatures of 1-(1-C(X,k)/C(m,k))^l.
func Candidate(m, k, l int, s float64) float64 { return Found(m, k, l, 0, s) }

// Found is the probability that two documents of similarity s have a key in
// common and agree in at least floor·m signatures.
func Found(m, k, l int, floor, s float64) float64 {
	var sum float64
	for x := max(k, Least(floor, m)); x <= m; x++ {
		p := 1 - math.Pow(1-choose(x, k)/choose(m, k), float64(l))
		sum += p * binomial(m, x, s)
	}
	return min(sum, 1) // rounding may leave it above
}

// Found is the probability that two documents of similarity s have a key in common and agree in at least floor·M
// signatures, over all choices of L different subsets as NewIndex makes them: given X equal signatures no subset is
// among the a=C(X,K) equal ones of all N=C(M,K) with probability C(N-a,L)/C(N,L). The function Found counts subsets as
// drawn with repetition, which is the paper's way and up to .006 less for k=2, l=160 out of 80.
func (x *Index) Found(floor, s float64) float64 {
	all, sum := choose(x.M, x.K), 0.0
	for equal := max(x.K, Least(floor, x.M)); equal <= x.M; equal++ {
		sum += (1 - noneOf(all, choose(equal, x.K), x.L)) * binomial(x.M, equal, s)
	}
	return min(sum, 1)
}

// noneOf is the probability that l different draws out of all avoid a certain part of them.
func noneOf(all, part float64, l int) float64 {
	p := 1.0
	for i := range l {
		p *= max(0, all-part-float64(i)) / (all - float64(i))
	}
	return p
}

// binomial is the probability of x successes in m trials of probability s.
func binomial(m, x int, s float64) float64 {
	return choose(m, x) * math.Pow(s, float64(x)) * math.Pow(1-s, float64(m-x))
}

// Least is the number of equal signatures that a floor asks for. The margin
// keeps 0.3·80 at 24 whatever the rounding of the product.
func Least(floor float64, m int) int {
	return int(math.Ceil(floor*float64(m) - 1e-9))
}
