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
// so that the constant follows. It also prints how often pages are rightly called gone.
func fitModel(ctx context.Context, steps []Step) error {
	var choices []fit.Choice
	var gone []nowhere
	for _, s := range steps {
		d, err := s.data(ctx)
		if err != nil {
			return err
		}
		for _, v := range s.Crawls.Decide(d.pages) { // which relates the pages
			if v.Kind == moved.Gone {
				gone = append(gone, goneOf(&v, d.labels[v.Page].known))
			}
		}
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
	printGone(gone)
	weights, errors, err := fit.Weights(choices, 0.1)
	if err == nil {
		fmt.Printf("%d pages\n", len(choices))
		fit.Print(figures, weights, errors, moved.Default[:])
	}
	return err
}
