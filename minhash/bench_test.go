package minhash

import (
	"fmt"
	"testing"
)

func both(b *testing.B, run func(b *testing.B)) {
	if useAVX2 {
		b.Run("avx2", run)
	}
	withoutAssembly(func() { b.Run("go", run) })
}

// BenchmarkSignatures is the row "80 signatures" of lab/performance.md.
func BenchmarkSignatures(b *testing.B) {
	for _, m := range []int{80, 128} {
		for _, n := range []int{5, 20, 100, 1000} {
			f, elements := NewFamily(m, 1), numbers(n, 2)
			row := make([]byte, f.RowSize())
			b.Run(fmt.Sprintf("signatures=%d/elements=%d", m, n), func(b *testing.B) {
				both(b, func(b *testing.B) {
					for b.Loop() {
						f.Sign(row, elements)
					}
					b.ReportMetric(float64(n)*float64(b.N)/1e6/b.Elapsed().Seconds(), "Melements/s")
				})
			})
		}
	}
}
