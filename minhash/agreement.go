package minhash

import "math/bits"

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
