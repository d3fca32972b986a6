package fit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestWeights finds the weights by which choices were made, within three standard errors.
func TestWeights(t *testing.T) {
	random, want := rand.New(rand.NewPCG(1, 2)), []float64{-1, 2, -0.5}
	var choices []Choice
	for range 4000 {
		var c Choice
		for range 1 + random.IntN(4) {
			c.Candidates = append(c.Candidates, []float64{1, random.NormFloat64(), random.NormFloat64()})
		}
		of, none := c.probabilities(want)
		c.Right = -1
		for left := random.Float64() - none; left > 0 && c.Right < len(of)-1; left -= of[c.Right] {
			c.Right++
		}
		choices = append(choices, c)
	}
	got, errors, err := Weights(choices, 1e-6)
	if err != nil || errors == nil {
		t.Fatal(err)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 3*errors[i] {
			t.Errorf("weight %d is %.3f ± %.3f, want %.3f", i, got[i], errors[i], want[i])
		}
	}
	if _, _, err := Weights([]Choice{{Right: -1}}, 1); err == nil {
		t.Error("weights of nothing")
	}
}
