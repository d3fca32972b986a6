package shingles

import (
	"math"
	"testing"
)

func TestMixerIsABijection(t *testing.T) {
	m := NewMixer(16, 3)
	seen := make([]bool, 1<<16)
	for x := range uint64(1 << 16) {
		y := m.Mix(x)
		if y >= 1<<16 || seen[y] {
			t.Fatalf("%d: value %d out of range or twice", x, y)
		}
		seen[y] = true
	}
}

// Each input bit must change each output bit in half of the cases.
func TestMixerAvalanche(t *testing.T) {
	const trials = 4000
	for _, width := range []int{32, 40, 48, 63, 64} {
		m := NewMixer(width, 1)
		worst, state := 0.0, uint64(1)
		for in := range width {
			flips := make([]int, width)
			for range trials {
				x := nextRandom(&state) & m.mask
				d := m.Mix(x) ^ m.Mix(x^1<<in)
				for out := range flips {
					flips[out] += int(d >> out & 1)
				}
			}
			for _, n := range flips {
				worst = max(worst, math.Abs(float64(n)/trials-0.5))
			}
		}
		// The standard error is 0.008; 5.5 of them allow for 4,096 places.
		if worst > 0.044 {
			t.Errorf("%d bits: an output bit changes with probability 0.5 ± %.3f", width, worst)
		}
	}
}
