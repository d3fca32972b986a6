package shingles

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/lshclust/lshclust/internal/binomial"
	"github.com/lshclust/lshclust/internal/sets"
)

// Signer makes signatures of sets by one-permutation min-hash: it divides the values into bins by their size and keeps
// the least of each (Li, Owen, Zhang, "One permutation hashing", 2012). A bin without values takes the byte of another
// one, which hashing chooses (Shrivastava, "Optimal densification for fast and accurate minwise hashing", 2017). A
// signature has a byte of each bin, a hash of its least value: those of two sets agree with probability r + (1-r)/256
// if r is the resemblance of the sets (Li, König, "b-bit minwise hashing", 2010). A Signer is a Sink for the values of a
// [Scanner].
type Signer struct{ least []uint64 }

// NewSigner returns a Signer of signatures with the given number of bins, 1 to 256.
func NewSigner(bins int) (*Signer, error) {
	if bins < 1 || bins > 256 {
		return nil, fmt.Errorf("shingles: signatures of %d bins: want 1 to 256", bins)
	}
	s := &Signer{make([]uint64, bins)}
	s.Reset()
	return s, nil
}

// Reset empties the set.
func (s *Signer) Reset() {
	for i := range s.least {
		s.least[i] = math.MaxUint64
	}
}

// AddAll adds values to the set.
func (s *Signer) AddAll(values []uint64) {
	least, bins := s.least, uint64(len(s.least))
	for _, v := range values {
		bin, rest := bits.Mul64(v, bins)
		least[bin] = min(least[bin], rest) // without a branch, which would be mispredicted
	}
}

// AppendSignature appends the signature of the set. That of an empty set has zeros.
func (s *Signer) AppendSignature(dst []byte) []byte {
	filled := 0
	for _, v := range s.least {
		filled += sets.One(v != math.MaxUint64)
	}
	for bin, v := range s.least {
		for try := uint64(1); v == math.MaxUint64 && filled > 0; try++ {
			from, _ := bits.Mul64(hashPart(0, uint64(bin), try), uint64(len(s.least)))
			v = s.least[from]
		}
		dst = append(dst, byte(v*mixA>>56)&byte(-sets.One(filled > 0)))
	}
	return dst
}

// Agreement returns the probability that a byte of two signatures agrees, for sets of a resemblance r.
func Agreement(r float64) float64 { return r + (1-r)/256 }

// smallSets is the size from which on a signature has about as many independent bytes as bins.
const smallSets = 1024

// LeastAgreeing returns how many bytes of two signatures agree at least, but with probability miss, if the resemblance of
// the sets is r, by the size of the smaller set, up to 1024. Bytes of a small set come from few values.
func LeastAgreeing(bins int, r, miss float64) []int {
	least := make([]int, smallSets+1)
	n, p := float64(bins), Agreement(r)
	for size := range least {
		independent := n * -math.Expm1(-float64(size)/n)
		few := n * (p + binomial.Quantile(miss)*math.Sqrt(p*(1-p)/max(independent, 1)))
		least[size] = max(0, int(few))
	}
	return least
}
