package anchors

import "testing"

// TestFactors: the cached factors are those of HostWeight, even if there are too many to cache.
func TestFactors(t *testing.T) {
	for _, h := range []HostWeight{EveryPage, Harmonic, OnePage} {
		var kept factors
		for n := range mostFactors + 10 {
			if n > 3000 && n < mostFactors-10 { // the sums of the others take quadratic time
				if h == Harmonic {
					kept[n] = 0
				}
				continue
			}
			for range 2 {
				want := uint64(1024)
				if n > 1 && h != EveryPage {
					want = h.of(n)
				}
				if got := kept.of(h, n); got != want {
					t.Fatalf("%s: %d pages have the factor %d, want %d", h, n, got, want)
				}
			}
		}
		if len(kept) > mostFactors {
			t.Errorf("%s: %d factors are kept", h, len(kept))
		}
	}
}
