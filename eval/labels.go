package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// LabelEvaluation holds the scores of the labels of a run against one gold.
type LabelEvaluation struct {
	Gold   string              `json:"gold"`
	Half   score.Half          `json:"half"`
	Known  int                 `json:"known"`  // targets in the run
	Scores []score.LabelScores `json:"scores"` // for the labels of the run, and for those made of the words with the greatest counts
}

// Names of the labels that EvaluateLabels compares.
const (
	runLabelled    = "run"             // the labels of the run
	byCountsName   = "counts"          // the five words with the greatest counts over the bags
	byCountsAsLong = "counts, as long" // as many of these words as the label of the run has
)

// countsWords is the number of words in a label made of counts.
const countsWords = 5

// EvaluateLabels measures the labels of a run against a gold, next to labels made of counts. It uses the Depth, Half,
// Bootstrap and Seed of o. The error wraps score.ErrTellsNothing if no two targets are in one category or in one
// cluster, or if all are in the same one.
func EvaluateLabels(ctx context.Context, r *query.Run, g *gold.Gold, o Options) (*LabelEvaluation, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	d, err := score.NewDirectory(g.Labels, cmp.Or(o.Depth, 3))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	m, err := Find(r, d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	if _, err := d.CheckLevels(func(i int) bool { return m.IDs[i] != NoDocument }, "the run holds"); err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	centers := r.TopicalCenters()
	members := map[uint32][]uint32{}
	for id, c := range centers {
		members[c] = append(members[c], uint32(id))
	}
	own := func(c uint32) []string { return r.TopicalMembership(c).Label }
	counts := func(c uint32) []string { return byCounts(r, members[c]) }
	sets := []score.LabelSet{
		{Name: runLabelled, Of: own}, {Name: byCountsName, Of: counts},
		{Name: byCountsAsLong, Of: func(c uint32) []string {
			words := 0
			for _, phrase := range own(c) {
				words += len(score.LabelWords(phrase))
			}
			all := counts(c)
			return all[:min(len(all), words)]
		}},
	}
	e := &LabelEvaluation{Gold: g.Name, Half: o.Half, Known: m.Known}
	e.Scores = d.ScoreLabels(m.Clusters(runLabelled, centers), sets, score.Options{Queries: d.In(o.Half), Bootstrap: o.Bootstrap, Seed: o.Seed})
	if e.Scores[0].Clusters == 0 {
		return nil, fmt.Errorf("%s: %w: no cluster of the run holds two of its targets", g.Name, score.ErrTellsNothing)
	}
	return e, ctx.Err()
}

// byCounts returns the words of the terms with the greatest counts over the bags of the given documents.
func byCounts(r *query.Run, ids []uint32) []string {
	sum := map[uint32]int{}
	for _, id := range ids {
		bag := r.Bag(id)
		for i, t := range bag.Terms {
			sum[t] += int(bag.Counts[i])
		}
	}
	terms := make([]uint32, 0, len(sum))
	for t := range sum {
		terms = append(terms, t)
	}
	slices.SortFunc(terms, func(a, b uint32) int { return cmp.Or(cmp.Compare(sum[b], sum[a]), cmp.Compare(a, b)) })
	var words []string
	for _, t := range terms[:min(len(terms), countsWords)] {
		words = append(words, r.TermWord(t))
	}
	return words
}
