package score

import (
	"fmt"
	"slices"
)

// Ranks is the number of neighbours that precision is measured over.
const Ranks = 10

// Options selects the queries to score and the figures to compute.
type Options struct {
	Barred  CoLinks          // pairs to leave out of the lists and of the candidates; nil: none
	Queries func(i int) bool // reports whether a target is a query; nil: all are. All targets are candidates

	Bootstrap int    // number of resamples for the intervals; 0: no intervals
	Seed      uint64 // of the resampling
}

// RankingScores says how well a ranking agrees with a directory.
type RankingScores struct {
	Ranking  string         `json:"ranking"`
	CoLinked string         `json:"colinked"` // "kept" or "excluded"
	Queries  int            `json:"queries"`
	Covered  int            `json:"covered"`  // queries with a neighbour
	Lists    int            `json:"lists"`    // number of lists with a query
	Coverage Figure         `json:"coverage"` // covered / queries
	Levels   []RankingLevel `json:"levels"`   // from level 1
	Found10  Figure         `json:"found10"`  // neighbours among the first ten, mean over the covered queries
	Depth    int            `json:"depth"`    // depth at which gamma is measured
	Gamma    []GammaScores  `json:"gamma"`    // sibling, cousin, unrelated, as far as the depth allows
}

// TellsNothing reports whether no neighbour could agree with a query, because no two of the remaining candidates are in
// the same category. This happens if one page links to all targets of a category and co-linked pairs are excluded.
func (s *RankingScores) TellsNothing() bool {
	return len(s.Levels) > 0 && s.Levels[0].Chance.Defined() && s.Levels[0].Chance.Value == 0
}

// RankingLevel holds the figures of one level of the directory. Two targets agree, or are in the same category, if they
// share that many levels of a path.
type RankingLevel struct {
	Level       int    `json:"level"`
	Hit         Figure `json:"same_category"`            // share of all queries whose nearest target agrees; a query without neighbours counts as wrong
	Agree       Figure `json:"same_category_of_covered"` // share of the covered queries whose nearest target agrees
	Precision10 Figure `json:"precision_10"`             // share of the first ten neighbours (or fewer) that agree, mean over the covered queries
	Chance      Figure `json:"chance"`                   // share of the other targets, without barred ones, that agree, mean over all queries
}

// GammaScores is Goodman and Kruskal's gamma for one region: over the pairs (near, far) of targets that the ranking of
// a query orders, (right - wrong) / (right + wrong), averaged over the queries. The chance level is 0.
type GammaScores struct {
	Region  string `json:"region"`  // relation of the far target: sibling, cousin or unrelated
	Gamma   Figure `json:"gamma"`   // mean over the queries with an ordered pair
	Ordered Figure `json:"ordered"` // share of all pairs that the ranking orders
	Sources int    `json:"sources"` // number of queries with an ordered pair
}

// Named is a figure with its name in rows of CSV, TSV and JSON Lines: coverage, same_category_1 for level 1,
// same_category_of_covered_1, precision_10_1, chance_1, found10, sibling_gamma, sibling_ordered.
type Named struct {
	Name   string `json:"name"`
	Figure Figure `json:"figure"`
}

// Figures lists all figures.
func (s *RankingScores) Figures() []Named {
	out := []Named{{"coverage", s.Coverage}}
	for _, x := range []struct {
		name string
		of   func(l RankingLevel) Figure
	}{
		{"same_category_", func(l RankingLevel) Figure { return l.Hit }},
		{"same_category_of_covered_", func(l RankingLevel) Figure { return l.Agree }},
		{"precision_10_", func(l RankingLevel) Figure { return l.Precision10 }},
		{"chance_", func(l RankingLevel) Figure { return l.Chance }},
	} {
		for _, l := range s.Levels {
			out = append(out, Named{fmt.Sprint(x.name, l.Level), x.of(l)})
		}
	}
	out = append(out, Named{"found10", s.Found10})
	for _, g := range s.Gamma {
		out = append(out, Named{g.Region + "_gamma", g.Gamma}, Named{g.Region + "_ordered", g.Ordered})
	}
	return out
}

// ScoreRanking measures a ranking of d. The time depends on the lengths of the lists and on the number of distinct sets
// of categories, not on the number of pairs of targets.
func (d *Directory) ScoreRanking(r Ranking, o Options) RankingScores {
	t := d.measure(r, o)
	return t.fill(t.figures(o), o)
}

// fill sets the fields of the scores to the figures of the columns.
func (t *table) fill(f []Figure, o Options) RankingScores {
	s := RankingScores{
		Ranking: t.name, CoLinked: "kept", Queries: len(t.queries), Lists: len(slices.Compact(slices.Sorted(slices.Values(t.lists)))),
		Covered: int(sum(t.columns[0].num)), Coverage: f[0], Found10: f[1], Depth: t.gammaDepth,
	}
	if o.Barred != nil {
		s.CoLinked = "excluded"
	}
	f = f[2:]
	for k := range t.depth {
		s.Levels = append(s.Levels, RankingLevel{Level: k + 1, Agree: f[0], Hit: f[1], Precision10: f[2], Chance: f[3]})
		f = f[4:]
	}
	for i := range regions(t.gammaDepth) {
		sources := sum(t.columns[t.region(i)].den)
		s.Gamma = append(s.Gamma, GammaScores{regionNames[i], f[0], f[1], int(sources)})
		f = f[2:]
	}
	return s
}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}
