package binomial

import (
	"math"
	"testing"
)

// TestAtMost compares with sums of probabilities, and with values for many trials that the package distuv of gonum gave.
func TestAtMost(t *testing.T) {
	for _, n := range []int{1, 2, 7, 80, 128} {
		for _, p := range []float64{0.01, 0.2, 0.5, 0.93} {
			sum := 0.0
			for x := -1; x <= n+1; x++ {
				if x >= 0 && x <= n {
					sum += Probability(n, x, p)
				}
				if got := AtMost(float64(n), float64(x), p); math.Abs(got-sum) > 1e-12 {
					t.Errorf("%d of %d at %g: %g, want %g", x, n, p, got, sum)
				}
			}
		}
	}
	for _, c := range []struct{ n, x, p, want float64 }{
		{1023, 9, 0.01, 0.42875038890532113},
		{5000, 25, 0.01, 6.70859337112507e-05},
		{5000, 3500, 0.7, 0.5053348570089953},
		{100000, 19500, 0.2, 3.738469757825691e-05},
		{100000, 99000.5, 0.99, 0.5042686880469552},
	} {
		if got := AtMost(c.n, c.x, c.p); math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("%g of %g at %g: %g, want %g", c.x, c.n, c.p, got, c.want)
		}
	}
}

// TestQuantile compares with values that the package mathext of gonum gave.
func TestQuantile(t *testing.T) {
	for p, want := range map[float64]float64{
		1e-300: -37.0470962993612, 1e-17: -8.4937932241096, 1e-9: -5.9978070150076865, 0.001: -3.090232306167813, 0.025: -1.9599639845400538,
		0.3: -0.5244005127080407, 0.4999: -0.0002506628300880075, 0.5: 0, 0.7: 0.5244005127080407, 0.99: 2.32634787404084,
	} {
		if got := Quantile(p); !(math.Abs(got-want) <= 1e-15+1e-14*math.Abs(want)) {
			t.Errorf("%g: %.17g, want %.17g", p, got, want)
		}
	}
}
