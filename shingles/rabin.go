package shingles

// unitPower is the power of t by which fingerprints are multiplied. With a power below the degree, the last letters
// would stay in the last bits: strings that differ in the last letter would have fingerprints that differ only in the
// last byte. With 64, a whole unit, every letter reaches every bit, and one step of the loop is f' = (f+u)·t^64 for the
// unit u.
const unitPower = 64

// rabin computes the fingerprints A(t)·t^64 mod P of [R], where A is the string as a polynomial with a leading 1 before
// its first bit, so that leading zeros matter. Fingerprints are linear in the string: they identify it but do not
// permute strings randomly. A step takes a unit of 8 bytes, the highest byte first: f' = multiply(unit, f^u).
type rabin struct {
	poly Poly
	unit [8][256]uint64 // byte j of a unit, counted from the low end, times t^64
}

func newRabin(p Poly) *rabin {
	r := &rabin{poly: p}
	fillUnits(p, &r.unit, unitPower)
	return r
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

// multiply returns x·t^n mod P using tables that fillUnits made for n.
func multiply(tables *[8][256]uint64, x uint64) uint64 {
	return tables[0][byte(x)] ^ tables[1][byte(x>>8)] ^
		tables[2][byte(x>>16)] ^ tables[3][byte(x>>24)] ^
		tables[4][byte(x>>32)] ^ tables[5][byte(x>>40)] ^
		tables[6][byte(x>>48)] ^ tables[7][byte(x>>56)]
}
