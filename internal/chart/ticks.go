package chart

import "math"

// scale maps numbers to pixels: min to the pixel from, max to the pixel to.
type scale struct {
	min, max float64
	from, to float64
}

// at returns the pixel of a number.
func (s scale) at(v float64) float64 { return s.from + (v-s.min)/(s.max-s.min)*(s.to-s.from) }

// span is the range of some numbers. The zero span is empty.
type span struct {
	min, max float64
	some     bool
}

func (s *span) add(values ...float64) {
	for _, v := range values {
		if !s.some {
			s.min, s.max, s.some = v, v, true
		}
		s.min, s.max = min(s.min, v), max(s.max, v)
	}
}

// scale returns the scale of an axis that shows the span. If rounds is set, the axis is extended to whole steps.
func (s span) scale(a Axis, rounds bool) scale {
	if a.Max != 0 {
		s.add(0, a.Max)
	}
	out := scale{min: s.min, max: s.max}
	if out.max <= out.min {
		more := max(math.Abs(out.min)/10, 0.5)
		out.min, out.max = out.min-more, out.max+more
	}
	if rounds {
		step := stepOf(out.max - out.min)
		out.min, out.max = step*math.Floor(out.min/step+1e-9), step*math.Ceil(out.max/step-1e-9)
	}
	return out
}

// wantedTicks is the approximate number of ticks on an axis.
const wantedTicks = 6

// stepOf returns the distance between the ticks of an axis: one, two or five times a power of ten.
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

// ticks returns the places of the marks on an axis.
func (s scale) ticks() (out []float64) {
	step := stepOf(s.max - s.min)
	for k := math.Ceil(s.min/step - 1e-9); k*step <= s.max+step*1e-9; k++ {
		out = append(out, k*step+0) // no -0
	}
	return out
}
