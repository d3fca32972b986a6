package lsh

import (
	"fmt"
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
