//go:build unix

package query

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/shareddata"
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
// used up. It reports the median and the 99th percentile of the time for an answer, and the mean of its processor
// time, which is the figure to compare on a shared machine.
func BenchmarkRelated(b *testing.B) {
	r := benchmarked(b)
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
			start := cpuTime()
			for b.Loop() {
				begun := time.Now()
				r.Related(ids[len(took)*7919%len(ids)], c.l)
				took = append(took, time.Since(begun))
			}
			cpu := cpuTime() - start
			reportTimes(b, took)
			b.ReportMetric(cpu.Seconds()*1000/float64(len(took)), "cpu-ms/op")
		})
	}
	if err := r.Err(); err != nil {
		b.Error(err)
	}
}

// reportTimes reports the median and the 99th percentile of some times.
func reportTimes(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	for name, share := range map[string]float64{"p50-ms": .5, "p99-ms": .99} {
		b.ReportMetric(float64(took[int(share*float64(len(took)-1))].Microseconds())/1000, name)
	}
}

func cpuTime() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkFold folds ranked lists of random pages, in which a whole cluster of near-copies follows every second
// page.
func BenchmarkFold(b *testing.B) {
	r := benchmarked(b)
	for _, n := range []int{1000, 10_000} {
		var urls []string
		for i := 0; len(urls) < min(n, r.pages.Len()); i++ {
			urls = append(urls, r.docs.URL(r.pages.Document(uint32(i*7919%r.pages.Len()))))
			if i%2 == 0 && r.union.Groups() > 0 {
				_, members := r.union.Group(i / 2 % r.union.Groups())
				for _, p := range members[:min(len(members), 20)] {
					urls = append(urls, r.docs.URL(r.pages.Document(p)))
				}
			}
		}
		urls = urls[:min(n, len(urls))]
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			folded := 0
			start := cpuTime()
			for b.Loop() {
				list, err := r.Fold(urls, FoldOptions{})
				if err != nil {
					b.Fatal(err)
				}
				folded = 0
				for _, f := range list {
					if f.Under != "" {
						folded++
					}
				}
			}
			b.ReportMetric((cpuTime()-start).Seconds()*1000/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(folded), "folded")
			b.ReportMetric(float64(r.similar.Len()), "pairs-of-run")
		})
	}
}

// BenchmarkWho asks who has paragraphs that were cut from its pages.
func BenchmarkWho(b *testing.B) {
	r := benchmarked(b)
	list := cut(visibleTexts(b, r), 100, 300)
	for _, p := range list { // warm: read the blocks of the tables once
		if _, err := r.Who(p.text, defaultWho); err != nil {
			b.Fatal(err)
		}
	}
	var took []time.Duration
	found := 0
	start := cpuTime()
	for b.Loop() {
		begun := time.Now()
		who, err := r.Who(list[len(took)%len(list)].text, defaultWho)
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begun))
		found += who.Texts
	}
	b.ReportMetric((cpuTime()-start).Seconds()*1000/float64(len(took)), "cpu-ms/op")
	reportTimes(b, took)
	b.ReportMetric(float64(found)/float64(len(took)), "pages/op")
}
