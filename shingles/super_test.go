package shingles

import (
	"math"
	"testing"
)

func TestSuperShingles(t *testing.T) {
	values := []uint64{1, 2, 3, 4, 5}
	super := SuperShingles(values, 3)
	if len(super) != 3 {
		t.Fatalf("%d super-shingles, want 3", len(super))
	}
	if other := SuperShingles([]uint64{0, 2, 3, 4, 6}, 3); other[1] != super[1] || other[0] == super[0] || other[2] == super[2] {
		t.Errorf("%x and %x", super, other)
	}
	if short := SuperShingles(values[:2], 3); len(short) != 1 || short[0] == SuperShingles(values[:1], 3)[0] {
		t.Errorf("short sketches: %x", short)
	}
	if SuperShingles(nil, 3) != nil {
		t.Error("an empty sketch has super-shingles")
	}
}

// agreement is the probability that two documents of resemblance r agree in at least 2 of 6 groups of 14 minima.
func agreement(r float64) float64 { return 1 - atMost(1, 6, math.Pow(r, 14)) }

func TestGroupMinima(t *testing.T) {
	for _, c := range []struct{ r, want float64 }{{0.80, 0.026}, {0.90, 0.415}, {0.95, 0.879}, {1, 1}, {0, 0}} {
		if got := agreement(c.r); math.Abs(got-c.want) > 0.0005 {
			t.Errorf("r=%.2f: %.4f, want %.3f", c.r, got, c.want)
		}
	}
	const trials = 600
	var single, two moments
	for seed := range uint64(trials) {
		union := randomValues(seed, 0, 400)
		a, b := union[:380], union[20:] // of resemblance 0.9
		agree := func(groups, size int) (n int) {
			x, y := GroupMinima(a, groups, size), GroupMinima(b, groups, size)
			for g := range x {
				n += one(x[g] == y[g])
			}
			return n
		}
		single.add(float64(agree(84, 1)) / 84)
		two.add(float64(one(agree(6, 14) >= 2)))
	}
	single.expect(t, "84 minima", 0.9, 0.9*0.1/84)
	p := agreement(0.9)
	two.expect(t, "2 of 6 groups", p, p*(1-p))
	if GroupMinima(nil, 6, 14) != nil {
		t.Error("the empty set has groups")
	}
}
