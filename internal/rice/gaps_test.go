package rice

import (
	"encoding/binary"
	"math"
	"math/bits"
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
		each, next := 1, uint64(0) // bits for each gap
		for _, v := range values {
			each, next = max(each, bits.Len64(v-next)), v+1
		}
		if each > Most {
			each = 64
		}
		if want := 2 + len(binary.AppendUvarint(nil, uint64(len(values)))) + (len(values)*each+7)/8; len(values) > 0 && len(data) != want {
			t.Fatalf("%v take %d bytes, want %d", values, len(data), want)
		}
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
