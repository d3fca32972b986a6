//go:build unix

package minhash

import (
	"fmt"
	"testing"

	"golang.org/x/sys/unix"
)

// cpuSeconds returns the CPU seconds of the process, which hold on a machine that is busy with other things.
func cpuSeconds() float64 {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

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
					start := cpuSeconds()
					for b.Loop() {
						f.Sign(row, elements)
					}
					b.ReportMetric(float64(n)*float64(b.N)/1e6/(cpuSeconds()-start), "Melements/cpu-s")
				})
			})
		}
	}
}
