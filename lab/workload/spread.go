package workload

import (
	"math"
	"sort"
)

// spread is a distribution of whole numbers: points that say how large the share of the numbers below a value is, both
// ascending, from share 0 to share 1. Between two points, all values are equally frequent.
type spread []struct {
	value int
	below float64
}

// of returns the number at a quantile from 0 to 1.
func (s spread) of(q float64) int {
	i := sort.Search(len(s), func(i int) bool { return s[i].below > q })
	if i == len(s) {
		return s[len(s)-1].value - 1
	}
	a, b := s[max(0, i-1)], s[i]
	return a.value + int(float64(b.value-a.value)*(q-a.below)/(b.below-a.below))
}

// ranks is a distribution over ranks, the most frequent first: how large the share of the ranks up to a rank is. Beyond
// the last rank of the list, the share of the rest falls with the rank to the power of -tail; a tail of 0 means that
// there is nothing beyond.
type ranks struct {
	tail float64
	list []rank
}

type rank struct {
	rank  int
	share float64
}

// sampler draws ranks from 0.
type sampler struct {
	first []uint32 // rank at each of the 1<<samplerBits quantiles
	limit uint64   // random bits from here on are in the tail
	last  float64  // last rank of the list
	rest  float64  // share beyond it
	power float64
	most  float64
}

const samplerBits = 14

// mostRank bounds ranks.
const mostRank = 1 << 44

func newSampler(d ranks) *sampler {
	end := d.list[len(d.list)-1]
	s := &sampler{first: make([]uint32, 1<<samplerBits+2), last: float64(end.rank), rest: 1 - end.share, most: mostRank}
	s.limit = uint64(end.share * (1 << 53))
	if d.tail > 0 {
		s.power = -1 / d.tail
	} else {
		s.limit, s.rest = 1<<53, 0
	}
	for i := range s.first {
		s.first[i] = uint32(d.at(float64(i) / (1 << samplerBits)))
	}
	return s
}

// at returns the rank at a quantile: within the list, the share grows with the logarithm of the rank between two of its
// entries.
func (d ranks) at(q float64) int {
	i := sort.Search(len(d.list), func(i int) bool { return d.list[i].share > q })
	if i == 0 {
		return 0
	}
	if i == len(d.list) {
		return d.list[i-1].rank
	}
	a, b := d.list[i-1], d.list[i]
	part := (q - a.share) / (b.share - a.share)
	return int(float64(a.rank) * math.Pow(float64(b.rank)/float64(a.rank), part))
}

// of returns the rank for random bits.
func (s *sampler) of(bits uint64) uint64 {
	bits >>= 11
	if bits >= s.limit {
		beyond := (float64(1<<53-bits) / (1 << 53)) / s.rest // from 0, excluded, to 1
		return uint64(min(s.most, s.last*math.Pow(beyond, s.power)))
	}
	const below = 53 - samplerBits
	i := bits >> below
	from, to := uint64(s.first[i]), uint64(s.first[i+1])
	return from + (to-from)*(bits&(1<<below-1))>>below
}
