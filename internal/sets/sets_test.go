package sets

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestWalks checks that every walk matches its definition.
func TestWalks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := func(name string) []uint32 {
			return slices.Sorted(slices.Values(rapid.SliceOfDistinct(rapid.Uint32Range(0, 20), rapid.ID[uint32]).Draw(t, name)))
		}
		a, b := set("a"), set("b")
		var places [][2]int
		var both, minus []uint32
		for x := range uint32(21) {
			i, j := slices.Index(a, x), slices.Index(b, x)
			if i >= 0 || j >= 0 {
				places = append(places, [2]int{i, j})
			}
			switch {
			case i >= 0 && j >= 0:
				both = append(both, x)
			case i >= 0:
				minus = append(minus, x)
			}
		}
		var walked [][2]int
		for i, j := range Union(a, b) {
			walked = append(walked, [2]int{i, j})
		}
		if !slices.Equal(walked, places) {
			t.Errorf("union of %v and %v at %v, want %v", a, b, walked, places)
		}
		if n := Common(a, b); n != len(both) {
			t.Errorf("%v and %v have %d in common, want %d", a, b, n, len(both))
		}
		if m := Meet(a, b); m != (len(both) > 0) {
			t.Errorf("%v and %v meet: %t", a, b, m)
		}
		if got := Intersect(nil, a, b); !slices.Equal(got, both) {
			t.Errorf("intersection of %v and %v: %v, want %v", a, b, got, both)
		}
		if got := Minus(nil, a, b); !slices.Equal(got, minus) {
			t.Errorf("%v without %v: %v, want %v", a, b, got, minus)
		}
		for range Union(a, b) {
			break // the caller may leave
		}
	})
}
