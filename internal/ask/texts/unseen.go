package texts

import (
	"cmp"
	"iter"
	"slices"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// maxHits is the maximum number of pages that a query compares exactly.
const maxHits = 5000

// Shingler returns a shingler with the settings of the run.
func Shingler(r *runs.Run) (*shingles.Shingler, error) { return shingles.New(r.Config.Shingles()) }

func relation(r *runs.Run, d Duplicate) string {
	switch {
	case d.Resemblance == 1 && !d.Estimated:
		return resemble.Shingle.String()
	case d.Resemblance >= r.Config.Resemblance:
		return resemble.Similar.String()
	case d.Containment() >= r.Config.Containment:
		return "contained"
	}
	return "overlaps"
}

// Hit is a page that shares values with a document.
type Hit struct {
	Page  uint32
	share float64 // shared values, divided by those of the smaller one
}

// ByHits orders hits by share, largest first.
func ByHits(a, b Hit) int { return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.Page, b.Page)) }

// Hits returns the pages that share shingles of the index with a document. Those with the largest share of it, or
// whose largest share it contains, come first.
func Hits(r *runs.Run, document []uint64) []uint32 {
	var hits []Hit
	if r.Posts == nil {
		for _, h := range Scan(r, [][]uint64{document}) {
			hits = append(hits, h)
		}
	} else {
		hits = indexed(r, document)
	}
	slices.SortFunc(hits, ByHits)
	pages := make([]uint32, len(hits))
	for i, h := range hits {
		pages[i] = h.Page
	}
	return pages
}

// indexed returns the pages that share shingles of the index with a document.
func indexed(r *runs.Run, document []uint64) []Hit {
	count := map[uint32]int{}
	var buffer []uint32
	sampled, m := 0, r.Posts.Modulus()
	for _, v := range document {
		if v%m == 0 {
			sampled++
		}
		buffer = r.Posts.Pages(buffer[:0], v)
		for _, page := range buffer {
			count[page]++
		}
	}
	hits := make([]Hit, 0, len(count))
	for p, n := range count {
		stored := r.Pages.Stored(p)
		possible := min(sampled, stored/int(m)) // shingles that both may have in the index
		if tables.IndexedWhole(stored, m) {
			possible = min(len(document), stored)
		}
		hits = append(hits, Hit{p, float64(n) / float64(max(1, possible))})
	}
	return hits
}

// Rarest returns the shingles of a document that the fewest pages of the run contain, as many as have at most most
// postings together, but at least one that any page contains. A run without an index does not know their frequencies;
// Rarest then returns all of them.
func Rarest(r *runs.Run, document []uint64, most int) []uint64 {
	if r.Posts == nil {
		return document
	}
	type counted struct {
		value uint64
		pages int
	}
	list, sum := make([]counted, 0, len(document)), 0
	for _, v := range document {
		if n := r.Posts.Count(v); n > 0 {
			list = append(list, counted{v, n})
			sum += n
		}
	}
	if sum <= most {
		return document
	}
	slices.SortFunc(list, func(a, b counted) int { return cmp.Or(cmp.Compare(a.pages, b.pages), cmp.Compare(a.value, b.value)) })
	var out []uint64
	for _, c := range list {
		if most -= c.pages; most < 0 && len(out) > 0 {
			break
		}
		out = append(out, c.value)
	}
	return out
}

// Scan yields every page that shares a value with one of some documents, with the number of the document, page by
// page. It reads all pages once.
func Scan(r *runs.Run, documents [][]uint64) iter.Seq2[int, Hit] {
	wanted := newShinglesOf(documents)
	return func(yield func(int, Hit) bool) {
		var values []uint64
		for page := range uint32(r.Pages.Len()) {
			values = r.Pages.AppendValues(values[:0], page)
			for _, i := range wanted.sharing(values) {
				if !yield(i, Hit{page, float64(wanted.n[i]) / float64(max(1, min(len(documents[i]), len(values))))}) {
					return
				}
			}
		}
	}
}

// overlap compares a document with a page, without the boilerplate of the page's host. If the document is little else
// than boilerplate, overlap compares it with the whole page: a person who looks for a footer wants the pages that
// contain it.
func overlap(r *runs.Run, document shingles.Stored, page uint32) (p resemble.Pair) {
	its := Stored(r, page, r.Pages.Values(page))
	mine, own := sides(r, document.Values, page)
	if document.Whole() && its.Whole() {
		p.Exact = shingles.Overlap{A: len(mine), B: len(own), Both: sets.Common(mine, own)}
		return p
	}
	p.Sample = r.Pages.Sketcher().Overlap(shingles.Stored{Values: mine, Size: document.Size}, shingles.Stored{Values: own, Size: its.Size})
	return p
}

// sides returns the shingles of a document and of a page that overlap compares.
func sides(r *runs.Run, document []uint64, page uint32) (mine, own []uint64) {
	host := r.Pages.Host(page)
	own, dropped := r.Boilerplate.Own(nil, host, r.Pages.Values(page))
	if dropped == 0 {
		return document, own
	}
	if common, leftOut := r.Boilerplate.Explain(nil, host, document); leftOut {
		document, _ = r.Boilerplate.Own(nil, host, document)
	} else if len(common) > 0 {
		own = r.Pages.Values(page)
	}
	return document, own
}

// unlisted returns how many shingles of a document are boilerplate of a page that resembles or contains it, or is
// contained in it, to a degree only with boilerplate; 0 for other pages.
func unlisted(r *runs.Run, document []uint64, page uint32, least float64) int {
	values := r.Pages.Values(page)
	d := OverlapOf(shingles.Overlap{A: len(document), B: len(values), Both: sets.Common(document, values)})
	if d.Most() < least {
		return 0
	}
	mine, own := sides(r, document, page)
	if len(mine) == len(document) && len(own) == len(values) {
		return 0
	}
	return sets.Common(document, r.Boilerplate.Of(r.Pages.Host(page)))
}

// OverlapOf returns the exact figures of a pair as a Duplicate.
func OverlapOf(o shingles.Overlap) (d Duplicate) {
	d.Resemblance, _ = o.Resemblance()
	ofThis, _ := o.Containment()
	ofOther, _ := o.Swap().Containment()
	d.ThisInOther, d.OtherInThis = Share(ofThis), Share(ofOther)
	d.Estimate = d.Resemblance
	return d
}
