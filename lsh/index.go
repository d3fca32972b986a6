package lsh

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/lshclust/lshclust/internal/binomial"
	"github.com/lshclust/lshclust/minhash"
)

// maxKeys is the largest l, far more than anyone needs.
const maxKeys = 1 << 16

// Index is a choice of l different subsets of k of the m signatures. It does not change after NewIndex.
type Index struct {
	M, K, L int
	Subsets [][]uint8 // L subsets of K signature numbers, each ascending

	masks []minhash.Bits // the same as bits
}

// MostKeys returns the largest number of keys that an index of subsets of k of m signatures may have.
func MostKeys(m, k int) int { return int(min(binomial.Choose(m, k), maxKeys)) }

// NewIndex chooses l subsets at random. The same seed gives the same subsets on every machine. NewIndex returns an
// error unless 1 ≤ k ≤ m ≤ 128 and 1 ≤ l ≤ C(m,k).
func NewIndex(m, k, l int, seed uint64) (*Index, error) {
	if m < 1 || m > minhash.MaxMask {
		return nil, fmt.Errorf("lsh: %d signatures: want 1 to %d", m, minhash.MaxMask)
	}
	if k < 1 || k > m {
		return nil, fmt.Errorf("lsh: keys of %d out of %d signatures", k, m)
	}
	if most := MostKeys(m, k); l < 1 || l > most {
		return nil, fmt.Errorf("lsh: %d keys: want 1 to %d", l, most)
	}
	x := &Index{M: m, K: k, L: l, Subsets: make([][]uint8, 0, l), masks: make([]minhash.Bits, 0, l)}
	r := random(seed)
	for seen := make(map[minhash.Bits]bool, l); len(x.Subsets) < l; {
		subset, mask := r.subset(m, k)
		if !seen[mask] {
			seen[mask] = true
			x.Subsets, x.masks = append(x.Subsets, subset), append(x.masks, mask)
		}
	}
	return x, nil
}

// Key returns key j of a row of 3·M bytes: the K signatures of subset j, mixed into 64 bits. For K up to 2 different
// signatures have different keys.
func (x *Index) Key(j int, row []byte) uint64 {
	var signatures [minhash.MaxMask]uint32
	for i, s := range x.Subsets[j] {
		signatures[i] = signature(row, x.M, int(s))
	}
	return keyOf(signatures[:x.K])
}

// signature returns signature i of a row.
func signature(row []byte, m, i int) uint32 {
	return uint32(row[i]) | uint32(row[m+i])<<8 | uint32(row[2*m+i])<<16
}

// keyOf mixes signatures two at a time. A step is a bijection of key^word, so that different words (two signatures of
// 24 bits) give different keys. The top half of the key, by which records are sorted, depends on all bits.
func keyOf(signatures []uint32) uint64 {
	var key uint64
	for len(signatures) > 1 {
		key = step(key ^ word(signatures[0], signatures[1]))
		signatures = signatures[2:]
	}
	if len(signatures) > 0 {
		key = step(key ^ uint64(signatures[0]))
	}
	return key
}

func word(a, b uint32) uint64 { return uint64(a) | uint64(b)<<24 }

func step(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	return x ^ x>>32
}

// random is the generator splitmix64, implemented here so that an index does not change with the standard library.
type random uint64

func (r *random) next(n int) int {
	*r += 0x9e3779b97f4a7c15
	x := uint64(*r)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	hi, _ := bits.Mul64(x^x>>31, uint64(n))
	return int(hi)
}

// subset draws k of m numbers (Floyd's algorithm).
func (r *random) subset(m, k int) ([]uint8, minhash.Bits) {
	var mask minhash.Bits
	subset := make([]uint8, 0, k)
	for top := m - k; top < m; top++ {
		i := r.next(top + 1)
		if mask.Has(i) {
			i = top
		}
		mask[i>>6] |= 1 << (i & 63)
		subset = append(subset, uint8(i))
	}
	slices.Sort(subset)
	return subset, mask
}

// Part returns the index of only the keys from, from+1, …, to-1.
func (x *Index) Part(from, to int) *Index {
	return &Index{M: x.M, K: x.K, L: to - from, Subsets: x.Subsets[from:to], masks: x.masks[from:to]}
}

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
