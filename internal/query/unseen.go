package query

import (
	"cmp"
	"iter"
	"slices"

	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// maxHits is the maximum number of pages that a query compares exactly.
const maxHits = 5000

// Parser returns a parser for pages to compare with those of the run.
func (r *Run) Parser() (*text.Parser, error) {
	v, err := text.NewVocabulary(text.Analysis{Language: r.Config.Language, Stop: "none"})
	return &text.Parser{Vocabulary: v}, err
}

// Shingler returns a shingler with the settings of the run.
func (r *Run) Shingler() (*shingles.Shingler, error) { return shingles.New(r.Config.Shingles()) }

func (r *Run) relation(d Duplicate) string {
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

// hit is a page that shares values with a document.
type hit struct {
	page  uint32
	share float64 // shared values, divided by those of the smaller one
}

// byHits orders hits by share, largest first.
func byHits(a, b hit) int { return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.page, b.page)) }

// hits returns the pages that share shingles of the index with a document. Those with the largest share of it, or
// whose largest share it contains, come first.
func (r *Run) hits(document []uint64) []uint32 {
	var hits []hit
	if r.posts == nil {
		for _, h := range r.scan([][]uint64{document}) {
			hits = append(hits, h)
		}
	} else {
		hits = r.indexed(document)
	}
	slices.SortFunc(hits, byHits)
	pages := make([]uint32, len(hits))
	for i, h := range hits {
		pages[i] = h.page
	}
	return pages
}

// indexed returns the pages that share shingles of the index with a document.
func (r *Run) indexed(document []uint64) []hit {
	count := map[uint32]int{}
	var buffer []uint32
	sampled, m := 0, r.posts.Modulus()
	for _, v := range document {
		if v%m == 0 {
			sampled++
		}
		buffer = r.posts.Pages(buffer[:0], v)
		for _, page := range buffer {
			count[page]++
		}
	}
	hits := make([]hit, 0, len(count))
	for p, n := range count {
		mine, its := sampled, r.pages.Stored(p)
		if tables.IndexedWhole(its, m) {
			mine = len(document)
		} else {
			its = max(1, its/int(m))
		}
		hits = append(hits, hit{p, float64(n) / float64(max(1, min(mine, its)))})
	}
	return hits
}

// rarest returns the shingles of a document that the fewest pages of the run contain, as many as have at most most
// postings together, but at least one that any page contains. A run without an index does not know their frequencies;
// rarest then returns all of them.
func (r *Run) rarest(document []uint64, most int) []uint64 {
	if r.posts == nil {
		return document
	}
	type counted struct {
		value uint64
		pages int
	}
	list, sum := make([]counted, 0, len(document)), 0
	for _, v := range document {
		if n := r.posts.Count(v); n > 0 {
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

// scan yields every page that shares a value with one of some documents, with the number of the document, page by
// page. It reads all pages once.
func (r *Run) scan(documents [][]uint64) iter.Seq2[int, hit] {
	wanted := newShinglesOf(documents)
	return func(yield func(int, hit) bool) {
		var values []uint64
		for page := range uint32(r.pages.Len()) {
			values = r.pages.AppendValues(values[:0], page)
			for _, i := range wanted.sharing(values) {
				if !yield(i, hit{page, float64(wanted.n[i]) / float64(max(1, min(len(documents[i]), len(values))))}) {
					return
				}
			}
		}
	}
}

// overlap compares a document with a page, without the boilerplate of the page's host. If the document is little else
// than boilerplate, overlap compares it with the whole page: a person who looks for a footer wants the pages that
// contain it.
func (r *Run) overlap(document shingles.Stored, page uint32) (p resemble.Pair) {
	its := r.stored(page, r.pages.Values(page))
	mine, own := r.sides(document.Values, page)
	if document.Whole() && its.Whole() {
		p.Exact = shingles.Overlap{A: len(mine), B: len(own), Both: sets.Common(mine, own)}
		return p
	}
	p.Sample = r.pages.Sketcher().Overlap(shingles.Stored{Values: mine, Size: document.Size}, shingles.Stored{Values: own, Size: its.Size})
	return p
}

// sides returns the shingles of a document and of a page that overlap compares.
func (r *Run) sides(document []uint64, page uint32) (mine, own []uint64) {
	host := r.pages.Host(page)
	own, dropped := r.strip.Own(nil, host, r.pages.Values(page))
	if dropped == 0 {
		return document, own
	}
	if common, leftOut := r.strip.Explain(nil, host, document); leftOut {
		document, _ = r.strip.Own(nil, host, document)
	} else if len(common) > 0 {
		own = r.pages.Values(page)
	}
	return document, own
}

// unlisted returns how many shingles of a document are boilerplate of a page that resembles or contains it, or is
// contained in it, to a degree only with boilerplate; 0 for other pages.
func (r *Run) unlisted(document []uint64, page uint32, least float64) int {
	values := r.pages.Values(page)
	d := overlapOf(shingles.Overlap{A: len(document), B: len(values), Both: sets.Common(document, values)})
	if d.Most() < least {
		return 0
	}
	mine, own := r.sides(document, page)
	if len(mine) == len(document) && len(own) == len(values) {
		return 0
	}
	return sets.Common(document, r.strip.Of(r.pages.Host(page)))
}

// overlapOf returns the exact figures of a pair as a Duplicate.
func overlapOf(o shingles.Overlap) (d Duplicate) {
	d.Resemblance, _ = o.Resemblance()
	ofThis, _ := o.Containment()
	ofOther, _ := o.Swap().Containment()
	d.OfThis, d.OfOther = Share(ofThis), Share(ofOther)
	d.Estimate = d.Resemblance
	return d
}

// Shingles returns the set of shingles of a page of the run. If the run keeps sketches, the error wraps ErrSketches.
func (r *Run) Shingles(id uint32) (*shingles.Set, error) {
	page, err := r.page(id)
	if err == nil {
		err = r.NeedShingles("the shingles of " + r.docs.URL(id))
	}
	if err != nil {
		return nil, err
	}
	return shingles.NewSet(r.pages.Values(page)...), nil
}
