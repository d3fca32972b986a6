package shingles

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
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

func TestGroupAgreement(t *testing.T) {
	for _, c := range []struct{ r, want float64 }{{0.80, 0.026}, {0.90, 0.415}, {0.95, 0.879}, {1, 1}, {0, 0}} {
		got := GroupAgreement(c.r, DefaultGroups, DefaultGroupSize, 2)
		if math.Abs(got-c.want) > 0.0005 {
			t.Errorf("r=%.2f: %.4f, want %.3f", c.r, got, c.want)
		}
	}
}

// The minima of documents of resemblance 0.9 against the formulas.
func TestGroupedMinimaBySimulation(t *testing.T) {
	const trials = 600
	var resemblance, two moments
	for seed := range uint64(trials) {
		union := randomValues(seed, 0, 400)
		a, b := new(GroupedMinima), NewGroupedMinima(6, 14)
		a.AddAll(union[:380])
		b.AddAll(union[20:])
		r, groups, ok := a.Estimate(b)
		if !ok {
			t.Fatal("no estimate")
		}
		resemblance.add(r)
		two.add(float64(one(groups >= 2)))
	}
	resemblance.expect(t, "84 minima", 0.9, 0.9*0.1/84)
	p := GroupAgreement(0.9, 6, 14, 2)
	two.expect(t, "2 of 6 groups", p, p*(1-p))
}

func TestGroupedMinimaLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawValues(t, "x"), drawValues(t, "y")
		whole, a, b := NewGroupedMinima(3, 2), NewGroupedMinima(3, 2), NewGroupedMinima(3, 2)
		whole.AddAll(append(slices.Clone(y), x...))
		for _, v := range x {
			a.Add(v)
		}
		b.AddAll(y)
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Minima(), whole.Minima()) || !slices.Equal(a.Groups(), whole.Groups()) {
			t.Fatal("merging is not adding")
		}
		r, groups, ok := a.Estimate(whole)
		if ok != (len(x)+len(y) > 0) || ok && (r != 1 || groups != 3) {
			t.Fatalf("%v, %d, %t", r, groups, ok)
		}
	})
}
