package score

import (
	"math"
	"testing"
)

// TestWilson has intervals worked out by hand from the formula (Wilson 1927), and the ends.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		hits, n   int
		low, high float64
	}{
		{0, 0, 0, 1}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {5, 10, 0.2366, 0.7634}, {81, 263, 0.2553, 0.3662},
	} {
		if got := Wilson(c.hits, c.n); math.Abs(got.Low-c.low) > 5e-5 || math.Abs(got.High-c.high) > 5e-5 {
			t.Errorf("%d of %d: %+v, want %v to %v", c.hits, c.n, got, c.low, c.high)
		}
	}
}
