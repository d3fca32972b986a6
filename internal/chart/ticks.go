package chart

import "math"

// scale maps numbers to pixels: min to the pixel from, max to the pixel to.
type scale struct {
	min, max float64
	from, to float64
	log      bool
}

// at returns the pixel of a number.
func (s scale) at(v float64) float64 {
	var share float64
	if s.log {
		share = math.Log(v/s.min) / math.Log(s.max/s.min)
	} else {
		share = (v - s.min) / (s.max - s.min)
	}
	return s.from + share*(s.to-s.from)
}

// span is the range of some numbers. The zero span is empty.
type span struct {
	min, max float64
	any      bool
}

func (s *span) add(values ...float64) {
	for _, v := range values {
		if !s.any {
			s.min, s.max, s.any = v, v, true
		}
		s.min, s.max = min(s.min, v), max(s.max, v)
	}
}

// scale returns the scale of an axis that shows the span. If rounds is set, a linear axis is extended to whole steps.
func (s span) scale(a Axis, rounds bool) scale {
	if a.Min != 0 || a.Max != 0 {
		s.add(a.Min, a.Max)
	}
	out := scale{min: s.min, max: s.max, log: a.Log}
	switch {
	case out.max > out.min:
	case a.Log:
		out.min, out.max = out.min/2, out.max*2
	default:
		more := max(math.Abs(out.min)/10, 0.5)
		out.min, out.max = out.min-more, out.max+more
	}
	if rounds && !a.Log {
		step := stepOf(out.max - out.min)
		out.min, out.max = step*math.Floor(out.min/step+1e-9), step*math.Ceil(out.max/step-1e-9)
	}
	return out
}

// tick is a mark on an axis. Without a label it is a small one.
type tick struct {
	at    float64
	label string
}

// wantedTicks is the approximate number of ticks on a linear axis.
const wantedTicks = 6

// stepOf returns the distance between the ticks of a linear axis: one, two or five times a power of ten.
func stepOf(size float64) float64 {
	rough := size / wantedTicks
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, n := range []float64{1, 2, 5} {
		if rough <= n*power*1.01 {
			return n * power
		}
	}
	return 10 * power
}

// ticks returns the ticks of an axis. A logarithmic axis of less than a decade has those of a linear axis.
func (s scale) ticks() (out []tick) {
	if decades := math.Log10(s.max / s.min); s.log && decades >= 1 {
		return s.logTicks(decades)
	}
	step := stepOf(s.max - s.min)
	for k := math.Ceil(s.min/step - 1e-9); k*step <= s.max+step*1e-9; k++ {
		out = append(out, tick{k * step, short(k * step)})
	}
	return out
}

// logTicks returns powers of ten, and small ticks between them if there is room. Over more than seven decades not every
// power has a label; over less than two, twos and fives have labels too.
func (s scale) logTicks(decades float64) (out []tick) {
	every := math.Ceil(decades / 7)
	for k := math.Floor(math.Log10(s.min)); k <= math.Log10(s.max)+1e-9; k++ {
		for n := 1.0; n < 10; n++ {
			v := n * math.Pow(10, k)
			if v < s.min*(1-1e-9) || v > s.max*(1+1e-9) || n > 1 && every > 1 {
				continue
			}
			t := tick{at: v}
			if n == 1 && math.Mod(math.Abs(k), every) == 0 || decades < 2 && (n == 2 || n == 5) {
				t.label = short(v)
			}
			out = append(out, t)
		}
	}
	return out
}

var suffixes = []struct {
	size   float64
	suffix string
}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}

// short formats a number for an axis: 20k for 20000.
func short(v float64) string {
	for _, s := range suffixes {
		if math.Abs(v) >= s.size && math.Abs(v) < 1000*s.size {
			return number(v/s.size) + s.suffix
		}
	}
	if math.Abs(v) < 1e-12 { // rounding error of a sum of steps
		v = 0
	}
	return number(v)
}
