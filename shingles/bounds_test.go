package shingles

import (
	"fmt"
	"math"
	"testing"
)

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		s            int
		r, eps, want float64
	}{
		{100, 0.5, 0.05, 0.7287}, {100, 0.9, 0.05, 0.9364}, {200, 0.8, 0.10, 0.9997},
		{100, 0, 0.05, 1}, {100, 1, 0, 1}, {1, 0.5, 0.4, 0}, {1, 0.5, 0.5, 1}, {10, 0.5, 0, 0.2461},
		{0, 0.5, 0.5, 0}, {10, -1, 1, 0}, {10, 0.5, -0.1, 0}, {10, math.NaN(), 1, 0},
	} {
		if got := Within(c.s, c.r, c.eps); math.Abs(got-c.want) > 0.00005 {
			t.Errorf("p(%d, %v, %v) = %.5f, want %.4f", c.s, c.r, c.eps, got, c.want)
		}
	}
}

// Within equals the sum of the terms for all small cases.
func TestWithinEqualsSum(t *testing.T) {
	for s := 1; s <= 30; s++ {
		for k := 0; k <= 10; k++ {
			r, sum := float64(k)/10, 0.0
			for x := 0; x <= s; x++ {
				lg := func(n int) float64 { v, _ := math.Lgamma(float64(n + 1)); return v }
				term := math.Exp(lg(s)-lg(x)-lg(s-x)) * math.Pow(r, float64(x)) * math.Pow(1-r, float64(s-x))
				if math.Abs(float64(x)/float64(s)-r) <= 0.1+1e-9 {
					sum += term
				}
			}
			if got := Within(s, r, 0.1); math.Abs(got-sum) > 1e-9 {
				t.Errorf("p(%d, %v, 0.1) = %v, want %v", s, r, got, sum)
			}
		}
	}
}

func TestModBounds(t *testing.T) {
	rows := ModBounds(25, []int{0, 25, 2500})
	if rows[0].Empty != 1 || rows[1].Expected != 1 || math.Abs(rows[1].Empty-math.Pow(0.96, 25)) > 1e-12 {
		t.Errorf("%+v", rows)
	}
	if rows[2].Expected != 100 || math.Abs(rows[2].StdDev-math.Sqrt(96)) > 1e-9 {
		t.Errorf("%+v", rows[2])
	}
}

func ExampleBounds() {
	for _, b := range Bounds([]int{100, 400}, []float64{0.5, 0.9}, 0.05) {
		fmt.Printf("%d %.1f %.4f %.3f %.3f-%.3f\n", b.Samples, b.Resemblance, b.Within, b.StdErr, b.Low, b.High)
	}
	// Output:
	// 100 0.5 0.7287 0.050 0.400-0.600
	// 100 0.9 0.9364 0.030 0.840-0.950
	// 400 0.5 0.9598 0.025 0.450-0.550
	// 400 0.9 0.9993 0.015 0.870-0.927
}
