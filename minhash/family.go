package minhash

import (
	"math/bits"

	"github.com/lshclust/lshclust/bags"
)

// lanes is the number of permutations in one pass over the elements. Coefficients are stored in blocks of this size;
// the last one is padded.
const lanes = 16

// block holds sixteen permutations: 2a and 2(b+1) in the layout that the vector code reads, then the numbers that
// minimaGo uses. The generator of the vector code explains why the coefficients are doubled and why one is added.
type block struct {
	a, b         [lanes]uint32
	scale, shift [lanes]int64
}

// set makes permutation j of the block ax+b modulo P.
func (c *block) set(j int, a, b uint32) {
	c.a[j], c.b[j] = 2*a, 2*(b+1)
	scale, _ := bits.Div64(uint64(a), 0, P) // a·2^64/P, rounded down
	root := uint64(b) * inverse(a) % P
	c.scale[j], c.shift[j] = int64((scale+1)|1), int64(root+1<<63)
}

// inverse returns the inverse of a modulo P, which is the power P-2 of a.
func inverse(a uint32) uint64 {
	inv, power := uint64(1), uint64(a)
	for e := P - 2; e > 0; e >>= 1 {
		if e&1 == 1 {
			inv = inv * power % P
		}
		power = power * power % P
	}
	return inv
}

// Family is m random permutations of the numbers below P. It does not change after NewFamily and is safe for concurrent
// use.
type Family struct {
	m      int
	blocks []block
}

// NewFamily makes m permutations. The same seed gives the same permutations on every machine and in every version. If m
// is below 1, the family has no permutations and its rows are empty.
func NewFamily(m int, seed uint64) *Family {
	f := &Family{m: max(m, 0)}
	f.blocks = make([]block, (f.m+lanes-1)/lanes)
	state := mix(seed)
	next := func(n uint64) uint32 {
		state += 0x9e3779b97f4a7c15
		return below(mix(state), n)
	}
	for i := range f.blocks {
		for j := range lanes {
			a := 1 + next(P-1)
			f.blocks[i].set(j, a, next(P))
		}
	}
	return f
}

// RowSize returns the number of bytes of a row: three for each signature.
func (f *Family) RowSize() int { return 3 * f.m }

// Signature returns the signature row of a bag. The row of an empty bag is all 0xff; it agrees only with that of
// another empty bag.
func (f *Family) Signature(b bags.Bag) []byte {
	row := make([]byte, f.RowSize())
	f.Sign(row, b.Elements(nil, Element))
	return row
}

// Sign writes the signature row of the elements to dst[:3·M]: the minima, shortened to 24 bits, as three planes of M
// low, M middle and M high bytes. The row of an empty set is all 0xff. dst must hold 3·M bytes.
func (f *Family) Sign(dst []byte, elements []uint32) {
	low, mid, high := dst[:f.m], dst[f.m:2*f.m], dst[2*f.m:3*f.m]
	var least [lanes]uint32
	for i := range f.blocks {
		minima(&least, &f.blocks[i], elements)
		at := i * lanes
		for j, v := range least[:min(lanes, f.m-at)] {
			low[at+j], mid[at+j], high[at+j] = byte(v), byte(v>>8), byte(v>>16)
		}
	}
}

// P is the modulus of the permutations, the Mersenne prime 2^31-1. Elements and minima are below P; the minimum of an
// empty set is P.
const P = 1<<31 - 1

// Element returns the element for the given occurrence (1, 2, …) of a term: a 64-bit bijection scatters the two
// numbers, and the top half of the result is reduced below P. Two different occurrences or terms have the same element
// with probability 2^-31.
func Element(term, occurrence uint32) uint32 {
	return below(mix(uint64(term)<<32|uint64(occurrence)), P)
}

// mix is one step of splitmix64, a bijection in which every input bit affects every output bit. The constants are part
// of the format of signatures.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below scales a random x down to a number in [0, n).
func below(x, n uint64) uint32 {
	hi, _ := bits.Mul64(x, n)
	return uint32(hi)
}
