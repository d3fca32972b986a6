package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestInformWorked: 8 elements, clusters of 4, 2, 2 and classes of 4, 4.
func TestInformWorked(t *testing.T) {
	a := []uint32{0, 0, 0, 0, 1, 1, 2, 2}
	b := []uint32{5, 5, 5, 9, 9, 9, 9, 5}
	x, err := Inform(a, b)
	if err != nil {
		t.Fatal(err)
	}
	ln := math.Log
	// Cells: 3 of (4,4), 1 of (4,4), 2 of (2,4), 1 of (2,4), 1 of (2,4).
	mutual := 3./8*ln(8*3./16) + 1./8*ln(8./16) + 2./8*ln(8*2./8) + 2*1./8*ln(8./8)
	entropyA := 4./8*ln(2) + 2*2./8*ln(4)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mutual", x.Mutual, mutual}, {"entropy of a", x.EntropyA, entropyA}, {"entropy of b", x.EntropyB, ln(2)},
		{"homogeneity", x.Homogeneity, mutual / ln(2)}, {"completeness", x.Completeness, mutual / entropyA},
		{"v", x.V, 2 * mutual / (entropyA + ln(2))}, {"purity", x.Purity, 6. / 8},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s is %v, worked out %v", c.name, c.got, c.want)
		}
	}
}

// TestExpected compares the exact expectation with the mean over random permutations.
func TestExpected(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	a, b := make([]uint32, 60), make([]uint32, 60)
	for i := range a {
		a[i], b[i] = uint32(rng.IntN(3)*rng.IntN(12)), uint32(rng.IntN(7))
	}
	x, err := Inform(a, b)
	if err != nil {
		t.Fatal(err)
	}
	const draws = 4000
	var sum, square float64
	for range draws {
		rng.Shuffle(len(a), func(i, j int) { a[i], a[j] = a[j], a[i] })
		y, err := Inform(a, b)
		if err != nil {
			t.Fatal(err)
		}
		sum, square = sum+y.Mutual, square+y.Mutual*y.Mutual
	}
	mean := sum / draws
	se := math.Sqrt((square/draws - mean*mean) / draws)
	if math.Abs(mean-x.Expected) > 4*se {
		t.Errorf("expected %v, mean of %d permutations %v ± %v", x.Expected, draws, mean, se)
	}
}

func TestInformLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(rapid.Uint32Range(0, 9), 1, 50)
		a := labels.Draw(t, "a")
		b := rapid.SliceOfN(rapid.Uint32Range(0, 9), len(a), len(a)).Draw(t, "b")
		x, err := Inform(a, b)
		if err != nil {
			t.Fatal(err)
		}
		back, _ := Inform(b, a)
		self, _ := Inform(a, a)
		for _, f := range []float64{x.Mutual, x.Expected, x.Homogeneity, x.Completeness, x.V, x.ChanceV, x.Adjusted, x.Purity, x.EntropyA} {
			if math.IsNaN(f) || math.IsInf(f, 0) {
				t.Fatalf("%+v", x)
			}
		}
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
		if !near(x.Mutual, back.Mutual) || !near(x.Expected, back.Expected) || !near(x.Adjusted, back.Adjusted) || !near(x.Homogeneity, back.Completeness) {
			t.Fatalf("not symmetric: %+v and %+v", x, back)
		}
		if x.Homogeneity > 1 || x.Completeness > 1 || x.Purity > 1 || x.Adjusted > 1+1e-9 || x.Homogeneity < 0 {
			t.Fatalf("out of range: %+v", x)
		}
		if !near(self.V, 1) || !near(self.Adjusted, 1) || self.Purity != 1 {
			t.Fatalf("a clustering against itself: %+v", self)
		}
	})
}

func TestInformBad(t *testing.T) {
	if _, err := Inform([]uint32{1}, nil); err == nil {
		t.Error("no error for clusterings of 1 and 0 elements")
	}
	if x, err := Inform(nil, nil); err != nil || x != (Information{}) {
		t.Errorf("of nothing: %+v, %v", x, err)
	}
}
