package sets

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestUnequalSets checks that Common, Meet and Alike are right for sets of similar and of different lengths.
func TestUnequalSets(t *testing.T) {
	set := rapid.Custom(func(t *rapid.T) []uint64 {
		n := rapid.SampledFrom([]int{0, 1, 5, 40, 500}).Draw(t, "most")
		s := rapid.SliceOfN(rapid.Uint64Range(0, uint64(2*n)), 0, n).Draw(t, "values")
		slices.Sort(s)
		return slices.Compact(s)
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := set.Draw(t, "a"), set.Draw(t, "b")
		want := 0
		for _, x := range a {
			if slices.Contains(b, x) {
				want++
			}
		}
		alike := Alike(a, b, func(uint64) float64 { return 2 })
		if either := len(a) + len(b) - want; either > 0 && alike != float64(want)/float64(either) || either == 0 && alike != 0 {
			t.Fatalf("%d of %d are alike by %g", want, either, alike)
		}
		if got, meet := Common(a, b), Meet(a, b); got != want || meet != (want > 0) {
			t.Fatalf("%d, meet %v, want %d", got, meet, want)
		}
		x := rapid.Uint64Range(0, 1100).Draw(t, "x")
		at, ok := find(a, x)
		if i, found := slices.BinarySearch(a, x); at != i || ok != found {
			t.Fatalf("%d is found at %d (%v), want %d (%v)", x, at, ok, i, found)
		}
	})
}
