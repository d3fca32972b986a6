package answer

import "github.com/lshclust/lshclust/internal/query"

// FoldAnswer is a ranked list of URLs in which near-copies are folded.
type FoldAnswer struct {
	Items     []FoldItem `json:"items" doc:"each URL that stays, and behind it those that are folded under it"`
	Stay      int        `json:"stay" doc:"URLs that are not folded"`
	Links     int        `json:"links" doc:"of these, those that the run knows only from links"`
	Nothing   int        `json:"nothing" doc:"of these, those that the run does not hold"`
	Estimated bool       `json:"estimated" doc:"whether the run keeps sketches, so that figures are estimates"`
}

// FoldItem is a URL of a ranked list.
type FoldItem struct {
	URL         string  `json:"url" doc:"as it was given"`
	Name        string  `json:"name" doc:"title or, without one, the most common text of the links to it"`
	Rank        int     `json:"rank" doc:"its place in the list that was given, from 1" least:"1"`
	Known       string  `json:"known" doc:"what the run knows of it: the text of the page, links to it, or nothing" enum:"page,links,nothing"`
	Under       string  `json:"under,omitempty" doc:"URL under which it is folded, as it was given; missing if it stays"`
	Relation    string  `json:"relation,omitempty" doc:"same document; identical bytes, lexical: the same words, shingle: the same shingles, or similar, contained" enum:"same,identical,lexical,shingle,similar,contained"`
	Resemblance float64 `json:"resemblance,omitempty" doc:"of the page to the one under which it is folded" least:"0" most:"1"`
	OfThis      float64 `json:"of_this,omitempty" doc:"share of the shingles of this page that the other one has" least:"0" most:"1"`
	OfOther     float64 `json:"of_other,omitempty" doc:"share of the shingles of the other page that this one has" least:"0" most:"1"`
	StdErr      float64 `json:"std_error,omitempty" doc:"of an estimated resemblance"`
}

// Fold folds near-copies in a ranked list of URLs under the best of them; see [query.Run.Fold].
func Fold(r *query.Run, urls []string, o query.FoldOptions) (*FoldAnswer, error) {
	folded, err := r.Fold(urls, o)
	if err != nil {
		return nil, err
	}
	out := &FoldAnswer{Items: []FoldItem{}, Estimated: r.Sketches() != ""}
	for _, f := range folded {
		item := FoldItem{URL: f.URL, Rank: f.Rank + 1, Known: string(f.Known)}
		if f.Known != query.KnownNothing {
			item.Name = Name(r, f.ID)
		}
		switch d := f.Overlap; {
		case f.Under >= 0:
			item.Under, item.Relation, item.Resemblance, item.OfThis, item.OfOther, item.StdErr = urls[f.Under], d.Relation, d.Resemblance, d.OfThis, d.OfOther, d.StdErr
		case f.Known == query.KnownLinks:
			out.Links++
		case f.Known == query.KnownNothing:
			out.Nothing++
		}
		if f.Under < 0 {
			out.Stay++
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}
