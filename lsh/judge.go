package lsh

import (
	"iter"
	"math/bits"

	"github.com/lshclust/lshclust/minhash"
)

// judge compares the low bytes of rows in one bucket. It decides most pairs: pairs that meet by chance have no earlier
// key in common and agree in too few signatures, whatever their other bytes are. Among millions of rows there are
// hundreds of such pairs for every pair that is kept.
//
// A judge handles an index of at most judgeKeys keys of 64 to judgeSignatures signatures. Its layout is that of
// lab/assembly/lsh.
type judge struct {
	// missing holds, for each byte of a set of equal signatures, the keys with a signature that the byte lacks. So the
	// keys that a set contains are those that are missing for none of its bytes, which takes no branch and ten loads.
	missing [judgeSignatures / 8][256]keySet

	wanted keySet // the keys up to the current one
	only   keySet // the current key
	valid  uint64 // existing signatures from number 64 on
	least  uint64 // equal signatures that the floor requires
}

const (
	judgeKeys       = 128
	judgeSignatures = 80
	// judgeStride is the number of bytes from one row of low bytes to the next. The bytes after the last signature may
	// have any value.
	judgeStride = 96
)

// keySet is a set of keys. Key j is bit j%64 of word j/64.
type keySet [judgeKeys / 64]uint64

func (k *keySet) add(key int) { k[key>>6] |= 1 << (key & 63) }

func (k *keySet) remove(key int) { k[key>>6] &^= 1 << (key & 63) }

// all yields the keys of the set, ascending.
func (k keySet) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for w, set := range k {
			for ; set != 0; set &= set - 1 {
				if !yield(w<<6 | bits.TrailingZeros64(set)) {
					return
				}
			}
		}
	}
}

// hit is a row that needs a closer look.
type hit struct {
	place uint64       // among the rows
	equal minhash.Bits // low bytes that equal those of the compared row
}

// newJudge returns a judge for an index and a number of equal signatures, or nil if the index is too large or has fewer
// than 64 signatures.
func newJudge(x *Index, least int) *judge {
	if x.L > judgeKeys || x.M > judgeSignatures || x.M < 64 {
		return nil
	}
	j := &judge{least: uint64(least)}
	for s := 64; s < x.M; s++ {
		j.valid |= 1 << (s - 64)
	}
	for key, subset := range x.Subsets {
		for _, s := range subset {
			for value := range 256 {
				if value>>(s%8)&1 == 0 {
					j.missing[s/8][value].add(key)
				}
			}
		}
	}
	return j
}

// set makes a key the current one.
func (j *judge) set(key int) {
	j.wanted, j.only = keySet{}, keySet{}
	j.only.add(key)
	for i := range key + 1 {
		j.wanted.add(i)
	}
}

// contained returns the keys up to the current one whose signatures are all equal.
func (j *judge) contained(equal minhash.Bits) keySet {
	var missing keySet
	for i := range j.missing {
		m := &j.missing[i][byte(equal[i>>3]>>(i&7*8))]
		missing[0] |= m[0]
		missing[1] |= m[1]
	}
	return keySet{j.wanted[0] &^ missing[0], j.wanted[1] &^ missing[1]}
}

// rowsGo compares a row with consecutive rows, judgeStride bytes apart. It sets hits to the rows that need a closer
// look, and returns their number: the rows that agree in enough low bytes, or whose equal low bytes contain an earlier
// key or lack the current one. All other rows are paired with the row at the current key for the first time and agree
// in too few signatures.
func (j *judge) rowsGo(hits []hit, a, rows []byte) (found int) {
	for i := range len(rows) / judgeStride {
		equal := minhash.LowMask(a[:judgeSignatures], rows[i*judgeStride:][:judgeSignatures])
		equal[1] &= j.valid
		if uint64(equal.Count()) >= j.least || j.contained(equal) != j.only {
			hits[found] = hit{uint64(i), equal}
			found++
		}
	}
	return found
}
