//go:build unix

package query

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/pipeline"
)

// benchmarked opens the run that LSHCLUST_RUN names, or one of the manuals.
func benchmarked(b *testing.B) *Run {
	b.Helper()
	path := os.Getenv("LSHCLUST_RUN")
	if path == "" {
		path = filepath.Join(b.TempDir(), "run")
		in := filepath.Join(shareddata.Dir(b, "docs"), "pages.jsonl.gz")
		if _, err := pipeline.Cluster(context.Background(), path, []string{in}, preset(b, "web"), pipeline.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	r, err := Open(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := r.Close(); err != nil {
			b.Error(err)
		}
	})
	return r
}

// BenchmarkRelated asks for the related documents of one document after another, all different until the sample is
// used up. It reports the median and the 99th percentile of the time that an answer takes, and the mean of its processor
// time, which is the one to compare on a machine that others use.
func BenchmarkRelated(b *testing.B) {
	r := benchmarked(b)
	ids := r.SampleDocuments(10_000, 1)
	for _, c := range []struct {
		name string
		l    Lookup
	}{
		{"stored", Lookup{Top: 10}},
		{"round=1,width=50", Lookup{Top: 10, Rounds: 1, Width: 50}},
		{"default", DefaultLookup},
		{"apart", Lookup{Top: 10, Rounds: DefaultLookup.Rounds, Width: DefaultLookup.Width, Apart: true}},
		{"everything", Lookup{Top: math.MaxInt, Rounds: DefaultLookup.Rounds, Width: DefaultLookup.Width}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			start := cpuTime()
			for b.Loop() {
				begun := time.Now()
				r.Related(ids[len(took)*7919%len(ids)], c.l)
				took = append(took, time.Since(begun))
			}
			cpu := cpuTime() - start
			slices.Sort(took)
			at := func(share float64) float64 {
				return float64(took[int(share*float64(len(took)-1))].Microseconds()) / 1000
			}
			b.ReportMetric(at(.5), "p50-ms")
			b.ReportMetric(at(.99), "p99-ms")
			b.ReportMetric(cpu.Seconds()*1000/float64(len(took)), "cpu-ms/op")
		})
	}
	if err := r.Err(); err != nil {
		b.Error(err)
	}
}

func cpuTime() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
