//go:build unix

package texts

import (
	"strconv"
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// BenchmarkFold folds ranked lists of random pages, in which a whole cluster of near-copies follows every second
// page.
func BenchmarkFold(b *testing.B) {
	r := runtest.Benchmarked(b)
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
			start := runtest.CpuTime()
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
			b.ReportMetric((runtest.CpuTime()-start).Seconds()*1000/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(folded), "folded")
			b.ReportMetric(float64(r.Similar.Len()), "pairs-of-run")
		})
	}
}

// BenchmarkWho asks who has paragraphs that were cut from its pages.
func BenchmarkWho(b *testing.B) {
	r := runtest.Benchmarked(b)
	list := cut(visibleTexts(b, r), 100, 300)
	for _, p := range list { // warm: read the blocks of the tables once
		if _, err := Who(r, p.text, DefaultWho); err != nil {
			b.Fatal(err)
		}
	}
	var took []time.Duration
	found := 0
	start := runtest.CpuTime()
	for b.Loop() {
		begun := time.Now()
		who, err := Who(r, list[len(took)%len(list)].text, DefaultWho)
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begun))
		found += who.Texts
	}
	b.ReportMetric((runtest.CpuTime()-start).Seconds()*1000/float64(len(took)), "cpu-ms/op")
	runtest.ReportTimes(b, took)
	b.ReportMetric(float64(found)/float64(len(took)), "pages/op")
}
