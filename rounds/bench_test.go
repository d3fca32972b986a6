package rounds

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/lshclust/lshclust/extsort"
)

// BenchmarkComponents finds the components of a million nodes with eight million random links. With one part, it is one
// task that sorts all links.
func BenchmarkComponents(b *testing.B) {
	const n, links = 1 << 20, 1 << 23
	for _, parts := range []int{1, 16} {
		d := &Local{Parts: parts, Sort: extsort.Config{Memory: 64 << 20, Dir: b.TempDir()}}
		b.Run(fmt.Sprintf("parts=%d", parts), func(b *testing.B) {
			for b.Loop() {
				_, err := d.Components(b.Context(), n, func(part int) iter.Seq2[Weighted, error] {
					return func(yield func(Weighted, error) bool) {
						r := rand.New(rand.NewPCG(1, uint64(part)))
						for range links / parts {
							if !yield(Weighted{r.Uint32N(n), r.Uint32N(n), r.Float64()}, nil) {
								return
							}
						}
					}
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/links, "ns/link")
			b.ReportMetric(float64(d.Rounds), "rounds")
			b.ReportMetric(float64(d.Sent), "records")
		})
	}
}
