package texts

import (
	"cmp"
	"context"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/resemble"
)

// Resembling compares the pages of some documents with all pages and returns, for each document, the top pages that
// resemble it most. The result does not depend on the pairs that the run has stored. Boilerplate is left out as in
// the run, and pages that share nothing with a document are not listed. The list of a document that was not crawled
// is nil. One pass over the table serves all documents.
func Resembling(ctx context.Context, r *runs.Run, ids []uint32, top int) ([][]Duplicate, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	pages, texts, out := make([]uint32, len(ids)), make([][]uint64, len(ids)), make([][]Duplicate, len(ids))
	for i, id := range ids {
		page, ok := r.Pages.Page(id)
		if !ok {
			continue
		}
		pages[i], texts[i] = page, r.Pages.Values(page)
		for equal := range Equals(r, r.Equal.Representative(page)) { // equal pages need not have shingles
			if equal != page {
				out[i] = sets.Insert(out[i], named(r, compare(r, page, equal), equal), top, byResemblance)
			}
		}
	}
	for i, h := range Scan(r, texts) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, equal := r.Equal.Between(pages[i], h.Page); equal || h.Page == pages[i] {
			continue
		}
		if d := compare(r, pages[i], h.Page); d.Resemblance > 0 { // otherwise they share only boilerplate
			out[i] = sets.Insert(out[i], named(r, d, h.Page), top, byResemblance)
		}
	}
	return out, nil
}

// compare compares two pages exactly.
func compare(r *runs.Run, this, page uint32) Duplicate {
	if relation, ok := r.Equal.Between(this, page); ok {
		return Identical(relation)
	}
	d := Figures(r, pair(r, this, page))
	d.Relation = relation(r, d)
	return d
}

// Overlap compares the texts of two documents exactly.
func Overlap(r *runs.Run, this, other uint32) (Duplicate, error) {
	a, b, err := pagesOf(r, this, other)
	if err != nil {
		return Duplicate{}, err
	}
	return named(r, compare(r, a, b), b), nil
}

// pagesOf returns the pages of two documents.
func pagesOf(r *runs.Run, this, other uint32) (a, b uint32, err error) {
	a, errA := r.PageOf(this)
	b, errB := r.PageOf(other)
	return a, b, cmp.Or(errA, errB)
}

// Identical returns the Duplicate of a page that equals another one.
func Identical(relation resemble.Relation) Duplicate {
	return Duplicate{Relation: relation.String(), Resemblance: 1, ThisInOther: 1, OtherInThis: 1, Estimate: 1}
}

// named fills in the document of a duplicate.
func named(r *runs.Run, d Duplicate, page uint32) Duplicate {
	d.ID = r.Pages.Document(page)
	d.URL = r.Docs.URL(d.ID)
	if r.Pages.Notice(page) {
		d.Label = r.Docs.At(d.ID).Label.String()
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
