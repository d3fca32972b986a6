package resemble

import (
	"math"

	"github.com/lshclust/lshclust/internal/binomial"
	"github.com/lshclust/lshclust/internal/sets"
)

// AtLeastOne returns the probability that a random choice of chosen out of n shingles includes at least one of the
// shared ones: 1-C(n-shared, chosen)/C(n, chosen). With many shingles it is 1-(1-shared/n)^chosen.
func AtLeastOne(n, shared, chosen int) float64 {
	if shared <= 0 || chosen <= 0 {
		return 0
	}
	miss := 1.0
	for i := range chosen {
		if n-shared-i <= 0 {
			return 1
		}
		miss *= float64(n-shared-i) / float64(n-i)
	}
	return 1 - miss
}

// Chance returns a lower bound of the probability that Pairs finds a document with these shingles together with another
// one that resembles it by r. They must share a sample that is paired, and their sketches must not turn the pair away,
// which happens with probability Miss at most. Chance treats the shared shingles as a random choice of the document's.
// paired reports whether all documents with a shingle were paired by it (see PairedUpTo). The other document may be
// larger; with a smaller one, more samples are compared.
func (c Config) Chance(own []uint64, r float64, paired func(value uint64) bool) (float64, error) {
	c, err := c.withDefaults()
	if err != nil || len(own) < c.MinShingles {
		return 0, err
	}
	t := newTiers(c.M)
	samples := 0
	for _, v := range t.sample(nil, own, t.of(len(own))) {
		samples += sets.One(paired(v))
	}
	found := AtLeastOne(len(own), int(math.Ceil(r*float64(len(own))-1e-9)), samples)
	return found * (1 - c.Miss), nil
}

// PairedUpTo returns the number of documents with a shingle up to which all of them are certainly paired by it:
// MaxCommon, or less if Pairs paired the documents of some shingles in part (SelfJoinStats.PartlyPaired).
func (c Config) PairedUpTo(inPart bool) int {
	c, _ = c.withDefaults()
	if inPart {
		return min(c.MaxCommon, 2*c.Reach)
	}
	return c.MaxCommon
}

// margin computes how many of n samples a pair must share to be compared. The number of samples that a pair with the
// true share r shares is binomial; p(n, r, eps) of [S2] is the probability that it is within n·eps of n·r. margin
// chooses eps so that the number is below n·(r-eps) with probability less than miss.
type margin struct {
	r, z  float64
	least []uint32 // for n up to marginTable
}

// marginTable is the number of samples from which the normal distribution is used.
const marginTable = 1024

func newMargin(r, miss float64) margin {
	m := margin{r: r, z: binomial.Quantile(miss), least: make([]uint32, marginTable)}
	k := 0 // ascends with n
	for n := 1; n < marginTable; n++ {
		for k < n && binomial.AtMost(float64(n), float64(k), r) < miss {
			k++
		}
		m.least[n] = uint32(k)
	}
	return m
}

// enough reports whether shared of n samples may be those of a pair at r.
func (m *margin) enough(shared, n uint32) bool {
	if n < marginTable {
		return shared >= m.least[n]
	}
	mean := float64(n) * m.r
	return float64(shared) >= mean+m.z*math.Sqrt(mean*max(1-m.r, 0))-1
}
