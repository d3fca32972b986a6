package query

import (
	"context"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
)

// Origins divides the sum of a bag, or the count of a term, by the source of the words.
type Origins struct {
	Links   int `json:"links" doc:"links to the document and its URL"`
	Title   int `json:"title" doc:"its own title"`
	Content int `json:"content" doc:"its own text"`
}

// originsOf returns a function that divides the count of a term in the bag of a document.
func (r *topicalView) originsOf(id uint32) func(term uint32, count int) Origins {
	of := r.origins.At(id)
	return func(term uint32, count int) Origins {
		if r.Config.Bags == config.FromContent {
			return Origins{Content: count}
		}
		i, ok := slices.BinarySearch(of.Terms, term)
		if !ok {
			return Origins{Links: count}
		}
		title, content := int(of.Title[i]), int(of.Content[i])
		return Origins{Links: count - title - content, Title: title, Content: content}
	}
}

// add adds the parts of a term to those of its bag.
func (s *Origins) add(t Origins) {
	s.Links, s.Title, s.Content = s.Links+t.Links, s.Title+t.Title, s.Content+t.Content
}

// checkOrigins checks that the part of a count from the document itself is at most the count.
func checkOrigins(ctx context.Context, r *Run) error {
	for id := range uint32(r.Len()) {
		b, of := r.bags.At(id), r.origins.At(id)
		for i, t := range of.Terms {
			j, ok := slices.BinarySearch(b.Terms, t)
			if own := uint32(of.Title[i]) + uint32(of.Content[i]); !ok || own == 0 || own > uint32(b.Counts[j]) || i > 0 && t <= of.Terms[i-1] {
				return fmt.Errorf("origins of document %d: term %d is out of order, not in its bag, or counts less there than %d", id, t, own)
			}
		}
	}
	for i := range r.origins.Len() {
		if id := r.origins.Document(i); i > 0 && id <= r.origins.Document(i-1) || id == tables.None || int(id) >= r.Len() {
			return fmt.Errorf("origins of document %d are out of order or range", id)
		}
	}
	return ctx.Err()
}
