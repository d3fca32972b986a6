package moves

import (
	"context"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/lab/fit"
)

// figures names the figures that a model weighs.
var figures = []string{"constant", "resemblance", "old_in_new", "new_in_old", "context", "links", "name", "segment", "path", "folder", "fresh", "text_lead", "link_lead", "name_and_segment"}

// fitModel fits the weights of the model to the labels of the steps. Of every fourth page the right candidate is withheld,
// so that the constant follows.
func fitModel(ctx context.Context, steps []Step) error {
	var choices []fit.Choice
	for _, s := range steps {
		d, err := s.data(ctx)
		if err != nil {
			return err
		}
		s.Crawls.Decide(d.pages) // which relates the pages
		for _, p := range d.pages {
			label, ok := d.labels[p.Page]
			if !ok || !label.moved || slices.ContainsFunc(p.Candidates, func(c moved.Candidate) bool { return c.Redirect }) {
				continue
			}
			c := fit.Choice{Right: -1}
			for _, of := range p.Candidates {
				right := label.known && of.Page == label.target
				if right && len(choices)%withheld == withheld-1 {
					continue
				} else if right {
					c.Right = len(c.Candidates)
				}
				v := moved.Vector(&of.Evidence)
				c.Candidates = append(c.Candidates, v[:])
			}
			choices = append(choices, c)
		}
	}
	weights, errors, err := fit.Weights(choices, 0.1)
	if err == nil {
		fmt.Printf("%d pages\n", len(choices))
		fit.Print(figures, weights, errors, moved.Default[:])
	}
	return err
}
