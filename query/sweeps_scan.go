package query

import (
	"slices"

	"github.com/lshclust/lshclust/internal/tables"
)

// scanned returns, for some documents of the older run, the documents of the newer run whose texts share the largest part
// with theirs, or nil if the newer run has an index to look them up in.
func (s *Sweeps) scanned(ids []uint32) map[uint32][]uint32 {
	r := s.Newer
	if r.posts != nil {
		return nil
	}
	texts, best := make([][]uint64, len(ids)), make([][]hit, len(ids))
	for i, id := range ids {
		text, _ := s.oldText(id)
		texts[i] = text.stored.Values
	}
	r.scan(texts, func(i int, h hit) {
		if id := r.pages.Document(h.page); id == tables.None || !r.there(id) {
			return
		}
		if at, _ := slices.BinarySearchFunc(best[i], h, byHits); at < mostAlike {
			best[i] = slices.Insert(best[i][:min(len(best[i]), mostAlike-1)], at, h)
		}
	})
	out := make(map[uint32][]uint32, len(ids))
	for i, hits := range best {
		for _, h := range hits {
			out[ids[i]] = append(out[ids[i]], r.pages.Document(h.page))
		}
	}
	return out
}
