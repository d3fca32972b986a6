package query

import (
	"context"
	"runtime"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
)

// minShingles is the least number of shingles for which resemblance is meaningful, as in resemble.Config.MinShingles.
const minShingles = 4

// overlay combines both views of the documents that are in both. It numbers documents as pages, which have the same
// order.
type overlay struct {
	*Run
	topical, syntactic []uint32 // cluster of each document in both views
	byNode, byText     []group  // group of each node, and of each representative of equal pages
	by                 By       // the field of the bags to compare: ByLinks, or ByContent if the run has no other
	noBag, noPage      int
	unlinked           int
	implied, outside   uint64 // pairs that a view implies; stored pairs with a document in one view only
}

// group is the documents in both views with the same bag or the same text. The first represents the others.
type group struct {
	first uint32 // page
	n     uint32 // 0 if none is in both views
}

func (g *group) add(page uint32) {
	if g.n == 0 {
		g.first = page
	}
	g.n++
}

// within returns the number of pairs within the group, and between the number of pairs of two groups.
func (g group) within() uint64         { return uint64(g.n) * uint64(g.n-1) / 2 }
func (g group) between(h group) uint64 { return uint64(g.n) * uint64(h.n) }

func (r *Run) overlay() *overlay {
	v := &overlay{Run: r, by: ByLinks, byNode: make([]group, r.nodes.Len()), byText: make([]group, r.pages.Len())}
	if r.Config.Bags == config.FromContent {
		v.by = ByContent
	}
	withBag := 0
	for n := range uint32(r.nodes.Len()) {
		withBag += len(r.nodes.Members(n))
	}
	for page := range uint32(r.pages.Len()) {
		node := v.node(page)
		if node == tables.None {
			v.noBag++
			continue
		}
		doc := r.pages.Document(page)
		if v.by == ByLinks && r.docs.InLinks(doc) == 0 {
			v.unlinked++
		}
		c, _ := r.clusters.Center(doc)
		v.topical = append(v.topical, c)
		v.syntactic = append(v.syntactic, r.union.Member(page).Representative)
		v.byNode[node].add(page)
		v.byText[r.equal.Representative(page)].add(page)
	}
	v.noPage = withBag - len(v.topical)
	return v
}

func (v *overlay) node(page uint32) uint32 { return v.nodes.Of(v.pages.Document(page)) }

// family returns the cluster that a pair represents in the list of its corner.
func (v *overlay) family(p ComparedPair) uint32 {
	if p.Corner == SameText || p.Corner == SameBoth {
		page, _ := v.pages.Page(p.A)
		return v.union.Member(page).Representative
	}
	c, _ := v.clusters.Center(p.A)
	return c
}

// each calls pair once for every pair of pages that is compared: first the pairs of the topical view, then those of
// the syntactic view only.
func (v *overlay) each(pair func(a, b uint32) error) error {
	for page := range uint32(v.pages.Len()) {
		if node := v.node(page); node != tables.None {
			if err := v.topicalOf(page, node, pair); err != nil {
				return err
			}
		}
	}
	syntactic := func(a, b uint32) error {
		if v.opened(a, b) {
			return nil
		}
		return pair(a, b)
	}
	if err := v.equals(syntactic); err != nil {
		return err
	}
	return v.similars(syntactic)
}

// topicalOf calls pair with a page and the first page with the same bag or, if the page is the first, with the page
// and its neighbours with higher numbers.
func (v *overlay) topicalOf(page, node uint32, pair func(a, b uint32) error) error {
	g := v.byNode[node]
	if page != g.first {
		return pair(g.first, page)
	}
	v.implied += g.within()
	for _, e := range v.pairs.Neighbours(node) {
		if int64(e.To) >= int64(len(v.byNode)) { // damaged table
			continue
		}
		other := v.byNode[e.To]
		if other.n == 0 {
			v.outside++
		}
		if other.n == 0 || e.To < node {
			continue
		}
		v.implied += g.between(other)
		if err := pair(min(page, other.first), max(page, other.first)); err != nil {
			return err
		}
	}
	return nil
}

