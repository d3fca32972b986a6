package topics

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"unsafe"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/expand"
)

// Neighbour is a document related to another.
type Neighbour struct {
	ID uint32 `json:"-"`
	runs.Ref
	Similarity  float32  `json:"similarity" doc:"exact, of the bags of both" least:"0" most:"1"`
	ByLinks     float32  `json:"link_similarity" doc:"similarity of the words around the links to both" least:"0" most:"1"`
	ByContent   float32  `json:"content_similarity" doc:"similarity of their own words" least:"0" most:"1"`
	Cosine      float32  `json:"cosine" doc:"of the logarithms of the counts in both bags" least:"0" most:"1"`
	Neighbours  float32  `json:"shared_neighbours" doc:"how alike the lists of the nearest neighbours of both are: their cosine" least:"0" most:"1"`
	Relatedness float32  `json:"relatedness" doc:"similarity + 0.1 cosine + 0.2 shared_neighbours, which decides the order; by one field of the bags, similarity + cosine of the field"`
	FromLinks   float32  `json:"from_links" doc:"share of the similarity of the bags that comes from the words around links; the rest comes from their own words" least:"0" most:"1"`
	Shared      []string `json:"shared" doc:"words that contribute most to the similarity"`
	Found       Found    `json:"found" doc:"how it was found: same-bag, stored, round-1 for a neighbour of a neighbour, or exact" enum:"same-bag,stored,round-1,exact"`
	Together    int      `json:"together" doc:"pages that link to both"`
	Mirrors     []string `json:"mirrors" doc:"URLs of less related documents that tell no more, which have no rows of their own: mirrors, versions, parts of a series, the same story elsewhere"`
}

// Found is the way in which a neighbour was found.
type Found string

// The ways to find a neighbour.
const (
	FoundSameBag Found = "same-bag" // the documents have the same bag
	FoundStored  Found = "stored"   // the run has stored the pair
	FoundExact   Found = "exact"    // by comparing all bags
	FoundBeyond  Found = "round-1"  // as a neighbour of a neighbour
)

// Lookup chooses how [Related] looks for related documents.
type Lookup struct {
	Top    int  // maximum number of documents
	Stored bool // use stored pairs only, and no shared neighbours
	Apart  bool // leave out documents that some page links to together with the document

	Elsewhere bool // leave out documents on the host of the document

	BySimilarity bool // in order of similarity instead of relatedness
}

// lookupWidth is the number of neighbours that a lookup expands, and the number of neighbours of each that it
// compares. With 100, a document is compared with about 1,500 others.
const lookupWidth = 100

// Related returns the documents whose bags are most similar to that of a document, without their names and shared words, in
// order of their relatedness. Ties are in order of nodes. Documents with the same bag have similarity 1.
//
// A run stores only the nearest documents that its index found. Related starts from them and compares the stored
// neighbours of the nearest of them, because a neighbour of a neighbour is often a neighbour, too. It omits documents
// that are less similar than Config.Similarity.
func Related(r *runs.Run, id uint32, l Lookup) []Neighbour {
	near, _ := RelatedOf(r, id, l)
	return near
}

// RelatedOf is Related, and also returns the number of documents that it would return without a maximum.
func RelatedOf(r *runs.Run, id uint32, l Lookup) (near []Neighbour, found int) {
	if r.Nodes == nil {
		return nil, 0
	}
	s := newSearcher(r)
	defer searchers(r).Put(s)
	return s.related(id, l)
}

// Weights in the relatedness; trials are in lab/quality.md.
const (
	cosineWeight = .1
	sharedWeight = .2

	MostRelatedness   = 1 + cosineWeight + sharedWeight // greatest relatedness
	MostRelatednessBy = 2                               // by one field of the bags
)

// relatedness returns the relatedness of two documents. The conversions keep products from being fused with sums, so that it
// is the same on every processor.
func relatedness(similarity float32, cosine, shared float64) float32 {
	return float32(float64(similarity) + float64(cosineWeight*cosine) + float64(sharedWeight*shared))
}

func bySimilarity(m *expand.Met) float32  { return m.Similarity }
func byRelatedness(m *expand.Met) float32 { return relatedness(m.Similarity, m.Cosine, m.Shared) }

// Rank sorts neighbours of a document by relatedness, as those of Related are, and sets what this depends on.
func Rank(r *runs.Run, id uint32, near []Neighbour) {
	if len(near) == 0 { // maybe it has no bag
		return
	}
	node, s := r.Nodes.Of(id), newSearcher(r)
	defer searchers(r).Put(s)
	nodes := make([]uint32, len(near))
	for i := range near {
		nodes[i] = r.Nodes.Of(near[i].ID)
	}
	met := map[uint32]expand.Met{node: {Cosine: 1, Shared: 1}}
	for _, n := range s.near(node, false, bySimilarity, nodes...) {
		met[n.Node] = n
	}
	for i, n := range nodes {
		m := met[n]
		near[i].rate(&m)
	}
	slices.SortStableFunc(near, func(a, b Neighbour) int { return cmp.Compare(b.Relatedness, a.Relatedness) })
}

