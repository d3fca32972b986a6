package shingles

import (
	"fmt"
	"math/bits"
)

// Poly is the polynomial t^Degree + Low over GF(2): bit i of Low is the coefficient of t^i. Residues modulo it are
// uint64 below 1<<Degree.
type Poly struct {
	Degree int    // 1 to 64
	Low    uint64 // the terms below t^Degree
}

// ChoosePoly returns an irreducible polynomial of the given degree (1 to 64), always the same for the same seed. About
// one candidate in degree/2 is irreducible.
func ChoosePoly(degree int, seed uint64) (Poly, error) {
	if degree < 1 || degree > 64 {
		return Poly{}, fmt.Errorf("shingles: polynomial of degree %d: want 1 to 64", degree)
	}
	state := seed
	for {
		p := Poly{Degree: degree, Low: nextRandom(&state)}
		p.Low = p.Low&p.mask() | 1 // without the constant term t divides it
		if p.Irreducible() {
			return p, nil
		}
	}
}

// nextRandom advances SplitMix64, the only source of seeded numbers in this package.
func nextRandom(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (p Poly) mask() uint64 { return ^uint64(0) >> (64 - uint(p.Degree)) }

// valid reports whether the arithmetic below works for p.
func (p Poly) valid() bool {
	return p.Degree >= 1 && p.Degree <= 64 && p.Low&^p.mask() == 0
}

// timesT returns a·t mod p.
func (p Poly) timesT(a uint64) uint64 {
	carry := a >> uint(p.Degree-1) & 1
	return a<<1&p.mask() ^ -carry&p.Low
}

// Mul returns a·b mod p. The factors need not be reduced.
func (p Poly) Mul(a, b uint64) uint64 {
	var product uint64
	b = p.Reduce(b)
	for i := bits.Len64(a) - 1; i >= 0; i-- {
		product = p.timesT(product)
		if a>>uint(i)&1 == 1 {
			product ^= b
		}
	}
	return product
}

// Reduce returns a mod p, or 0 if p is not a polynomial of degree 1 to 64.
func (p Poly) Reduce(a uint64) uint64 {
	if !p.valid() {
		return 0
	}
	if p.Degree == 64 {
		return a
	}
	for i := bits.Len64(a) - 1; i >= p.Degree; i = bits.Len64(a) - 1 {
		a ^= (1<<uint(p.Degree) | p.Low) << uint(i-p.Degree)
	}
	return a
}

// PowerOfT returns t^n mod p for n of at least 0.
func (p Poly) PowerOfT(n int) uint64 {
	result := p.Reduce(1)
	for i := bits.Len(uint(n)) - 1; i >= 0; i-- {
		result = p.Mul(result, result)
		if n>>uint(i)&1 == 1 {
			result = p.timesT(result)
		}
	}
	return result
}

// Irreducible reports whether p, of degree n, is irreducible. If p divides t^(2^n)-t, it has no factor twice; and then the
// residues that are their own squares have as many dimensions as p has irreducible factors (Berlekamp, "Factoring
// polynomials over finite fields", 1967).
func (p Poly) Irreducible() bool {
	if !p.valid() {
		return false
	}
	t := p.PowerOfT(1)
	x := t
	for range p.Degree {
		x = p.Mul(x, x) // t^(2^i)
	}
	return x == t && p.factors() == 1
}

// factors returns the number of dimensions of the residues a with a²-a = 0, by Gaussian elimination.
func (p Poly) factors() int {
	var rows [64]uint64 // by their degree
	n := p.Degree
	for i := range p.Degree {
		for row := p.PowerOfT(2*i) ^ p.PowerOfT(i); row != 0; {
			lead := &rows[bits.Len64(row)-1]
			if *lead == 0 {
				*lead, row = row, 0
				n--
			} else {
				row ^= *lead
			}
		}
	}
	return n
}
