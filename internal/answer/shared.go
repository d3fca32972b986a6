package answer

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/resemble"
)

// SharedAnswer tells which texts two runs share.
type SharedAnswer struct {
	PagesA    int           `json:"pages_a" doc:"of the first run"`
	PagesB    int           `json:"pages_b"`
	Equal     int           `json:"equal" doc:"pairs of equal texts"`
	Pairs     int           `json:"pairs" doc:"pairs of similar texts"`
	Relations []SharedCount `json:"relations" doc:"pairs by their relation, the closest first"`
	Items     []SharedItem  `json:"items" doc:"the closest pairs of each relation"`
}

// SharedCount counts the pairs of a relation.
type SharedCount struct {
	Relation string `json:"relation"`
	Pairs    int    `json:"pairs"`
}

// SharedItem is a page of one run and a page of another one with the same or a similar text.
type SharedItem struct {
	URLA        string   `json:"url_a"`
	URLB        string   `json:"url_b"`
	NameA       string   `json:"name_a" doc:"title or, without one, the most common text of the links to it"`
	NameB       string   `json:"name_b"`
	Relation    string   `json:"relation" enum:"identical,lexical,shingle,similar,contained"`
	Resemblance float64  `json:"resemblance" least:"0" most:"1"`
	AInB        *float64 `json:"a_in_b,omitempty" doc:"share of the shingles of a that b has; missing if sketches do not tell it" least:"0" most:"1"`
	BInA        *float64 `json:"b_in_a,omitempty" doc:"share of the shingles of b that a has" least:"0" most:"1"`
	CopiesA     int      `json:"copies_a" doc:"other pages of the first run that equal a"`
	CopiesB     int      `json:"copies_b" doc:"other pages of the second run that equal b"`
	Estimated   bool     `json:"estimated" doc:"whether the figures are estimates of sketches"`
	Samples     int      `json:"samples,omitempty" doc:"of sketches, on which the figures are based"`
	StdErr      float64  `json:"std_error,omitempty" doc:"of an estimated resemblance"`
}

// relations are those of pairs, the closest first.
var relations = []string{
	resemble.Identical.String(), resemble.Lexical.String(), resemble.Shingle.String(), resemble.Similar.String(), resemble.Contained,
}

// Shared finds the pages with the same or similar texts in two runs, and calls each, unless it is nil, with every pair,
// before it returns the answer with at most limit pairs of each relation.
func Shared(ctx context.Context, a, b *query.Run, limit int, each func(SharedItem) error) (*SharedAnswer, error) {
	out := &SharedAnswer{Relations: []SharedCount{}, Items: []SharedItem{}}
	contained := a.NeedContainment() == nil && b.NeedContainment() == nil
	pairs, closest := map[string]int{}, map[string][]query.CrossPair{}
	stats, err := query.Across(ctx, a, b, resemble.Resources{}, func(p query.CrossPair) error {
		pairs[p.Relation]++
		closest[p.Relation] = addClosest(closest[p.Relation], p, limit)
		if each == nil {
			return nil
		}
		return each(sharedItem(a, b, p, contained))
	})
	if err != nil {
		return nil, err
	}
	out.PagesA, out.PagesB, out.Equal, out.Pairs = stats.PagesA, stats.PagesB, stats.Equal, stats.Pairs
	for _, relation := range relations {
		if pairs[relation] == 0 {
			continue
		}
		out.Relations = append(out.Relations, SharedCount{relation, pairs[relation]})
		for _, p := range closest[relation] {
			out.Items = append(out.Items, sharedItem(a, b, p, contained))
		}
	}
	return out, nil
}

// addClosest inserts a pair into a list of at most limit pairs, the closest first.
func addClosest(list []query.CrossPair, p query.CrossPair, limit int) []query.CrossPair {
	closeness := func(p query.CrossPair) float64 {
		if p.Relation == resemble.Contained {
			return max(p.AInB, p.BInA)
		}
		return p.Resemblance
	}
	at := slices.IndexFunc(list, func(x query.CrossPair) bool { return closeness(x) < closeness(p) })
	if at < 0 {
		at = len(list)
	}
	list = slices.Insert(list, at, p)
	return list[:min(len(list), limit)]
}

func sharedItem(a, b *query.Run, p query.CrossPair, contained bool) SharedItem {
	out := SharedItem{
		URLA: p.URLA, URLB: p.URLB, NameA: nameAt(a, p.URLA), NameB: nameAt(b, p.URLB), Relation: p.Relation, Resemblance: p.Resemblance, CopiesA: p.CopiesA, CopiesB: p.CopiesB, Estimated: p.Estimated,
	}
	if contained || !p.Estimated {
		out.AInB, out.BInA = &p.AInB, &p.BInA
	}
	if p.Estimated {
		out.Samples, out.StdErr = p.Samples, p.StdErr
	}
	return out
}

func nameAt(r *query.Run, url string) string {
	if id, err := r.Lookup(url); err == nil {
		return r.NameOf(id)
	}
	return ""
}

// Row returns the pair as a row of the table of shared texts.
func (x *SharedItem) Row() run.SharedRow {
	row := run.SharedRow{
		URLA: x.URLA, URLB: x.URLB, Relation: x.Relation, Resemblance: float32(x.Resemblance), CopiesA: int32(x.CopiesA), CopiesB: int32(x.CopiesB),
		Estimated: x.Estimated, Samples: int32(x.Samples), StdError: float32(x.StdErr),
	}
	if x.AInB != nil {
		row.AInB, row.BInA = float32(*x.AInB), float32(*x.BInA)
	}
	return row
}
