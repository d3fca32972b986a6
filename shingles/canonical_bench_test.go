package shingles

import (
	"slices"
	"testing"
)

func BenchmarkCanonical(b *testing.B) {
	for _, c := range []struct {
		name  string
		text  []byte
		punct bool
	}{
		{"ascii", prose(1 << 20), false}, {"rfc", realProse(b), false}, {"mixed", mixedProse(1 << 20), false},
		{"ascii-4KiB", prose(1 << 12), false}, {"ascii-punct", prose(1 << 20), true},
	} {
		b.Run(c.name, func(b *testing.B) {
			var dst []byte
			loop(b, len(c.text), func() { dst = Canonical(dst[:0], c.text, c.punct) })
		})
	}
	b.Run("definition", func(b *testing.B) {
		text := prose(1 << 18)
		loop(b, len(text), func() { slowCanonical(text, false) })
	})
}

// Bytes are 8 a value.
func BenchmarkSortValues(b *testing.B) {
	for name, n := range map[string]int{"450": 450, "10000": 10000, "60000": 60000} {
		values, work := randomValues(3, 0, n), make([]uint64, n)
		b.Run("spread-"+name, func(b *testing.B) {
			var s spreader
			loop(b, 8*n, func() {
				copy(work, values)
				s.sort(work)
			})
		})
		b.Run("compare-"+name, func(b *testing.B) {
			loop(b, 8*n, func() {
				copy(work, values)
				slices.Sort(work)
			})
		})
	}
}
