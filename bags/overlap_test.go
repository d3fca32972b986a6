package bags

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkOverlap(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	some := make([]Bag, 4096)
	for i := range some {
		for t := uint32(0); t < 90; t++ {
			if r.IntN(5) < 2 {
				some[i].Terms, some[i].Counts = append(some[i].Terms, t), append(some[i].Counts, uint16(1+r.IntN(5)))
			}
		}
	}
	n := 0
	for b.Loop() {
		s, _ := Overlap(some[n%4096], some[(n+7)%4096])
		n += 1 + s&1
	}
}
