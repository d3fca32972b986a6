package tables

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestAscending checks that ascending numbers of any size are unpacked as they were packed, and that what follows them is
// found.
func TestAscending(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := uint64(1)<<rapid.IntRange(1, 63).Draw(t, "bits") - 1
		values := rapid.SliceOfNDistinct(rapid.Uint64Range(0, most*2+1), 0, 50, rapid.ID).Draw(t, "values")
		slices.Sort(values)
		packed := append(appendAscending(nil, values), 7, 8)
		got, rest, ok := ascending([]uint64{1}, append(packed, make([]byte, packedPadding)...))
		if !ok || !slices.Equal(got[1:], values) || len(rest) != 2+packedPadding || rest[0] != 7 {
			t.Fatalf("%v, %d bytes left, %v; want %v", got, len(rest), ok, values)
		}
	})
}
