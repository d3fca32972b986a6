package pairs

import (
	"math"
	"slices"

	"github.com/lshclust/lshclust/lab/score"
)

// Figures are those of a pair of a gold in a run.
type Figures struct {
	SameHost bool
	Gold     float64 // figure in the gold, -1 if unknown
	Run      float64 // exact figure in the run
	Stored   bool    // whether the run stored the pair
	Together bool    // whether both pages are in one cluster
}

// Scores says how many pairs of a gold a run has found.
type Scores struct {
	Parts []PairPart `json:"parts"` // all, same host, cross host

	// The difference between the exact figures of the run and the gold, over the pairs that have one in the gold.
	Differ     score.Figure `json:"differ"` // mean absolute difference
	DifferMost float64      `json:"differ_most"`
}

// PairPart holds the pairs of one kind of hosts.
type PairPart struct {
	Hosts string    `json:"hosts"` // all, same host, cross host
	Bins  []PairBin `json:"bins"`  // by the figure in the gold, or just one; the last starts at the threshold
	Own   PairBin   `json:"own"`   // pairs whose exact figure in the run, from its own shingles, reaches the threshold

	// Precision is the share of pairs of the gold among all stored pairs of pages that the gold names. It means little
	// if the gold does not list all pairs.
	Precision score.Figure `json:"precision"`
}

// PairBin holds the pairs whose figure in the gold is in a range. The intervals are Wilson's and treat pairs as
// independent.
type PairBin struct {
	From     float64      `json:"from"`
	To       float64      `json:"to"`       // inclusive in the last bin
	Found    score.Figure `json:"found"`    // share of the pairs that the run stored at its threshold
	Together score.Figure `json:"together"` // share of the pairs whose pages are in one cluster
}

// pairEdges are the edges of the bins; the threshold of the run is added to them.
var pairEdges = []float64{0, 0.1, 0.3, 0.5, 0.7, 0.9, 1}

// hostKinds names the parts of a score.
var hostKinds = []string{"all", "same host", "cross host"}

// scorePairs scores pairs by the figure in the gold. The run stores pairs from the figure threshold on. precise counts, for
// all hosts, the same host and different hosts, how many of the stored pairs are in the gold.
func scorePairs(pairs []Figures, threshold float64, precise [3]Proportion) Scores {
	var out Scores
	differ := 0.0
	for _, x := range pairs {
		if x.Gold >= 0 {
			out.Differ.N++
			differ += math.Abs(x.Run - x.Gold)
			out.DifferMost = max(out.DifferMost, math.Abs(x.Run-x.Gold))
		}
	}
	out.Differ.Value = differ / float64(max(1, out.Differ.N))
	for i, hosts := range hostKinds {
		some := slices.DeleteFunc(slices.Clone(pairs), func(x Figures) bool { return i > 0 && x.SameHost != (i == 1) })
		own := pairBin(some, threshold, 1, func(x Figures) bool { return x.Run >= threshold })
		out.Parts = append(out.Parts, PairPart{hosts, pairBins(some, threshold), own, precise[i].Figure()})
	}
	return out
}

// pairBins distributes pairs over bins by the figure in the gold.
func pairBins(pairs []Figures, threshold float64) (out []PairBin) {
	if !slices.ContainsFunc(pairs, func(x Figures) bool { return x.Gold >= 0 }) {
		return []PairBin{pairBin(pairs, 0, 1, func(Figures) bool { return true })}
	}
	edges := slices.Clone(pairEdges)
	if !slices.Contains(edges, threshold) {
		edges = append(edges, threshold)
		slices.Sort(edges)
	}
	for i, from := range edges[:len(edges)-1] {
		to, last := edges[i+1], i == len(edges)-2
		out = append(out, pairBin(pairs, from, to, func(x Figures) bool { return x.Gold >= from && (x.Gold < to || last) }))
	}
	return append(out, pairBin(pairs, threshold, 1, func(x Figures) bool { return x.Gold >= threshold }))
}

// pairBin counts how many of the pairs for which in returns true the run found.
func pairBin(pairs []Figures, from, to float64, in func(Figures) bool) PairBin {
	var found, together Proportion
	for _, x := range pairs {
		if in(x) {
			found.Count(x.Stored)
			together.Count(x.Together)
		}
	}
	return PairBin{from, to, found.Figure(), together.Figure()}
}

// Proportion is a share of trials. It is undefined if there are none.
type Proportion struct {
	Hits int `json:"hits"`
	Of   int `json:"of"`
}

// Figure returns the share with its Wilson interval, which treats the trials as independent.
func (p Proportion) Figure() score.Figure {
	if p.Of < 1 {
		return score.Figure{}
	}
	i := score.Wilson(p.Hits, p.Of)
	return score.Figure{Value: float64(p.Hits) / float64(p.Of), N: p.Of, Queries: &i}
}

// Count counts a trial.
func (p *Proportion) Count(hit bool) {
	p.Of++
	if hit {
		p.Hits++
	}
}
