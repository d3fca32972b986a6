package extsort

import (
	"fmt"
	"testing"

	"github.com/lshclust/lshclust/internal/huge"
)

// BenchmarkRadix is one buffer sorted by one worker.
func BenchmarkRadix(b *testing.B) {
	for _, size := range []int{8, 12, 13, 16} {
		for _, n := range []int{1 << 16, 1 << 20, 10_000_000} {
			b.Run(fmt.Sprintf("bytes=%d/n=%d", size, n), func(b *testing.B) {
				in := randomRecords(n, size, 1)
				work, scratch := huge.Bytes(len(in)), huge.Bytes(len(in))
				k, _ := kernelFor(size)
				for b.Loop() {
					copy(work, in)
					k.sort(work, scratch, 1)
				}
				rate(b, n)
			})
		}
	}
}

// BenchmarkSort is append, sort and iterate with one appender: in memory in one buffer, in several, and through the
// disk.
func BenchmarkSort(b *testing.B) {
	const n = 16_000_000
	for _, size := range []int{12, 13, 16} {
		in := randomRecords(n, size, 1)
		for _, workers := range []int{1, 2} {
			for _, memory := range []int64{1600 << 20, 512 << 20, 128 << 20, 32 << 20} {
				b.Run(fmt.Sprintf("bytes=%d/workers=%d/MiB=%d", size, workers, memory>>20), func(b *testing.B) {
					c := Config{Size: size, Memory: memory, Workers: workers, Dir: b.TempDir()}
					for b.Loop() {
						benchSort(b, c, in)
					}
					rate(b, n)
				})
			}
		}
	}
}

func benchSort(b *testing.B, c Config, in []byte) {
	s, err := New(c)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	a := s.Appender()
	for i := 0; i < len(in); i += c.Size {
		if err := a.Append(in[i : i+c.Size]); err != nil {
			b.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		b.Fatal(err)
	}
	n := 0
	err = s.Each(b.Context(), func([]byte) error { n++; return nil })
	if err != nil || n != len(in)/c.Size {
		b.Fatal(n, err)
	}
}

func rate(b *testing.B, n int) {
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds()/1e6, "Mrec/s")
}
