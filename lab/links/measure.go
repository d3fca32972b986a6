package links

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/ask/site"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/runs"
)

// suggestion is a link that a method suggests.
type suggestion struct {
	to    uint32
	score float64
}

func measure(r *runs.Run, taken map[link]bool, least float64, show int) error {
	ctx := context.Background()
	begin := processor()
	found, err := site.ReadLinks(ctx, r, "")
	if err != nil {
		return err
	}
	missing, err := found.Missing(ctx, 10, least)
	if err != nil {
		return err
	}
	fmt.Printf("%.1f s of processor time\n", (processor() - begin).Seconds())
	ours := map[uint32][]suggestion{}
	for _, m := range missing {
		ours[m.From] = append(ours[m.From], suggestion{m.To, m.Score})
	}
	words, err := tfidf(ctx, r)
	if err != nil {
		return err
	}
	var queries []uint32
	lost := map[uint32]int{}
	for l := range taken {
		id, err := r.Lookup(l.from)
		if err != nil {
			return err
		}
		if lost[id]++; lost[id] == 1 {
			queries = append(queries, id)
		}
	}
	slices.Sort(queries)
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "%d pages lost %d links\trecall at 1\t3\t10\tprecision at 1\t3\t10\n", len(queries), len(taken))
	for _, way := range []struct {
		name    string
		suggest func(id uint32) []suggestion
	}{
		{"missing", func(id uint32) []suggestion { return ours[id] }},
		{"tf-idf", func(id uint32) []suggestion { return words.near(id, found) }},
		{"co-citation", func(id uint32) []suggestion { return cited(r, id, found) }},
	} {
		var hits, made [3]int
		for _, id := range queries {
			list := way.suggest(id)
			for k, most := range []int{1, 3, 10} {
				for _, s := range list[:min(most, len(list))] {
					made[k]++
					if taken[link{r.URL(id), r.URL(s.to)}] {
						hits[k]++
					}
				}
			}
		}
		fmt.Fprint(w, way.name)
		for k := range hits {
			fmt.Fprintf(w, "\t%.3f", float64(hits[k])/float64(len(taken)))
		}
		for k := range hits {
			fmt.Fprintf(w, "\t%.3f", float64(hits[k])/float64(max(1, made[k])))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i, m := range missing {
		if show > 0 && i%max(1, len(missing)/show) == 0 {
			fmt.Printf("%.2f %v %s -> %s\n    %s[%s]%s\n", m.Score, taken[link{r.URL(m.From), r.URL(m.To)}], r.URL(m.From), r.URL(m.To), m.Before, m.Anchor, m.After)
		}
	}
	return nil
}

// vectors holds the tf-idf of the words of the pages.
type vectors struct {
	of    map[uint32]map[uint32]float64
	pages map[uint32][]uint32 // by term
	ids   []uint32
	r     *runs.Run
}

func tfidf(ctx context.Context, r *runs.Run) (*vectors, error) {
	parser, err := r.Parser()
	if err != nil {
		return nil, err
	}
	v := &vectors{of: map[uint32]map[uint32]float64{}, pages: map[uint32][]uint32{}, r: r}
	err = r.EachPage(ctx, func(id uint32, p *crawl.Page) error {
		if v.of[id] != nil {
			return nil
		}
		counts := map[uint32]float64{}
		for _, w := range capture.Parse(parser, p).Words {
			counts[number(w)]++
		}
		v.of[id], v.ids = counts, append(v.ids, id)
		for t := range counts {
			v.pages[t] = append(v.pages[t], id)
		}
		return nil
	})
	n := float64(len(v.ids))
	for _, x := range v.of {
		sum := 0.0
		for t, c := range x {
			x[t] = (1 + math.Log(c)) * math.Log(n/float64(len(v.pages[t])))
			sum += x[t] * x[t]
		}
		for t := range x {
			x[t] /= math.Sqrt(max(sum, 1e-9))
		}
	}
	return v, err
}

func number(w text.Word) uint32 { return uint32(w.Term ^ w.Term>>32) }

func (v *vectors) near(id uint32, found *site.Audit) (out []suggestion) {
	dot := map[uint32]float64{}
	for t, x := range v.of[id] {
		if float64(len(v.pages[t])) > 0.2*float64(len(v.ids)) {
			continue
		}
		for _, p := range v.pages[t] {
			dot[p] += x * v.of[p][t]
		}
	}
	return first(dot, id, found)
}

// cited suggests the pages that the same pages link to.
func cited(r *runs.Run, id uint32, found *site.Audit) (out []suggestion) {
	all := map[uint32]float64{}
	for p := range uint32(r.Len()) {
		if n := topics.Together(r, id, p); n > 0 && p != id {
			all[p] = float64(n) / math.Sqrt(float64(len(r.Sources.Of(id))*len(r.Sources.Of(p))))
		}
	}
	return first(all, id, found)
}

// first returns the first ten suggestions that are possible.
func first(scores map[uint32]float64, id uint32, found *site.Audit) (out []suggestion) {
	for p, s := range scores {
		if found.Unlinked(id, p) {
			out = append(out, suggestion{p, s})
		}
	}
	slices.SortFunc(out, func(a, b suggestion) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.to, b.to)) })
	return out[:min(10, len(out))]
}

func processor() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
