package lsh

import (
	"github.com/lshclust/lshclust/minhash"
)

// blockRows is the number of rows whose signatures are unpacked at a time. For 80 signatures they take 20 KB, which
// stay in the first-level cache while all columns of the group are made from them.
const blockRows = 64

// unpacked holds the signatures of a block, signature by signature.
type unpacked [minhash.MaxMask][blockRows]uint32

// unpack reads rows [lo, hi) of sigs.
func (u *unpacked) unpack(sigs Signatures, lo, hi int) {
	m := sigs.M
	for r := lo; r < hi; r++ {
		row := sigs.Row(r)
		low, mid, high := row[:m], row[m:][:m], row[2*m:][:m]
		for i := range low {
			u[i][r-lo] = uint32(low[i]) | uint32(mid[i])<<8 | uint32(high[i])<<16
		}
	}
}

// unpackSome reads some signatures of the rows [lo, hi) of sigs.
func (u *unpacked) unpackSome(sigs Signatures, lo, hi int, some []uint8) {
	m := sigs.M
	for r := lo; r < hi; r++ {
		row := sigs.Row(r)
		for _, i := range some {
			u[i][r-lo] = signature(row, m, int(i))
		}
	}
}

// keys sets dst to the keys of all rows of the block for a subset.
func (u *unpacked) keys(dst *[blockRows]uint64, subset []uint8) {
	switch len(subset) {
	case 2:
		s0, s1 := &u[subset[0]], &u[subset[1]]
		for i := range dst {
			dst[i] = step(word(s0[i], s1[i]))
		}
	case 3:
		s0, s1, s2 := &u[subset[0]], &u[subset[1]], &u[subset[2]]
		for i := range dst {
			dst[i] = step(step(word(s0[i], s1[i])) ^ uint64(s2[i]))
		}
	default:
		var signatures [minhash.MaxMask]uint32
		for i := range dst {
			for j, s := range subset {
				signatures[j] = u[s][i]
			}
			dst[i] = keyOf(signatures[:len(subset)])
		}
	}
}

// eachBlock calls put with the keys of the rows at, at+1, … for key i of the group, for all blocks of the rows [lo, hi).
func (x *Index) eachBlock(sigs Signatures, group []int, lo, hi int, put func(i, at int, keys []uint64)) {
	var u unpacked
	var keys [blockRows]uint64
	some := x.signaturesOf(group)
	for ; lo < hi; lo += blockRows {
		end := min(lo+blockRows, hi)
		if len(some) < x.M/4 {
			u.unpackSome(sigs, lo, end, some)
		} else {
			u.unpack(sigs, lo, end)
		}
		for i, j := range group {
			u.keys(&keys, x.Subsets[j])
			put(i, lo, keys[:end-lo])
		}
	}
}

// signaturesOf returns the signatures of some keys.
func (x *Index) signaturesOf(keys []int) (some []uint8) {
	var mask minhash.Bits
	for _, j := range keys {
		for i, w := range x.masks[j] {
			mask[i] |= w
		}
	}
	for i := range x.M {
		if mask.Has(i) {
			some = append(some, uint8(i))
		}
	}
	return some
}

// fillWhole fills one column for each key of the group, with one record for each row, in row order.
func (s *search) fillWhole(columns [][]uint64, group []int, lo, hi int) {
	rowMask := uint64(1)<<s.rowBits - 1
	s.x.eachBlock(s.sigs, group, lo, hi, func(i, at int, keys []uint64) {
		dst := columns[i][at:][:len(keys)]
		for r, key := range keys {
			dst[r] = key&^rowMask | uint64(at+r)
		}
	})
}
