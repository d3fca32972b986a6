package ask

import (
	"context"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/runs"
)

// FoldAnswer is a ranked list of URLs in which near-copies are folded.
type FoldAnswer struct {
	Items     []Folded `json:"items" doc:"each URL that stays, and behind it those that are folded under it"`
	Total     int      `json:"total" doc:"URLs of the list"`
	Stay      int      `json:"stay" doc:"URLs that are not folded"`
	Links     int      `json:"only_linked" doc:"how many of these the run knows only from links"`
	Nothing   int      `json:"unknown" doc:"how many of these the run does not have"`
	Estimated bool     `json:"estimated" doc:"whether the run keeps sketches, so that figures are estimates"`
}

// Fold asks for a ranked list of URLs, the best first, in which near-copies are folded under the best of them. The
// order stays, and so do URLs that the run does not know; see [texts.Fold].
type Fold struct {
	URLs []string `name:"list" required:"true" body:"text/plain" doc:"URLs, one a line, the best first"`
	FoldOptions
}

// Ask answers the question.
func (o Fold) Ask(_ context.Context, r *Run) (*FoldAnswer, error) {
	folded, err := texts.Fold(r, o.URLs, o.FoldOptions)
	if err != nil {
		return nil, err
	}
	out := &FoldAnswer{Items: List(folded), Total: len(folded), Estimated: runs.Sketches(r) != ""}
	for _, f := range folded {
		switch {
		case f.Relation != "":
			continue
		case f.Known == texts.KnownLinks:
			out.Links++
		case f.Known == texts.KnownNothing:
			out.Nothing++
		}
		out.Stay++
	}
	return out, nil
}
