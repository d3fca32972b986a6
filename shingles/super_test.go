package shingles

import (
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