// equals calls pair with every page that equals others and the first of them.
func (v *overlay) equals(pair func(a, b uint32) error) error {
	for page := range uint32(v.pages.Len()) {
		g := v.byText[v.equal.Representative(page)]
		if v.node(page) == tables.None {
			continue
		}
		if page == g.first {
			v.implied += g.within()
		} else if err := pair(g.first, page); err != nil {
			return err
		}
	}
	return nil
}

func (v *overlay) similars(pair func(a, b uint32) error) error {
	for p, err := range v.similar.All() {
		if err != nil {
			return err
		}
		if int64(max(p.A, p.B)) >= int64(len(v.byText)) { // damaged table
			continue
		}
		a, b := v.byText[p.A], v.byText[p.B]
		if a.n == 0 || b.n == 0 {
			v.outside++
			continue
		}
		v.implied += a.between(b)
		if err := pair(min(a.first, b.first), max(a.first, b.first)); err != nil {
			return err
		}
	}
	return nil
}

// opened reports whether topicalOf yields a pair.
func (v *overlay) opened(a, b uint32) bool {
	nodeA, nodeB := v.node(a), v.node(b)
	if nodeA == nodeB {
		return v.byNode[nodeA].first == a
	}
	_, stored := v.edge(nodeA, nodeB)
	return stored && v.byNode[nodeA].first == a && v.byNode[nodeB].first == b
}

// compareBatch is the number of pairs compared in parallel.
const compareBatch = 4096

// compared compares every pair and calls pair with it, in the order of each.
func (v *overlay) compared(ctx context.Context, pair func(ComparedPair) error) error {
	batch := make([][2]uint32, 0, compareBatch)
	out := make([]ComparedPair, compareBatch)
	flush := func() error {
		err := parallel.Each(ctx, len(batch), runtime.GOMAXPROCS(0), func(_, i int) error {
			out[i] = v.comparePages(batch[i][0], batch[i][1])
			return nil
		})
		if err != nil {
			return err
		}
		for _, p := range out[:len(batch)] {
			if err := pair(p); err != nil {
				return err
			}
		}
		batch = batch[:0]
		return nil
	}
	err := v.each(func(a, b uint32) error {
		if batch = append(batch, [2]uint32{a, b}); len(batch) < compareBatch {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

func (v *overlay) comparePages(a, b uint32) ComparedPair {
	p := ComparedPair{A: v.pages.Document(a), B: v.pages.Document(b), By: v.by}
	p.URLA, p.URLB, p.InLinksA, p.InLinksB = v.docs.URL(p.A), v.docs.URL(p.B), v.docs.InLinks(p.A), v.docs.InLinks(p.B)
	p.hostsA, p.hostsB = v.docs.InHosts(p.A), v.docs.InHosts(p.B)
	p.Unlinked = v.by == ByLinks && min(p.InLinksA, p.InLinksB) == 0
	bagA, bagB := v.field(v.bags.At(p.A), v.by), v.field(v.bags.At(p.B), v.by)
	p.Similarity, p.terms = bags.Similarity(bagA, bagB), sets.Common(bagA.Terms, bagB.Terms)
	nodeA, nodeB := v.node(a), v.node(b)
	_, stored := v.edge(nodeA, nodeB)
	p.Topical = nodeA == nodeB || stored
	v.compareTexts(&p, a, b)
	return p
}

func (v *overlay) compareTexts(p *ComparedPair, a, b uint32) {
	textA, textB := v.equal.Representative(a), v.equal.Representative(b)
	_, stored := v.similarPair(textA, textB)
	p.Syntactic = textA == textB || stored
	o := v.pair(a, b).Overlap()
	p.shingles = o.Both
	p.Resemblance, _ = o.Resemblance()
	ab, _ := o.Containment()
	ba, _ := o.Swap().Containment()
	if textA == textB && o.Union() == 0 { // equal pages without words
		p.Resemblance, ab, ba = 1, 1, 1
	}
	if p.ContainmentAB, p.ContainmentBA = Share(ab), Share(ba); !v.containment() {
		p.ContainmentAB, p.ContainmentBA = unknown, unknown
	}
	p.TooShort = textA != textB && min(o.A, o.B) < minShingles
}
