package resemble

import (
	"math"

	"github.com/lshclust/lshclust/internal/binomial"
)

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
