package query

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/resemble"
)

// Resembling compares the pages of some documents with all pages and returns, for each document, the top pages that
// resemble it most. The result does not depend on the pairs that the run has stored. Boilerplate is left out as in
// the run, and pages that share nothing with a document are not listed. The list of a document that was not crawled
// is nil. One pass over the table serves all documents.
func (r *Run) Resembling(ctx context.Context, ids []uint32, top int) ([][]Duplicate, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	pages, texts, out := make([]uint32, len(ids)), make([][]uint64, len(ids)), make([][]Duplicate, len(ids))
	for i, id := range ids {
		page, ok := r.pages.Page(id)
		if !ok {
			continue
		}
		pages[i], texts[i] = page, r.pages.Values(page)
		for equal := range r.equals(r.equal.Representative(page)) { // equal pages need not have shingles
			if equal != page {
				out[i] = addBest(out[i], r.named(r.compare(page, equal), equal), top)
			}
		}
	}
	for i, h := range r.scan(texts) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, equal := r.equal.Between(pages[i], h.page); equal || h.page == pages[i] {
			continue
		}
		if d := r.compare(pages[i], h.page); d.Resemblance > 0 { // otherwise they share only boilerplate
			out[i] = addBest(out[i], r.named(d, h.page), top)
		}
	}
	return out, nil
}

// compare compares two pages exactly.
func (r *Run) compare(this, page uint32) Duplicate {
	if relation, ok := r.equal.Between(this, page); ok {
		return identical(relation)
	}
	d := r.figures(r.pair(this, page))
	d.Relation = r.relation(d)
	return d
}

// Overlap compares the texts of two documents exactly.
func (r *Run) Overlap(this, other uint32) (Duplicate, error) {
	a, err := r.page(this)
	if err != nil {
		return Duplicate{}, err
	}
	b, err := r.page(other)
	if err != nil {
		return Duplicate{}, err
	}
	return r.named(r.compare(a, b), b), nil
}

// identical returns the Duplicate of a page that equals another one.
func identical(relation resemble.Relation) Duplicate {
	return Duplicate{Relation: relation.String(), Resemblance: 1, OfThis: 1, OfOther: 1, Estimate: 1}
}

// named fills in the document of a duplicate.
func (r *Run) named(d Duplicate, page uint32) Duplicate {
	d.ID = r.pages.Document(page)
	d.URL = r.docs.URL(d.ID)
	if r.pages.Notice(page) {
		d.Label = r.Label(d.ID)
	}
	return d
}

// shinglesOf finds which of some documents contain a shingle.
type shinglesOf struct {
	have  map[uint64][]int
	may   [1 << 10]uint64 // bitmap over 16 bits of each shingle, to exclude most other shingles
	seen  []uint32        // for each document the last call of sharing that found it
	n     []int           // for each document the number of values that it shared in that call
	calls uint32
}

func newShinglesOf(documents [][]uint64) *shinglesOf {
	s := &shinglesOf{have: map[uint64][]int{}, seen: make([]uint32, len(documents)), n: make([]int, len(documents))}
	for i, values := range documents {
		for _, v := range values {
			s.have[v] = append(s.have[v], i)
			s.may[v>>6%uint64(len(s.may))] |= 1 << (v & 63)
		}
	}
	return s
}

// sharing returns which of the documents contain any of the values.
func (s *shinglesOf) sharing(values []uint64) (found []int) {
	s.calls++
	for _, v := range values {
		if s.may[v>>6%uint64(len(s.may))]>>(v&63)&1 == 0 {
			continue
		}
		for _, i := range s.have[v] {
			if s.seen[i] != s.calls {
				s.seen[i], s.n[i] = s.calls, 0
				found = append(found, i)
			}
			s.n[i]++
		}
	}
	return found
}

// byResemblance orders duplicates by resemblance, then by the larger containment, largest first, then by id.
func byResemblance(a, b Duplicate) int {
	return cmp.Or(cmp.Compare(b.Resemblance, a.Resemblance), cmp.Compare(b.Containment(), a.Containment()), cmp.Compare(a.ID, b.ID))
}

// addBest inserts d into a sorted list of at most top duplicates.
func addBest(list []Duplicate, d Duplicate, top int) []Duplicate {
	at, _ := slices.BinarySearchFunc(list, d, byResemblance)
	if at >= top {
		return list
	}
	return slices.Insert(list[:min(len(list), top-1)], at, d)
}
