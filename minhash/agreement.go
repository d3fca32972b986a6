package minhash

import "math/bits"

// MaxMask is the largest number of signatures that a Bits can tell apart.
const MaxMask = 128

// Bits is a set of signatures, number i at bit i%64 of word i/64.
type Bits [2]uint64

// Count is the number of signatures in the set.
func (s Bits) Count() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// Has tells whether signature i is in the set.
func (s Bits) Has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// Contains tells whether all of t is in the set.
func (s Bits) Contains(t Bits) bool { return t[0]&^s[0]|t[1]&^s[1] == 0 }

// And is the set of the signatures that are in both.
func (s Bits) And(t Bits) Bits { return Bits{s[0] & t[0], s[1] & t[1]} }

// Agreement is the number of equal signatures of two rows of one family.
func Agreement(a, b []byte) int {
	if m := len(a) / 3; m <= MaxMask {
		return Mask(a, b).Count()
	}
	return agreementGo(a, b)
}

// Mask is the set of the equal signatures of two rows. Signatures from number
// MaxMask on are left out.
func Mask(a, b []byte) Bits { return mask(a, b[:len(a)]) }

// LowAgreement is an upper bound of Agreement from two low-byte planes, row[:m]
// each: the number of equal bytes.
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

// LowMask is a superset of Mask from two low-byte planes, row[:m] each: the set
// of the equal bytes.
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
