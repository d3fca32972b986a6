package runs

import (
	"context"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
)

// checkSources checks that the pages that link to a document are sorted, distinct, as many as the document says and
// documents themselves, and that the linking sentences come from them. With bags from contents, pages that were not
// crawled are not documents.
func checkSources(ctx context.Context, r *Run) error {
	for id := range uint32(r.Len()) {
		list := r.Sources.Of(id)
		if n := r.Docs.InLinks(id); uint32(len(list)) != n {
			return fmt.Errorf("document %d has %d linking pages, but its row says %d", id, len(list), n)
		}
		for i, hash := range list {
			if i > 0 && hash <= list[i-1] {
				return fmt.Errorf("document %d: linking pages out of order", id)
			}
			if _, ok := r.Docs.ByHash(hash); !ok && r.Config.Bags != config.FromContent {
				return fmt.Errorf("document %d: the linking page %016x is not a document", id, hash)
			}
		}
		for _, q := range r.Evidence.Of(id) {
			if _, ok := slices.BinarySearch(list, q.Source); !ok {
				return fmt.Errorf("document %d: a sentence is on %016x, which does not link to it", id, q.Source)
			}
		}
		if id%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return ctx.Err()
}
