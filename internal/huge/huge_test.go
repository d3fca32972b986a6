package huge

import (
	"slices"
	"testing"
)

// TestSlices checks that slices of any length are zero and can be written from end to end.
func TestSlices(t *testing.T) {
	for _, n := range []int{0, 1, 4095, 5 << 20, 8<<20 + 3} {
		b, h, w := Bytes(n), Halves(n), Words(n)
		if len(b) != n || len(h) != n || len(w) != n || n > 0 && (slices.Max(b) != 0 || slices.Max(h) != 0 || slices.Max(w) != 0) {
			t.Fatalf("%d: %d bytes, %d halves, %d words", n, len(b), len(h), len(w))
		}
		for i := range n {
			b[i], h[i], w[i] = byte(i), uint32(i), uint64(i)
		}
		if n > 0 && (b[n-1] != byte(n-1) || h[n-1] != uint32(n-1) || w[n-1] != uint64(n-1)) {
			t.Errorf("%d: the last elements are %d, %d and %d", n, b[n-1], h[n-1], w[n-1])
		}
	}
}
