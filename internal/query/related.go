package query

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"unsafe"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
)

// Neighbour is a document related to another one.
type Neighbour struct {
	ID         uint32
	URL        string
	Similarity float32 // exact, of the bags
	Agreement  float32 // share of equal signatures
	Found      Found   // how it was found
	Together   int     // number of pages that link to both documents
}

// Related returns the documents whose bags are most similar to that of a document, the most similar first. Ties are in
// the order of the ids. Documents with the same bag have similarity 1.
//
// A run stores only the nearest documents that its index has found. Related begins with them and expands them: a
// neighbour of a neighbour is often a neighbour too. In each of l.Rounds rounds it takes the l.Width nearest documents
// so far and compares the document exactly with the l.Width nearest stored neighbours of each. It leaves out documents
// that are less similar than Config.Similarity.
func (r *Run) Related(id uint32, l Lookup) []Neighbour {
	if r.nodes == nil {
		return nil
	}
	s := r.searcher()
	defer r.searchers.Put(s)
	return s.related(nil, id, l)
}

// EachRelated calls neighbours with the result of Related for every document that has related ones, in the order of the
// ids. It looks for them on all processors. The slice is valid until neighbours returns.
func (r *Run) EachRelated(ctx context.Context, l Lookup, neighbours func(id uint32, n []Neighbour) error) error {
	if r.nodes == nil {
		return nil
	}
	const atOnce, budget = 64, 16 << 20
	parts := (r.Len() + atOnce - 1) / atOnce
	return parallel.Ordered(ctx, parts, runtime.GOMAXPROCS(0), budget,
		func(_, part int, emit func(relatedDocuments, int) error) error {
			s := r.searcher()
			defer r.searchers.Put(s)
			var d relatedDocuments
			for id := part * atOnce; id < min((part+1)*atOnce, r.Len()); id++ {
				d.near = s.related(d.near, uint32(id), l)
				d.ids, d.ends = append(d.ids, uint32(id)), append(d.ends, len(d.near))
			}
			return emit(d, len(d.near)*int(unsafe.Sizeof(Neighbour{})))
		},
		func(_ int, d relatedDocuments) error {
			from := 0
			for i, id := range d.ids {
				near := d.near[from:d.ends[i]]
				if from = d.ends[i]; len(near) == 0 {
					continue
				}
				if err := neighbours(id, near); err != nil {
					return err
				}
			}
			return nil
		})
}

// relatedDocuments holds the neighbours of some documents, one list after another.
type relatedDocuments struct {
	ids  []uint32
	ends []int // of their lists in near
	near []Neighbour
}

// related appends the neighbours of a document to out.
func (s *searcher) related(out []Neighbour, id uint32, l Lookup) []Neighbour {
	node := s.run.nodes.Of(id)
	if node == tables.None || l.Top <= 0 {
		return out
	}
	return s.run.list(out, id, s.near(node, l), FoundStored, l, everyone)
}

// everyone accepts every document.
func everyone(uint32) bool { return true }

// Shared returns words that the bags of two documents share, no more than most. Those that contribute most to the
// similarity come first.
func (r *Run) Shared(a, b uint32, most int) []string {
	return r.sharedOf(r.bags.At(a), r.bags.At(b), most)
}

// sharedOf is Shared for two bags of terms of the run.
func (r *Run) sharedOf(a, b bags.Bag, most int) []string {
	type word struct {
		term   uint32
		shared int
	}
	var words []word
	eachTerm(a, b, func(term uint32, x, y int) {
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
