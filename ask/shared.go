package ask

import (
	"cmp"
	"context"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/resemble"
)

// SharedAnswer lists which texts two runs share.
type SharedAnswer struct {
	PagesA    int           `json:"pages_a" doc:"of the first run"`
	PagesB    int           `json:"pages_b"`
	Equal     int           `json:"equal" doc:"pairs of equal texts"`
	Pairs     int           `json:"pairs" doc:"pairs of similar texts"`
	Relations []SharedCount `json:"relations" doc:"pairs by their relation, the closest first"`
	Items     []CrossPair   `json:"items" doc:"the closest pairs of each relation"`
	Total     int           `json:"total" doc:"pairs, listed or not"`
}

// SharedCount is the number of pairs with a relation.
type SharedCount struct {
	Relation string `json:"relation"`
	Pairs    int    `json:"pairs"`
}

// relations lists the relations of pairs, closest first.
var relations = []string{
	resemble.Identical.String(), resemble.Lexical.String(), resemble.Shingle.String(), resemble.Similar.String(), resemble.Contained,
}

// Shared finds the pages with equal or similar texts in two runs. It calls each, unless it is nil, with every pair,
// and returns an answer with at most limit pairs of each relation.
func Shared(ctx context.Context, a, b *Run, limit int, each func(CrossPair) error) (*SharedAnswer, error) {
	out := &SharedAnswer{Relations: []SharedCount{}, Items: []CrossPair{}}
	pairs, closest := map[string]int{}, map[string][]CrossPair{}
	stats, err := texts.Across(ctx, a, b, func(p CrossPair) error {
		pairs[p.Relation]++
		closest[p.Relation] = addClosest(closest[p.Relation], p, limit)
		if each == nil {
			return nil
		}
		return each(named(a, b, p))
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
		out.Total += pairs[relation]
		for _, p := range closest[relation] {
			out.Items = append(out.Items, named(a, b, p))
		}
	}
	return out, nil
}

// addClosest inserts a pair into a list of at most limit pairs, closest first.
func addClosest(list []CrossPair, p CrossPair, limit int) []CrossPair {
	closeness := func(p CrossPair) float64 {
		if p.Relation == resemble.Contained {
			return float64(max(p.AInB, p.BInA))
		}
		return p.Resemblance
	}
	return sets.Insert(list, p, limit, func(a, b CrossPair) int {
		return cmp.Or(cmp.Compare(closeness(b), closeness(a)), -1) // behind those that are as close
	})
}

// named adds the names of its pages to a pair, and where they were crawled.
func named(a, b *Run, p CrossPair) CrossPair {
	p.Pair = runs.PairOf(refAt(a, p.URLA), refAt(b, p.URLB))
	return p
}

func refAt(r *Run, url string) runs.Ref {
	if id, err := r.Lookup(url); err == nil {
		return runs.RefOf(r, id)
	}
	return runs.Ref{URL: url}
}
