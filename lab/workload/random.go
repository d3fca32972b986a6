package workload

import (
	"math"
	"math/bits"
)

// random is a generator of random numbers (SplitMix64). Its value is its state, so that a generator for any page, link
// or word can be made without those before it.
type random uint64

// The streams of random numbers. Each is a function of the seed and one or two numbers.
const (
	ofPage = iota + 1
	ofHost
	ofFresh
	ofPool
	ofTopic
	ofTarget
	ofFamily
	ofMember
	ofWindow
	ofBag
	ofDocument
	ofGroup
)

const golden = 0x9e3779b97f4a7c15

// mix is a bijection that changes every bit of its result with a chance of one half for every bit of its argument.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// at returns the generator of place (a, b) of a stream.
func at(seed uint64, stream, a, b uint64) random {
	return random(mix(mix(mix(seed^stream*golden)+a) + b*golden))
}

func (r *random) next() uint64 {
	*r += golden
	return mix(uint64(*r))
}

// below returns a number from 0 to n-1.
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// chance returns true with probability p.
func (r *random) chance(p float64) bool { return unit(r.next()) < p }

// unit turns random bits into a number from 0 to 1, which it does not reach.
func unit(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }

// shuffle is a bijection on 0 to n-1 that takes neighbours far apart: i times a plus b, modulo n.
type shuffle struct{ n, a, b, inverse uint64 }

func newShuffle(n int64, seed uint64) shuffle {
	s := shuffle{n: max(1, uint64(n))}
	s.b = mix(seed) % s.n
	s.a = max(1, uint64(float64(s.n)*(math.Phi-1)))
	for {
		if g, x := invert(s.a, s.n); g == 1 {
			s.inverse = x
			return s
		}
		s.a++
	}
}

// to returns the place of i, and from returns the number at a place.
func (s *shuffle) to(i uint64) uint64 { return (mulmod(i, s.a, s.n) + s.b) % s.n }
func (s *shuffle) from(p uint64) uint64 {
	return mulmod((p+s.n-s.b)%s.n, s.inverse, s.n)
}

func mulmod(a, b, n uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, rest := bits.Div64(hi%n, lo, n)
	return rest
}

// invert returns the greatest common divisor of a and n, and if that is 1, the inverse of a modulo n.
func invert(a, n uint64) (gcd, inverse uint64) {
	r, newR, t, newT := int64(n), int64(a%n), int64(0), int64(1)
	for newR != 0 {
		q := r / newR
		r, newR, t, newT = newR, r-q*newR, newT, t-q*newT
	}
	if t < 0 {
		t += int64(n)
	}
	return uint64(r), uint64(t)
}
