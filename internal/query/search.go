package query

import (
	"slices"

	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/topic/expand"
	"github.com/lshclust/lshclust/minhash"
)

// agreement returns the number of equal signatures of two nodes.
func (r *Run) agreement(a, b uint32) int {
	return minhash.Agreement(r.sigs.Row(int(a)), r.sigs.Row(int(b)))
}

// list appends to out the documents of the node of a document, then those of the nodes near it by similarity, as far as
// the lookup and wanted ask for them. found is how the nodes were found that no round of expansion found.
func (r *Run) list(out []Neighbour, id uint32, near []expand.Neighbour, found Found, l Lookup, wanted func(id uint32) bool) []Neighbour {
	slices.SortFunc(near, expand.Nearer)
	node, pages, from := r.nodes.Of(id), r.sources.Of(id), len(out)
	put := func(n expand.Neighbour, found Found) {
		agreement := float32(-1)
		for _, d := range r.nodes.Members(n.Node) {
			if d == id || len(out)-from >= l.Top || !wanted(d) {
				continue
			}
			both := sets.Common(pages, r.sources.Of(d))
			if l.Apart && both > 0 {
				continue
			}
			if agreement < 0 {
				agreement = float32(r.agreement(node, n.Node)) / float32(r.Config.Signatures)
			}
			out = append(out, Neighbour{d, r.docs.URL(d), n.Similarity, agreement, found, both})
		}
	}
	put(expand.Neighbour{Node: node, Similarity: 1}, FoundSameBag)
	for i := 0; i < len(near) && len(out)-from < l.Top; i++ {
		switch n := near[i]; {
		case n.Round == 0:
			put(n, found)
		case n.Similarity >= float32(r.Config.Similarity):
			put(n, InRound(int(n.Round)))
		}
	}
	return out
}
