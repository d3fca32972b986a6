package shingles

import (
	"encoding/binary"
	"fmt"
)

// UnitPower is the power of t by which the fingerprints of token units are multiplied. With a power below the degree,
// the last letters would stay in the last bits: strings that differ in the last letter would have fingerprints that
// differ in the last byte only. With 64, a whole unit, every letter reaches every bit, and one step of the loop is f' =
// (f+u)·t^64 for the unit u.
const UnitPower = 64

// Rabin computes the fingerprints A(t)·t^power mod P of [R], where A is the string as a polynomial with a leading 1
// before its first bit, so that leading zeros matter. Fingerprints are linear in the string: they identify it but do
// not permute strings randomly. The tables take 20 KiB and are read-only, so goroutines may share a Rabin.
type Rabin struct {
	poly  Poly
	power int
	start uint64         // the leading 1: t^power mod P
	up    [256]uint64    // b·t^Degree mod P: what falls off the top in a step of 8 bits
	in    [256]uint64    // b·t^power mod P: a new byte
	unit  [8][256]uint64 // byte j of a unit, counted from the low end, times t^64
}

// NewRabin builds the tables for p, of degree 8 to 64. The power is at least 0; use UnitPower unless you want to
// reproduce other fingerprints.
func NewRabin(p Poly, power int) (*Rabin, error) {
	switch {
	case p.Degree < 8 || p.Degree > 64:
		return nil, fmt.Errorf("shingles: fingerprints of %d bits: want 8 to 64", p.Degree)
	case power < 0:
		return nil, fmt.Errorf("shingles: multiplication by t^%d: want 0 or more", power)
	case !p.Irreducible():
		return nil, fmt.Errorf("shingles: %v is not irreducible", p)
	}
	r := &Rabin{poly: p, power: power, start: p.PowerOfT(power)}
	fillBytes(p, &r.up, p.PowerOfT(p.Degree))
	fillBytes(p, &r.in, r.start)
	fillUnits(p, &r.unit, 64)
	return r, nil
}

// fillBytes sets table[b] to b·factor mod p.
func fillBytes(p Poly, table *[256]uint64, factor uint64) {
	for bit := 1; bit < 256; bit <<= 1 {
		for b := range bit {
			table[bit|b] = table[b] ^ factor
		}
		factor = p.timesT(factor)
	}
}

// fillUnits fills tables that multiply 64 bits by t^power, one byte at a time.
func fillUnits(p Poly, tables *[8][256]uint64, power int) {
	for j := range tables {
		fillBytes(p, &tables[j], p.PowerOfT(power+8*j))
	}
}

// multiply returns x·t^n mod P by tables that fillUnits made for n.
func multiply(tables *[8][256]uint64, x uint64) uint64 {
	return tables[0][byte(x)] ^ tables[1][byte(x>>8)] ^
		tables[2][byte(x>>16)] ^ tables[3][byte(x>>24)] ^
		tables[4][byte(x>>32)] ^ tables[5][byte(x>>40)] ^
		tables[6][byte(x>>48)] ^ tables[7][byte(x>>56)]
}

// Poly returns the modulus.
func (r *Rabin) Poly() Poly { return r.poly }

// Fingerprint returns the fingerprint of the bytes of p, in Degree bits.
func (r *Rabin) Fingerprint(p []byte) uint64 {
	f := r.start
	if r.power == UnitPower {
		for ; len(p) >= 8; p = p[8:] {
			f = multiply(&r.unit, f^binary.BigEndian.Uint64(p))
		}
	}
	return r.extend(f, p)
}

// extend adds bytes to a fingerprint, one at a step: f·t^8 + b·t^power.
func (r *Rabin) extend(f uint64, p []byte) uint64 {
	top, mask := uint(r.poly.Degree-8)&63, r.poly.mask()
	for _, b := range p {
		f = f<<8&mask ^ r.up[byte(f>>top)] ^ r.in[b]
	}
	return f
}

// FingerprintUnits returns the fingerprint of units of 8 bytes, taking the highest byte of a unit first. If the power
// is UnitPower, it equals Fingerprint of the same bytes.
func (r *Rabin) FingerprintUnits(units []uint64) uint64 {
	f := r.poly.PowerOfT(UnitPower)
	for _, u := range units {
		f = multiply(&r.unit, f^u)
	}
	return f
}
