package topics

import (
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
)

// StoredPair reports whether the topical view stores the pair of two canonical URLs, and its similarity. Documents with
// the same bag are stored as one node and have similarity 1. Stored returns [runs.ErrUnknown] if either URL has no
// document.
func StoredPair(r *runs.Run, a, b string) (similarity float32, ok bool, err error) {
	x, okA := r.Docs.Find(a)
	y, okB := r.Docs.Find(b)
	if !okA || !okB {
		return 0, false, runs.ErrUnknown
	}
	from, to := r.Nodes.Of(x), r.Nodes.Of(y)
	if similarity, ok = r.Pairs.Find(from, to); from == to && from != tables.None {
		similarity, ok = 1, true
	}
	return similarity, ok, r.Err()
}
