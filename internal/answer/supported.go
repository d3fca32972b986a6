package answer

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/internal/query"
)

// What a few links say about a document is partly about other things that the linking pages list beside it. So neighbours
// of such a document rank higher if they share a word which two linking pages use.
const (
	support     = 2  // factor of their similarity
	fewLinks    = 8  // greatest number of linking pages, all of whose sentences the run keeps
	reordered   = 60 // nearest neighbours that may change places
	mostSupport = 6  // words of a neighbour that are looked for, those that make most of the similarity
)

// isFew reports whether two hosts or more link to a document, and only a few pages.
func isFew(d query.Document) bool { return d.InHosts >= 2 && d.InLinks <= fewLinks }

// preferSupported sorts the neighbours of a document as if those were twice as similar that share a word which two linking
// pages use in their sentences. It reports whether the order changed.
func preferSupported(r *query.Run, id uint32, near []query.Neighbour, by query.By) bool {
	sentences := r.Quotes(id)
	supported := map[string]bool{}
	isUsed := func(word string) bool {
		yes, known := supported[word]
		if !known {
			words, n := query.NewLabelWords(word), 0
			for _, s := range sentences {
				if words.In(s.Before + " " + s.Anchor + " " + s.After) {
					n++
				}
			}
			yes = n >= 2
			supported[word] = yes
		}
		return yes
	}
	weight := map[uint32]float32{}
	near = near[:min(len(near), reordered)]
	for _, n := range near {
		weight[n.ID] = n.Similarity
		if slices.ContainsFunc(r.Shared(id, n.ID, by, mostSupport), isUsed) {
			weight[n.ID] *= support
		}
	}
	heavier := func(a, b query.Neighbour) int { return cmp.Compare(weight[b.ID], weight[a.ID]) }
	changed := !slices.IsSortedFunc(near, heavier)
	slices.SortStableFunc(near, heavier)
	return changed
}
