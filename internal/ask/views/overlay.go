package views

import (
	"context"
	"runtime"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// minShingles is the least number of shingles for which resemblance is meaningful, as in resemble.Config.MinShingles.
const minShingles = 4

// overlay combines both views of the documents that are in both. It numbers documents as pages, which have the same
// order.
type overlay struct {
	*runs.Run
	topical, syntactic []uint32  // cluster of each document in both views
	byNode, byText     []group   // group of each node, and of each representative of equal pages
	by                 topics.By // the field of the bags to compare: ByLinks, or ByContent if the run has no other
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

func newOverlay(r *runs.Run) *overlay {
	v := &overlay{Run: r, by: topics.ByLinks, byNode: make([]group, r.Nodes.Len()), byText: make([]group, r.Pages.Len())}
	if r.Config.Bags == config.FromContent {
		v.by = topics.ByContent
	}
	withBag := 0
	for n := range uint32(r.Nodes.Len()) {
		withBag += len(r.Nodes.Members(n))
	}
	for page := range uint32(r.Pages.Len()) {
		node := v.node(page)
		if node == tables.None {
			v.noBag++
			continue
		}
		doc := r.Pages.Document(page)
		if v.by == topics.ByLinks && r.Docs.InLinks(doc) == 0 {
			v.unlinked++
		}
		c, _ := r.Clusters.Center(doc)
		v.topical = append(v.topical, c)
		v.syntactic = append(v.syntactic, r.Union.Member(page).Representative)
		v.byNode[node].add(page)
		v.byText[r.Equal.Representative(page)].add(page)
	}
	v.noPage = withBag - len(v.topical)
	return v
}

func (v *overlay) node(page uint32) uint32 { return v.Nodes.Of(v.Pages.Document(page)) }

// family returns the cluster that a pair represents in the list of its corner.
func (v *overlay) family(p ComparedPair) uint32 {
	if p.Corner == SameText || p.Corner == SameBoth {
		page, _ := v.Pages.Page(p.A)
		return v.Union.Member(page).Representative
	}
	c, _ := v.Clusters.Center(p.A)
	return c
}

// each calls pair once for every pair of pages that is compared: first the pairs of the topical view, then those of
// the syntactic view only.
func (v *overlay) each(pair func(a, b uint32) error) error {
	for page := range uint32(v.Pages.Len()) {
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
	for _, e := range v.Pairs.Neighbours(node) {
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
	for page := range uint32(v.Pages.Len()) {
		g := v.byText[v.Equal.Representative(page)]
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
	for p, err := range v.Similar.All() {
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
	_, stored := v.Pairs.Find(nodeA, nodeB)
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
	p := ComparedPair{A: v.Pages.Document(a), B: v.Pages.Document(b), By: v.by}
	p.URLA, p.URLB, p.InLinksA, p.InLinksB = v.Docs.URL(p.A), v.Docs.URL(p.B), v.Docs.InLinks(p.A), v.Docs.InLinks(p.B)
	p.hostsA, p.hostsB = v.Docs.InHosts(p.A), v.Docs.InHosts(p.B)
	p.Unlinked = v.by == topics.ByLinks && min(p.InLinksA, p.InLinksB) == 0
	bagA, bagB := topics.OfField(v.Run, v.Bags.At(p.A), v.by), topics.OfField(v.Run, v.Bags.At(p.B), v.by)
	p.Similarity, p.terms = bags.Similarity(bagA, bagB), sets.Common(bagA.Terms, bagB.Terms)
	nodeA, nodeB := v.node(a), v.node(b)
	_, stored := v.Pairs.Find(nodeA, nodeB)
	p.Topical = nodeA == nodeB || stored
	v.compareTexts(&p, a, b)
	return p
}

func (v *overlay) compareTexts(p *ComparedPair, a, b uint32) {
	textA, textB := v.Equal.Representative(a), v.Equal.Representative(b)
	_, stored := v.Similar.Find(textA, textB)
	p.Syntactic = textA == textB || stored
	o := resemble.Compare(v.Pages, v.Boilerplate, a, b).Overlap()
	p.shingles = o.Both
	p.Resemblance, _ = o.Resemblance()
	ab, _ := o.Containment()
	ba, _ := o.Swap().Containment()
	if textA == textB && o.Union() == 0 { // equal pages without words
		p.Resemblance, ab, ba = 1, 1, 1
	}
	p.AInB, p.BInA = texts.Share(ab), texts.Share(ba)
	if !runs.Containment(v.Run) {
		p.AInB, p.BInA = texts.UnknownShare, texts.UnknownShare
	}
	p.TooShort = textA != textB && min(o.A, o.B) < minShingles
}
