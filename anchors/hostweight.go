package anchors

import (
	"math"

	"github.com/lshclust/lshclust/bags"
)

// HostWeight says how much the pages of one host that link to a target weigh together, in pages. They share that weight
// equally, so that their order does not matter.
type HostWeight string

// The total weights of n pages of a host.
const (
	EveryPage HostWeight = "none"     // n, as in [S3]
	Harmonic  HostWeight = "harmonic" // 1 + 1/2 + … + 1/n: each further page adds less
	OnePage   HostWeight = "once"     // 1: each page weighs 1/n (Bharat and Henzinger, SIGIR 1998, section 4)
)

// of returns the factor of each of n pages of a host, in units of 1/bags.Unit.
func (h HostWeight) of(n int) uint64 {
	sum := 1.0
	if h == Harmonic {
		for i := 2; i <= n; i++ {
			sum += 1 / float64(i)
		}
	}
	return uint64(math.Round(sum / float64(n) * bags.Unit))
}

// Damp scales the terms of a link to the weight of one of its host's n pages that link to the target.
func (h HostWeight) Damp(terms []bags.Weighted, n int) {
	if n < 2 || h == EveryPage || h == "" {
		return
	}
	damp(terms, h.of(n))
}

// damp scales terms by a factor in units of 1/bags.Unit.
func damp(terms []bags.Weighted, factor uint64) {
	for i := range terms {
		w := &terms[i].Weight
		*w = max(1, (*w*factor+bags.Unit/2)/bags.Unit)
	}
}

// factors caches the factor of one of n pages of a host, by n. Computing a factor takes n steps, and each of the n
// pages needs it; with the cache, the factors of a target take no more steps than it has links.
type factors map[int]uint64

// mostFactors bounds the size of factors. Even a target with a billion links has fewer distinct n.
const mostFactors = 1 << 16

func (f *factors) of(h HostWeight, n int) uint64 {
	if n < 2 || h == EveryPage || h == "" {
		return bags.Unit
	}
	factor, ok := (*f)[n]
	if !ok {
		if *f == nil || len(*f) == mostFactors {
			*f = factors{}
		}
		factor = h.of(n)
		(*f)[n] = factor
	}
	return factor
}
