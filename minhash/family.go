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

// MaxMask is the largest number of signatures that Bits can hold.
const MaxMask = 128

// Bits is a set of signatures. Signature i is bit i%64 of word i/64.
type Bits [2]uint64

// Count returns the number of signatures in the set.
func (s Bits) Count() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// Has reports whether signature i is in the set.
func (s Bits) Has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// Contains reports whether all of t is in the set.
func (s Bits) Contains(t Bits) bool { return t[0]&^s[0]|t[1]&^s[1] == 0 }

// And returns the set of the signatures in both sets.
func (s Bits) And(t Bits) Bits { return Bits{s[0] & t[0], s[1] & t[1]} }

// Agreement returns the number of equal signatures of two rows, which must come from the same family.
func Agreement(a, b []byte) int {
	if m := len(a) / 3; m <= MaxMask {
		return Mask(a, b).Count()
	}
	return agreementGo(a, b)
}

// Mask returns the set of the equal signatures of two rows. It leaves out signatures from number MaxMask on.
func Mask(a, b []byte) Bits { return mask(a, b[:len(a)]) }

// LowAgreement returns an upper bound of Agreement from the low-byte planes of two rows, row[:m]: the number of equal
// bytes.
func LowAgreement(a, b []byte) int {
	if len(a) <= MaxMask {
		return LowMask(a, b).Count()
	}
	n := 0
	for i, x := range a {
		if x == b[i] {
			n++
		}
	}
	return n
}

// LowMask returns a superset of Mask from the low-byte planes of two rows, row[:m]: the set of the equal bytes.
func LowMask(a, b []byte) Bits {
	n := min(len(a), MaxMask)
	return equal(a[:n], b[:n])
}

// agreementGo counts the equal signatures of rows of any length.
func agreementGo(a, b []byte) int {
	m := len(a) / 3
	b = b[:len(a)]
	n := 0
	for i := range m {
		if a[i] == b[i] && a[m+i] == b[m+i] && a[2*m+i] == b[2*m+i] {
			n++
		}
	}
	return n
}
