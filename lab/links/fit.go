package links

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/zeebo/xxh3"
	"gonum.org/v1/gonum/floats"

	"github.com/lshclust/lshclust/internal/ask/site"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/lab/fit"
)

// half is 0 for the pages to whose suggestions the weights are fitted, and 1 for those on which they are tested.
func half(url string) int { return int(xxh3.HashString(url) % 2) }

// judged is a suggestion for a page that lost links.
type judged struct {
	from    string
	figures []float64
	right   bool
}

// fitScore chooses the weights of the score by the half dev of each site: those of which the largest loss of recall at 1, 3 and
// 10 against the best weights of a site alone is the least, times a factor, and with a constant, by which the scores are most
// probable if each site counts as much as any other. It prints the recall of both halves by the weights of today and by those.
func fitScore(sites []lossy) error {
	var of [][]judged
	for i := range sites {
		list, err := sites[i].suggestions()
		if err != nil {
			return err
		}
		of = append(of, list)
	}
	const lo, hi = 12, 30 // in twentieths of the last weight
	var tried [][]float64
	var found [][]float64 // recall by site and number
	best := make([]float64, 3*len(sites))
	for to := lo; to <= hi; to++ {
		for linked := lo; linked <= hi; linked++ {
			for words := lo; words <= hi; words += 2 {
				w := []float64{0, float64(to) / 20, float64(linked) / 20, float64(words) / 20, 1}
				var recall []float64
				for i := range sites {
					hits := sites[i].hits(of[i], w)
					for k, n := range hits {
						recall = append(recall, n)
						best[3*i+k] = max(best[3*i+k], n)
					}
				}
				tried, found = append(tried, w), append(found, recall)
			}
		}
	}
	worst := func(recall []float64) (loss float64) {
		for k := range recall {
			loss = max(loss, best[k]-recall[k])
		}
		return loss
	}
	at := 0
	for i := range found {
		if worst(found[i]) < worst(found[at]) {
			at = i
		}
	}
	var choices []fit.Choice
	for _, list := range of {
		for _, j := range list {
			c := fit.Choice{Candidates: [][]float64{{1, floats.Dot(tried[at], j.figures)}}, Right: -1, Times: 1000 / float64(len(list))}
			if j.right {
				c.Right = 0
			}
			choices = append(choices, c)
		}
	}
	scale, errors, err := fit.Weights(choices, 1e-6)
	if err != nil {
		return err
	}
	weights := slices.Clone(tried[at])
	floats.Scale(scale[1], weights)
	weights[0] = scale[0]
	fmt.Printf("%d suggestions; at most %.4f of recall lost; errors of constant and factor: %.2f\n", len(choices), worst(found[at]), errors)
	fit.Print([]string{"constant", "to", "linked", "words", "similar"}, weights, nil, site.MissingWeights[:])
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "site\tweights\tdev: links\trecall at 1\t3\t10\tloss\ttest: links\trecall at 1\t3\t10\tloss")
	before := site.MissingWeights
	for _, s := range sites {
		for _, of := range []struct {
			name    string
			weights []float64
		}{{"now", before[:]}, {"fitted", weights}} {
			site.MissingWeights = [5]float64(of.weights)
			if err := s.recall(w, of.name); err != nil {
				return err
			}
		}
		site.MissingWeights = before
	}
	return w.Flush()
}

// suggestions returns all suggestions for the pages of the half dev that lost links, whatever their scores.
func (s *lossy) suggestions() (out []judged, err error) {
	missing, err := s.missing(math.MaxInt)
	lost := map[string]bool{}
	for l := range s.taken {
		lost[l.from] = true
	}
	for _, m := range missing {
		if from := s.run.URL(m.From); lost[from] && half(from) == 0 {
			out = append(out, judged{from, slices.Clone(m.Figures[:]), s.taken[link{from, s.run.URL(m.To)}]})
		}
	}
	return out, err
}

// hits returns the recall at 1, 3 and 10 of suggestions, those of a page together, in the order of some weights.
func (s *lossy) hits(list []judged, weights []float64) (recall [3]float64) {
	all := 0.0
	for l := range s.taken {
		if half(l.from) == 0 {
			all++
		}
	}
	for of := range sets.Runs(list, func(a, b judged) bool { return a.from == b.from }) {
		order := make([]int, len(of))
		u := make([]float64, len(of))
		for i := range of {
			order[i], u[i] = i, floats.Dot(weights, of[i].figures)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(u[b], u[a]) })
		for k, most := range []int{1, 3, 10} {
			for _, i := range order[:min(most, len(order))] {
				if of[i].right {
					recall[k] += 1 / all
				}
			}
		}
	}
	return recall
}

func (s *lossy) missing(most int) ([]site.MissingLink, error) {
	found, err := site.ReadLinks(context.Background(), s.run, "")
	if err != nil {
		return nil, err
	}
	return found.Missing(context.Background(), most, 0)
}

// recall prints the recall of both halves of the pages and the mean logarithmic loss of the scores.
func (s *lossy) recall(w io.Writer, name string) error {
	missing, err := s.missing(math.MaxInt)
	if err != nil {
		return err
	}
	lost, rank := map[string]int{}, map[string]int{}
	for l := range s.taken {
		lost[l.from]++
	}
	var all, made [2]int
	var hits [2][3]int
	var loss [2]float64
	for from, n := range lost {
		all[half(from)] += n
	}
	for _, m := range missing {
		from := s.run.URL(m.From)
		if lost[from] == 0 {
			continue
		}
		h, p := half(from), m.Score
		if rank[from]++; s.taken[link{from, s.run.URL(m.To)}] {
			for k, most := range []int{1, 3, 10} {
				if rank[from] <= most {
					hits[h][k]++
				}
			}
		} else {
			p = 1 - p
		}
		made[h]++
		loss[h] -= math.Log(max(p, 1e-9))
	}
	fmt.Fprintf(w, "%s\t%s", s.name, name)
	for h := range all {
		fmt.Fprintf(w, "\t%d", all[h])
		for _, n := range hits[h] {
			fmt.Fprintf(w, "\t%.3f", float64(n)/float64(all[h]))
		}
		fmt.Fprintf(w, "\t%.3f", loss[h]/float64(made[h]))
	}
	fmt.Fprintln(w)
	return nil
}
