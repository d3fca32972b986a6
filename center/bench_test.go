package center

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkCluster clusters 400,000 nodes with ten neighbours each.
func BenchmarkCluster(b *testing.B) {
	const n = 400_000
	r := rand.New(rand.NewPCG(1, 1))
	links := make([]Pair, 5*n)
	for i := range links {
		links[i] = Pair{r.Uint32N(n), r.Uint32N(n), r.Float32()}
	}
	g := graphOf(n, links)
	for _, order := range orders {
		b.Run(string(order), func(b *testing.B) {
			for b.Loop() {
				Cluster(g, order.Nodes(g, 0.2, nil), 0.2)
			}
			b.ReportMetric(10*n*float64(b.N)/1e6/b.Elapsed().Seconds(), "Medges/s")
		})
	}
}
