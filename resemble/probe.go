package resemble

import (
	"math/bits"

	"github.com/lshclust/lshclust/internal/sets"
)

// probe is a set to compare many others with. It is a table of places for four values each. Looking up a value takes no
// branch that depends on it, so that counting the values in common takes 1.5 ns for each value of the other set, where
// merging takes 2 to 3 ns for each value of either.
//
// A place that is not full has zeros, so the value 0 is kept separately, as are values that find their place full.
type probe struct {
	places []place
	shift  uint
	zero   bool
	rest   []uint64 // in ascending order
}

type place [4]uint64

// maxProbe is the largest number of values for a table. The table of a larger set would not stay in a cache.
const maxProbe = 1 << 13

// set fills the table with a set of up to maxProbe values.
func (p *probe) set(values []uint64) {
	width := bits.Len(uint(len(values))) // half a value in each place on average
	if n := 1 << width; n > cap(p.places) {
		p.places = make([]place, n)
	} else {
		p.places = p.places[:n]
		clear(p.places)
	}
	p.shift, p.rest = uint(64-width), p.rest[:0]
	values, p.zero = withoutZero(values)
	for _, v := range values {
		at := p.at(v)
		switch {
		case at[0] == 0:
			at[0] = v
		case at[1] == 0:
			at[1] = v
		case at[2] == 0:
			at[2] = v
		case at[3] == 0:
			at[3] = v
		default:
			p.rest = append(p.rest, v)
		}
	}
}

// withoutZero removes the value 0, which is the first if present.
func withoutZero(values []uint64) ([]uint64, bool) {
	if len(values) > 0 && values[0] == 0 {
		return values[1:], true
	}
	return values, false
}

func (p *probe) at(v uint64) *place {
	return &p.places[int(v*0x9e3779b97f4a7c15>>(p.shift&63))&(len(p.places)-1)]
}

// atOnce is the number of values of another set that common looks up before it may give up.
const atOnce = 64

// common counts the values of another set that are in this one. As soon as it cannot reach least, it gives up and
// returns a number below least.
func (p *probe) common(values []uint64, least int) (n int) {
	values, zero := withoutZero(values)
	n = toInt(zero && p.zero)
	if len(p.rest) > 0 {
		n += sets.Common(p.rest, values)
	}
	for len(values) > 0 && n+len(values) >= least {
		some := values[:min(atOnce, len(values))]
		values = values[len(some):]
		for _, v := range some {
			at := p.at(v)
			n += toInt(at[0] == v) + toInt(at[1] == v) + toInt(at[2] == v) + toInt(at[3] == v)
		}
	}
	return n
}
