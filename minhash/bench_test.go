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

func BenchmarkElements(b *testing.B) {
	var dst []uint32
	for b.Loop() {
		dst = dst[:0]
		for term := range uint32(50) {
			dst = AppendElements(dst, term, 2)
		}
	}
	b.ReportMetric(100*float64(b.N)/1e6/b.Elapsed().Seconds(), "Melements/s")
}

func BenchmarkAgreement(b *testing.B) {
	f := NewFamily(80, 1)
	x, y := make([]byte, f.RowSize()), make([]byte, f.RowSize())
	f.Sign(x, numbers(100, 1))
	f.Sign(y, numbers(100, 2))
	b.Run("rows", func(b *testing.B) {
		both(b, func(b *testing.B) {
			for b.Loop() {
				Agreement(x, y)
			}
		})
	})
	b.Run("low", func(b *testing.B) {
		both(b, func(b *testing.B) {
			for b.Loop() {
				LowAgreement(x[:80], y[:80])
			}
		})
	})
}
