package query

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
)

// Neighbour is a document related to another one.
type Neighbour struct {
	ID         uint32
	URL        string
	Similarity float32 // exact, of the bags
	Agreement  float32 // share of equal signatures
}

// Related returns the documents whose bags are most similar to that of a document, at most top of them, the most
// similar first. Ties are in the order of the ids. Documents with the same bag have similarity 1. A run stores the
// nearest documents only; [Run.Search] finds more.
func (r *Run) Related(id uint32, top int) []Neighbour {
	return r.related(id, top, nil)
}

// EachRelated calls neighbours for every document that has related ones, in the order of the ids. The slice is valid
// until neighbours returns.
func (r *Run) EachRelated(top int, neighbours func(id uint32, n []Neighbour) error) error {
	var buf []Neighbour
	for id := range uint32(r.Len()) {
		buf = r.related(id, top, buf[:0])
		if len(buf) == 0 {
			continue
		}
		if err := neighbours(id, buf); err != nil {
			return err
		}
	}
	return nil
}

// ranked is a node near another one.
type ranked struct {
	node       uint32
	similarity float32
	agreement  uint8
}

func (r *Run) related(id uint32, top int, out []Neighbour) []Neighbour {
	if r.nodes == nil {
		return out
	}
	node := r.nodes.Of(id)
	if node == tables.None || top <= 0 {
		return out
	}
	var near []ranked
	edges, agreements := r.pairs.Of(node)
	for i, e := range edges {
		near = append(near, ranked{e.To, e.Similarity, agreements[i]})
	}
	return r.list(id, near, top, everyone, out)
}

// everyone accepts every document.
func everyone(uint32) bool { return true }

// Shared returns words that the bags of two documents share, no more than most. Those that contribute most to the
// similarity come first.
func (r *Run) Shared(a, b uint32, most int) []string {
	type word struct {
		term   uint32
		shared int
	}
	var words []word
	eachTerm(r.bags.At(a), r.bags.At(b), func(term uint32, x, y int) {
		if n := min(x, y); n > 0 {
			words = append(words, word{term, n})
		}
	})
	slices.SortFunc(words, func(a, b word) int { return cmp.Or(cmp.Compare(b.shared, a.shared), cmp.Compare(a.term, b.term)) })
	var out []string
	for _, w := range words[:min(len(words), most)] {
		out = append(out, r.terms.Word(w.term))
	}
	return out
}

// eachTerm calls term for every term of two bags, in ascending order, with its count in each bag.
func eachTerm(a, b bags.Bag, term func(term uint32, x, y int)) {
	for i, j := range sets.Union(a.Terms, b.Terms) {
		switch {
		case j < 0:
			term(a.Terms[i], int(a.Counts[i]), 0)
		case i < 0:
			term(b.Terms[j], 0, int(b.Counts[j]))
		default:
			term(a.Terms[i], int(a.Counts[i]), int(b.Counts[j]))
		}
	}
}