// RankBy sorts neighbours of a document, found by one field of the bags, by their similarity + cosine in it. Across
// translations of a manual, that finds the same neighbours more often than the similarity does (lab/quality.md).
func RankBy(r *runs.Run, id uint32, by By, near []Neighbour) {
	own := OfField(r, Bag(r, id), by)
	for i := range near {
		n := &near[i]
		n.Cosine = float32(bags.LogCosine(own, OfField(r, Bag(r, n.ID), by)))
		n.Relatedness = n.Similarity + n.Cosine
	}
	slices.SortStableFunc(near, func(a, b Neighbour) int { return cmp.Compare(b.Relatedness, a.Relatedness) })
}

// rate sets the relatedness, and what it depends on beside the similarity.
func (n *Neighbour) rate(m *expand.Met) {
	n.Cosine, n.Neighbours = float32(m.Cosine), float32(m.Shared)
	n.Relatedness = relatedness(n.Similarity, m.Cosine, m.Shared)
}

// Together returns the number of pages that link to both documents.
func Together(r *runs.Run, a, b uint32) int { return sets.Common(r.Sources.Of(a), r.Sources.Of(b)) }

// EachRelated calls neighbours with the result of Related for every document that has related ones, in order of ids.
// It uses all processors.
func EachRelated(ctx context.Context, r *runs.Run, l Lookup, neighbours func(id uint32, n []Neighbour) error) error {
	if r.Nodes == nil {
		return nil
	}
	return eachOf(ctx, r, func(id uint32) ([]Neighbour, int) {
		near := Related(r, id, l)
		return near, len(near) * int(unsafe.Sizeof(Neighbour{}))
	}, neighbours)
}

// eachOf calls use with what of returns for each document, in order of ids, unless its size in bytes is 0. It uses all
// processors.
func eachOf[T any](ctx context.Context, r *runs.Run, of func(id uint32) (t T, size int), use func(id uint32, t T) error) error {
	type result struct {
		id uint32
		of T
	}
	const atOnce, budget = 64, 16 << 20
	return parallel.Ordered(ctx, (r.Len()+atOnce-1)/atOnce, runtime.GOMAXPROCS(0), budget, func(_, part int, emit func([]result, int) error) error {
		var all []result
		sum := 0
		for id := part * atOnce; id < min((part+1)*atOnce, r.Len()); id++ {
			if t, size := of(uint32(id)); size > 0 {
				all, sum = append(all, result{uint32(id), t}), sum+size
			}
		}
		return emit(all, sum)
	}, func(_ int, all []result) error {
		for _, x := range all {
			if err := use(x.id, x.of); err != nil {
				return err
			}
		}
		return nil
	})
}

// related returns the neighbours of a document, and how many there are without a maximum.
func (s *searcher) related(id uint32, l Lookup) (out []Neighbour, found int) {
	r := s.run
	node, pages := r.Nodes.Of(id), r.Sources.Of(id)
	if node == tables.None || l.Top <= 0 {
		return nil, 0
	}
	host := urls.Host(r.Docs.URL(id))
	put := func(n *expand.Met, how Found) {
		for _, d := range r.Nodes.Members(n.Node) {
			if d == id || l.Elsewhere && urls.Host(r.Docs.URL(d)) == host || l.Apart && sets.Common(pages, r.Sources.Of(d)) > 0 {
				continue
			}
			found++
			if len(out) >= l.Top {
				continue
			}
			near := Neighbour{ID: d, Ref: runs.Ref{URL: r.Docs.URL(d)}, Similarity: n.Similarity, Found: how, Together: sets.Common(pages, r.Sources.Of(d))}
			near.rate(n)
			out = append(out, near)
		}
	}
	put(&expand.Met{Neighbour: expand.Neighbour{Node: node, Similarity: 1}, Cosine: 1, Shared: 1}, FoundSameBag)
	by := byRelatedness
	if l.BySimilarity {
		by = bySimilarity
	}
	met := s.near(node, l.Stored, by)
	for i := range met {
		n := &met[i]
		switch {
		case !n.Beyond:
			put(n, FoundStored)
		case n.Similarity >= float32(r.Config.Similarity):
			put(n, FoundBeyond)
		}
	}
	return out, found
}

// Shared returns at most most words that the bags of two documents share, in the fields that by chooses. Those that
// contribute most to the similarity come first.
func Shared(r *runs.Run, a, b uint32, by By, most int) []string {
	return SharedOf(r, OfField(r, r.Bags.At(a), by), OfField(r, r.Bags.At(b), by), most)
}

// SharedOf is Shared for two bags of terms of the run.
func SharedOf(r *runs.Run, a, b bags.Bag, most int) []string {
	type word struct {
		word   string
		term   uint32
		shared int
	}
	var words []word
	eachTerm(a, b, func(term uint32, x, y int) {
		if n := min(x, y); n > 0 {
			s := r.Terms.Word(term)
			if i := slices.IndexFunc(words, func(w word) bool { return w.word == s }); i >= 0 { // it is in both fields
				words[i].shared += n
			} else {
				words = append(words, word{s, term, n})
			}
		}
	})
	slices.SortFunc(words, func(a, b word) int { return cmp.Or(cmp.Compare(b.shared, a.shared), cmp.Compare(a.term, b.term)) })
	var out []string
	for _, w := range words[:min(len(words), most)] {
		out = append(out, w.word)
	}
	return out
}

// eachTerm calls term for every term of two bags, in ascending order, with its counts.
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
