package binomial

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestAtMost compares with package distuv, bit by bit, and with sums of probabilities.
func TestAtMost(t *testing.T) {
	for _, n := range []int{1, 2, 7, 80, 128} {
		for _, p := range []float64{0.01, 0.2, 0.5, 0.93} {
			sum := 0.0
			for x := -1; x <= n+1; x++ {
				if x >= 0 && x <= n {
					sum += Probability(n, x, p)
				}
				got := AtMost(float64(n), float64(x), p)
				if want := (distuv.Binomial{N: float64(n), P: p}).CDF(float64(x)); got != want || math.Abs(got-sum) > 1e-12 {
					t.Errorf("%d of %d at %g: %g, want %g, near %g", x, n, p, got, want, sum)
				}
			}
		}
	}
}
