package score

import (
	"math"
	"slices"
)

// Pair is a pair of pages that a gold names, and what a run made of it.
type Pair struct {
	SameHost bool
	Gold     float64 // the figure of the gold, -1 unknown
	Run      float64 // the exact figure of the run
	Stored   bool    // the run has stored the pair
	Together bool    // both pages are in one cluster
}

// PairScores is what a run made of the pairs of a gold.
type PairScores struct {
	Parts []PairPart `json:"parts"` // all, same host, cross host

	// How far the exact figures of the run are from those of the gold, over the pairs that have one.
	Differ     Figure  `json:"differ"` // mean absolute difference
	DifferMost float64 `json:"differ_most"`
}

// PairPart is the pairs of one kind of hosts.
type PairPart struct {
	Hosts string    `json:"hosts"` // all, same host, cross host
	Bins  []PairBin `json:"bins"`  // by the figure of the gold, or one for all if it has none; the last from the threshold on
	Own   PairBin   `json:"own"`   // the pairs whose exact figure in the run, by its own shingles, is at the threshold

	// Precision is the share of the pairs stored between pages that the gold names that are pairs of the gold. It means
	// little where the gold does not list all pairs.
	Precision Figure `json:"precision"`
}

// PairBin is the pairs of the gold whose figure is in a range. Intervals are Wilson's: they take pairs as independent.
type PairBin struct {
	From     float64 `json:"from"`
	To       float64 `json:"to"`       // inclusive in the last bin
	Found    Figure  `json:"found"`    // share of the pairs that the run has stored at its threshold
	Together Figure  `json:"together"` // that are in one cluster
}

// pairEdges are the bins of the figures of golds; the threshold of the run parts one more.
var pairEdges = []float64{0, 0.1, 0.3, 0.5, 0.7, 0.9, 1}

// hostKinds are the parts of a score.
var hostKinds = []string{"all", "same host", "cross host"}

// ScorePairs scores pairs by the figure of the gold. threshold is the figure from which on the run stores pairs; precise
// counts, over all hosts, same host, cross host, how many of the pairs that the run stored are pairs of the gold.
func ScorePairs(pairs []Pair, threshold float64, precise [3]Proportion) PairScores {
	var out PairScores
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
		some := slices.DeleteFunc(slices.Clone(pairs), func(x Pair) bool { return i > 0 && x.SameHost != (i == 1) })
		own := pairBin(some, threshold, 1, func(x Pair) bool { return x.Run >= threshold })
		out.Parts = append(out.Parts, PairPart{hosts, pairBins(some, threshold), own, precise[i].Figure()})
	}
	return out
}

// pairBins counts pairs by the figure of the gold.
func pairBins(pairs []Pair, threshold float64) (out []PairBin) {
	if !slices.ContainsFunc(pairs, func(x Pair) bool { return x.Gold >= 0 }) {
		return []PairBin{pairBin(pairs, 0, 1, func(Pair) bool { return true })}
	}
	edges := slices.Clone(pairEdges)
	if !slices.Contains(edges, threshold) {
		edges = append(edges, threshold)
		slices.Sort(edges)
	}
	for i, from := range edges[:len(edges)-1] {
		to, last := edges[i+1], i == len(edges)-2
		out = append(out, pairBin(pairs, from, to, func(x Pair) bool { return x.Gold >= from && (x.Gold < to || last) }))
	}
	return append(out, pairBin(pairs, threshold, 1, func(x Pair) bool { return x.Gold >= threshold }))
}

// pairBin counts what became of some pairs.
func pairBin(pairs []Pair, from, to float64, in func(Pair) bool) PairBin {
	var found, together Proportion
	for _, x := range pairs {
		if in(x) {
			found.Count(x.Stored)
			together.Count(x.Together)
		}
	}
	return PairBin{from, to, found.Figure(), together.Figure()}
}
