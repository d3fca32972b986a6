package sets

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestInsert compares the list after some insertions with the first elements of all.
func TestInsert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all, most := rapid.SliceOf(rapid.IntRange(0, 20)).Draw(t, "all"), rapid.IntRange(0, 8).Draw(t, "most")
		var got []int
		for _, x := range all {
			got = Insert(got, x, most, cmp.Compare)
		}
		if want := slices.Sorted(slices.Values(all)); !slices.Equal(got, want[:min(len(want), most)]) {
			t.Fatalf("%v of %v", got, all)
		}
	})
}
