package topics

import (
	"math"
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// BenchmarkRelated asks for the related documents of one document after another, all different until the sample is
// used up. It reports the median and the 99th percentile of the time for an answer, and the mean of its processor
// time, which is the figure to compare on a shared machine.
func BenchmarkRelated(b *testing.B) {
	r := runtest.Benchmarked(b)
	ids := sampleDocuments(r, 10_000, 1)
	for _, c := range []struct {
		name string
		l    Lookup
	}{
		{"stored", Lookup{Top: 10, Stored: true}},
		{"default", Lookup{Top: 10}},
		{"apart", Lookup{Top: 10, Apart: true}},
		{"everything", Lookup{Top: math.MaxInt}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			start := runtest.CpuTime()
			for b.Loop() {
				begun := time.Now()
				Related(r, ids[len(took)*7919%len(ids)], c.l)
				took = append(took, time.Since(begun))
			}
			cpu := runtest.CpuTime() - start
			runtest.ReportTimes(b, took)
			b.ReportMetric(cpu.Seconds()*1000/float64(len(took)), "cpu-ms/op")
		})
	}
	if err := r.Err(); err != nil {
		b.Error(err)
	}
}
