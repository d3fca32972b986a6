package rice

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Gaps returns what AppendGaps appended, behind what was there, and what follows it.
func TestGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]uint64{1, 9, 1 << 40, 1 << 56, math.MaxUint64}).Draw(t, "most")
		values := rapid.SliceOf(rapid.Uint64Range(0, most)).Draw(t, "values")
		slices.Sort(values)
		values = slices.Compact(values)
		data := AppendGaps([]byte{7}, values)
		got, rest, ok := Gaps([]uint64{5}, append(data[1:], make([]byte, Padding+1)...))
		if !ok || len(rest) != Padding+1 || got[0] != 5 || !slices.Equal(got[1:], values) {
			t.Fatalf("%v, %d bytes more, %t; want %v", got, len(rest), ok, values)
		}
		if _, _, ok := Gaps(nil, append(data[1:len(data)-1], make([]byte, Padding)...)); ok && len(values) > 0 {
			t.Fatalf("a byte is missing of %v", values)
		}
	})
}

// Data that nobody wrote neither panics nor gives numbers that do not ascend.
func FuzzGaps(f *testing.F) {
	f.Add(append([]byte{2, 64}, slices.Repeat([]byte{255}, 16+Padding)...))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		values, _, ok := Gaps(nil, data)
		for i := 1; ok && i < len(values); i++ {
			if values[i] <= values[i-1] {
				t.Fatal(values)
			}
		}
	})
}
