package answer

import "github.com/lshclust/lshclust/internal/query"

// FoldAnswer is a ranked list of URLs in which near-copies are folded.
type FoldAnswer struct {
	Items     []query.Folded `json:"items" doc:"each URL that stays, and behind it those that are folded under it"`
	Stay      int            `json:"stay" doc:"URLs that are not folded"`
	Links     int            `json:"links" doc:"how many of these the run knows only from links"`
	Nothing   int            `json:"nothing" doc:"how many of these the run does not have"`
	Estimated bool           `json:"estimated" doc:"whether the run keeps sketches, so that figures are estimates"`
}

// Fold folds near-copies in a ranked list of URLs under the best of them; see [query.Run.Fold].
func Fold(r *query.Run, urls []string, o query.FoldOptions) (*FoldAnswer, error) {
	folded, err := r.Fold(urls, o)
	if err != nil {
		return nil, err
	}
	out := &FoldAnswer{Items: list(folded), Estimated: r.Sketches() != ""}
	for _, f := range folded {
		switch {
		case f.Relation != "":
			continue
		case f.Known == query.KnownLinks:
			out.Links++
		case f.Known == query.KnownNothing:
			out.Nothing++
		}
		out.Stay++
	}
	return out, nil
}
