package moves

import (
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
	"github.com/lshclust/lshclust/lab/score"
)

// nowhere is a verdict "gone": the probability that the model gives it, the one that it says, and whether the gold has a new
// place of the page.
type nowhere struct {
	raw, said float64
	placed    bool
}

// goneOf returns a verdict "gone".
func goneOf(v *moved.Verdict, placed bool) nowhere {
	raw := 1.0
	for _, o := range v.Others {
		raw -= o.Confidence
	}
	return nowhere{max(0, raw), v.Confidence, placed}
}

// printGone prints how often verdicts are right, by their probability, and how far what they say is from that. The last line
// has the bound of Wilson of the surest, which no verdict need exceed.
func printGone(all []nowhere) {
	fmt.Println("gone, probability from\tverdicts\tmean\tsaid\tright\tof Wilson at least")
	from := []float64{0, .3, .5, .7, .9, 2}
	for i := range from[1:] {
		n, right, sum, said := 0, 0, 0.0, 0.0
		for _, g := range all {
			if g.raw >= from[i] && g.raw < from[i+1] {
				n, sum, said = n+1, sum+g.raw, said+g.said
				if !g.placed {
					right++
				}
			}
		}
		if n > 0 {
			of := float64(n)
			fmt.Printf("%.1f\t%d\t%.3f\t%.3f\t%.3f\t%.3f\n", from[i], n, sum/of, said/of, float64(right)/of, score.Wilson(right, n).Low)
		}
	}
	for name, of := range map[string]func(nowhere) float64{"model": func(g nowhere) float64 { return g.raw }, "said": func(g nowhere) float64 { return g.said }} {
		loss, bins := 0.0, [5]float64{}
		for _, g := range all {
			p := of(g)
			b := &bins[int(min(p, .999)*5)]
			if *b += p; g.placed {
				p = 1 - p
			} else {
				*b--
			}
			loss -= math.Log(max(p, 1e-9))
		}
		off := 0.0
		for _, b := range bins {
			off += math.Abs(b)
		}
		fmt.Printf("%s: mean log loss %.4f, calibration error %.3f\n", name, loss/float64(len(all)), off/float64(len(all)))
	}
}

// judgeSites measures the verdicts on sites against the redirect files that they have themselves. Each argument names the
// file of redirects and two runs: FORMAT:FILE,RUN1,RUN2.
func judgeSites(ctx context.Context, args []string) error {
	var all []nowhere
	named := [2][2]int{} // at .5 and .9: all, and right ones
	fmt.Println("site\tgone\tgold\trecall\tright at .5\tright at .9\tcalled gone")
	for _, arg := range args {
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
				if all = append(all, goneOf(&v, known)); known {
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
	printGone(all)
	return nil
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
