//go:build unix

package texts

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

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// BenchmarkFold folds ranked lists of random pages, in which a whole cluster of near-copies follows every second
// page.
func BenchmarkFold(b *testing.B) {
	r := benchmarked(b)
	for _, n := range []int{1000, 10_000} {
		var urls []string
		for i := 0; len(urls) < min(n, r.Pages.Len()); i++ {
			urls = append(urls, r.Docs.URL(r.Pages.Document(uint32(i*7919%r.Pages.Len()))))
			if i%2 == 0 && r.Union.Groups() > 0 {
				_, members := r.Union.Group(i / 2 % r.Union.Groups())
				for _, p := range members[:min(len(members), 20)] {
					urls = append(urls, r.Docs.URL(r.Pages.Document(p)))
				}
			}
		}
		urls = urls[:min(n, len(urls))]
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			folded := 0
			start := cpuTime()
			for b.Loop() {
				list, err := Fold(r, urls, FoldOptions{})
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
			b.ReportMetric(float64(r.Similar.Len()), "pairs-of-run")
		})
	}
}

// BenchmarkWho asks who has paragraphs that were cut from its pages.
func BenchmarkWho(b *testing.B) {
	r := benchmarked(b)
	list := cut(visibleTexts(b, r), 100, 300)
	for _, p := range list { // warm: read the blocks of the tables once
		if _, err := Who(r, p.text, DefaultWho); err != nil {
			b.Fatal(err)
		}
	}
	var took []time.Duration
	found := 0
	start := cpuTime()
	for b.Loop() {
		begun := time.Now()
		who, err := Who(r, list[len(took)%len(list)].text, DefaultWho)
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

// benchmarked opens the run that LSHCLUST_RUN names, or one of the manuals.
func benchmarked(b *testing.B) *runs.Run {
	b.Helper()
	path := os.Getenv("LSHCLUST_RUN")
	if path == "" {
		path = filepath.Join(b.TempDir(), "run")
		in := filepath.Join(shareddata.Dir(b, "docs"), "pages.jsonl.gz")
		if _, err := pipeline.Cluster(context.Background(), path, []string{in}, runtest.Preset(b, "web"), pipeline.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	r, err := runs.Open(path)
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

// BenchmarkRelated asks for the related documents of one document after another, all different until the sample is
// used up. It reports the median and the 99th percentile of the time for an answer, and the mean of its processor
// time, which is the figure to compare on a shared machine.
func BenchmarkRelated(b *testing.B) {
	r := benchmarked(b)
	var ids []uint32
	for id := range uint32(r.Len()) {
		if topics.Bag(r, id).Len() > 0 {
			ids = append(ids, id)
		}
	}
	for _, c := range []struct {
		name string
		l    topics.Lookup
	}{
		{"stored", topics.Lookup{Top: 10, Stored: true}},
		{"default", topics.Lookup{Top: 10}},
		{"apart", topics.Lookup{Top: 10, Apart: true}},
		{"everything", topics.Lookup{Top: math.MaxInt}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			start := cpuTime()
			for b.Loop() {
				begun := time.Now()
				topics.Related(r, ids[len(took)*7919%len(ids)], c.l)
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
