package bags

import "math"

// LogCosine returns the cosine of two bags as vectors of log(1+count), from 0 to 1. Terms with small counts matter more to it
// than to [Similarity]. An empty bag has the cosine 0 to every bag.
func LogCosine(a, b Bag) float64 {
	s, t := a.Terms, b.Terms
	c, d := a.Counts[:len(s)], b.Counts[:len(t)]
	common := uint64(0)
	for i, j := 0, 0; i < len(s) && j < len(t); {
		x, y := s[i], t[j]
		if x == y {
			common += logOf(c[i]) * logOf(d[j])
		}
		if x <= y {
			i++
		}
		if x >= y {
			j++
		}
	}
	return cosine(common, squares(c), squares(d))
}

// cosine returns the cosine of two vectors, given their inner product and the squares of their lengths.
func cosine(common, a, b uint64) float64 {
	if common == 0 {
		return 0
	}
	return min(1, float64(common)/math.Sqrt(float64(a)*float64(b)))
}

func squares(counts []uint16) (sum uint64) {
	for _, n := range counts {
		sum += logOf(n) * logOf(n)
	}
	return sum
}

// logOf returns log(1+n) as a multiple of 1/1024, so that a sum does not depend on the order of its terms.
func logOf(n uint16) uint64 {
	if int(n) < len(logs) {
		return logs[n]
	}
	return uint64(math.Round(1024 * math.Log1p(float64(n))))
}

var logs = func() (t [256]uint64) {
	for i := range t {
		t[i] = uint64(math.Round(1024 * math.Log1p(float64(i))))
	}
	return t
}()
