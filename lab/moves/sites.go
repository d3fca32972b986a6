package moves

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// nowhere is a verdict "gone": its confidence, and whether the site redirects the page to one that is there.
type nowhere struct {
	confidence float64
	redirected bool
	site       int
}

// divisors of the odds of "gone" are tried, to see whether it is too sure.
var divisors = []float64{1, 2, 3, 4, 6, 8, 10, 12, 15, 20, 30}

// judgeSites measures the verdicts on sites against the redirect files that they have themselves. Each argument names the
// file of redirects and two runs: FORMAT:FILE,RUN1,RUN2.
func judgeSites(ctx context.Context, args []string) error {
	var all []nowhere
	named := [2][2]int{} // at .5 and .9: all, and right ones
	fmt.Println("site\tgone\tgold\trecall\tright at .5\tright at .9\tcalled gone")
	for n, arg := range args {
		part := strings.Split(arg, ",")
		if len(part) != 3 {
			return fmt.Errorf("%s is not FORMAT:FILE,RUN1,RUN2", arg)
		}
		s, err := stepsOf(part[1:], "", crawls.HideNothing, nil, false)
		if err != nil {
			return err
		}
		to, err := redirected(s[0].Crawls, part[0])
		if err != nil {
			return err
		}
		verdicts, err := s[0].Crawls.Moves(ctx)
		if err != nil {
			return err
		}
		right, at := 0, [2][2]int{}
		called := 0
		for _, v := range verdicts {
			target, known := to[v.Page]
			if v.Kind == moved.Gone {
				if all = append(all, nowhere{v.Confidence, known, n}); known {
					called++
				}
				continue
			}
			hit := known && slices.ContainsFunc(v.Places, func(p moved.Place) bool { return p.Page == target })
			if hit {
				right++
			}
			for i, c := range []float64{.5, .9} {
				if known && v.Confidence >= c {
					at[i][0]++
					if hit {
						at[i][1]++
					}
				}
			}
		}
		for i := range at {
			named[i][0], named[i][1] = named[i][0]+at[i][0], named[i][1]+at[i][1]
		}
		fmt.Printf("%s\t%d\t%d\t%.3f\t%d of %d\t%d of %d\t%d\n", part[2], len(verdicts), len(to), float64(right)/float64(len(to)), at[0][1], at[0][0], at[1][1], at[1][0], called)
	}
	fmt.Printf("right at .5: %d of %d, at .9: %d of %d\n", named[0][1], named[0][0], named[1][1], named[1][0])
	fmt.Println("gone, confidence from\tverdicts\tmean\tnot redirected")
	for i, from := range []float64{0, .3, .5, .7, .9} {
		to, n, sum, right := []float64{.3, .5, .7, .9, 2}[i], 0, 0.0, 0
		for _, g := range all {
			if g.confidence >= from && g.confidence < to {
				n, sum = n+1, sum+g.confidence
				if !g.redirected {
					right++
				}
			}
		}
		if n > 0 {
			fmt.Printf("%.1f\t%d\t%.2f\t%.2f\n", from, n, sum/float64(n), float64(right)/float64(n))
		}
	}
	fmt.Println("divisor of the odds\tmean log loss\tcalibration error")
	every := func(nowhere) bool { return true }
	for _, d := range divisors {
		loss, off := calibrated(all, d, every)
		fmt.Printf("%g\t%.4f\t%.3f\n", d, loss, off)
	}
	fmt.Println("left out\tdivisor that is best on the others\tlog loss and calibration error on it")
	for i := range args {
		best := slices.MinFunc(divisors, func(a, b float64) int {
			x, _ := calibrated(all, a, func(g nowhere) bool { return g.site != i })
			y, _ := calibrated(all, b, func(g nowhere) bool { return g.site != i })
			return cmp.Compare(x, y)
		})
		loss, off := calibrated(all, best, func(g nowhere) bool { return g.site == i })
		fmt.Printf("%s\t%g\t%.4f\t%.3f\n", args[i], best, loss, off)
	}
	return nil
}

// calibrated returns the mean logarithmic loss of some verdicts, with another divisor of their odds, and how far the mean
// confidence of those of a fifth of the scale is from the share that is right.
func calibrated(all []nowhere, divisor float64, of func(nowhere) bool) (loss, off float64) {
	n, bins := 0.0, [5][2]float64{}
	for _, g := range all {
		if !of(g) {
			continue
		}
		odds := min(g.confidence/max(1-g.confidence, 1e-12), 1e12) / divisor
		p := odds / (1 + odds)
		b := &bins[int(min(p, .999)*5)]
		n, b[0] = n+1, b[0]+p
		if g.redirected {
			p = 1 - p
		} else {
			b[1]++
		}
		loss -= math.Log(max(p, 1e-9))
	}
	for _, b := range bins {
		off += math.Abs(b[0] - b[1])
	}
	return loss / n, off / n
}

// overview is the number of gone pages from which on the page to which a site sends them is an overview, and no new place.
const overview = 3

// redirected returns the page of the newer run to which the rules of a file send each page that is gone, unless it is an
// overview.
func redirected(s *crawls.TwoCrawls, file string) (map[uint32]uint32, error) {
	format, path, _ := strings.Cut(file, ":")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	site := crawls.Site(s.Newer, crawls.Host(s.Newer))
	list, _, err := rules.Read(text, format, path, site)
	if err != nil {
		return nil, err
	}
	checker := rules.Checker{Site: site, Rules: list, Pages: runs.PageURLs(s.Newer), Redirect: s.Newer.RedirectTarget}
	out, sent := map[uint32]uint32{}, map[uint32]int{}
	for _, id := range s.Gone() {
		if w := checker.Follow(s.Older.Docs.URL(id)); !w.Lost && !w.Gone {
			url, _, _ := strings.Cut(w.URL, "#")
			if to, ok := s.Newer.At(url); ok {
				out[id] = to
				sent[to]++
			}
		}
	}
	maps.DeleteFunc(out, func(_, to uint32) bool { return sent[to] >= overview })
	return out, nil
}
