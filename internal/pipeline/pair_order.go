package pipeline

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
)

// ordered holds the nodes in an order in which alike nodes are near each other, so that data needed together is close
// together: the nodes are sorted by the first page that links to their first documents and, if there are many,
// arranged in chains. The place of a node is its index in this order. ordered implements expand.Nodes for places.
type ordered struct {
	*mapped.File
	node    []uint32 // by place
	place   []uint32 // by node
	m       int      // signatures per row
	first   []uint64 // where the bag of each place begins in term and count, and the end of the last one
	term    []uint32
	count   []uint16
	low     []byte   // low bytes of the signatures of each place
	page    []uint64 // the only linking page of each place, none, or several
	source1 []uint64 // where the linking pages of each place begin in source, and the end of the last ones
	source  []uint64
}

// orderNodes orders the nodes and writes their bags, parts of their signatures and their linking pages to a file.
func (b pairStage) orderNodes(ctx context.Context, at partAt, out *partFiles) (counts, error) {
	p, err := openPairing(b, at.from)
	if err != nil {
		return nil, err
	}
	o := &ordered{m: p.sigs.M, node: make([]uint32, p.nodes.Len()), place: make([]uint32, p.nodes.Len())}
	if err := o.sort(ctx, p); err != nil {
		return nil, err
	}
	return nil, o.write(ctx, p, out.path(""))
}

// openOrdered opens the order of the nodes and verifies all of it, so that its methods need no checks.
func (b pairStage) openOrdered(from *opened) *ordered {
	return workFile(from, stepFile(pairOrder, "", 0), func(path string) (*ordered, error) {
		f, err := openWork[orderColumns](path)
		if err != nil {
			return nil, err
		}
		c := &f.of
		o := &ordered{
			File: f.File, m: b.config.Signatures, node: c.node.All(), first: c.first.All(), term: c.term.All(),
			count: c.count.All(), low: c.low.All(), page: c.page.All(), source1: c.source1.All(), source: c.source.All(),
		}
		if err := o.Err(); err != nil {
			o.Close()
			return nil, err
		}
		o.place = make([]uint32, len(o.node))
		for place, n := range o.node {
			o.place[n] = uint32(place)
		}
		return o, nil
	})
}

// sort sorts the nodes or, if there are many, their chains by the first node of each.
func (o *ordered) sort(ctx context.Context, p *pairing) error {
	chains := (*chains)(nil)
	if len(o.node) >= p.b.sizes.chained {
		var err error
		if chains, err = p.chain(ctx); err != nil {
			return err
		}
	}
	type keyed struct {
		source uint64
		node   uint32
	}
	var keys []keyed
	for n := range uint32(len(o.node)) {
		if chains != nil && chains.first[n] != n {
			continue
		}
		k := keyed{node: n}
		if s := p.sources.Of(p.nodes.First(n)); len(s) > 0 {
			k.source = s[0]
		}
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.node, b.node))
	})
	at := uint32(0)
	for _, k := range keys {
		for n := k.node; n != tables.None; n = chains.after(n) {
			o.node[at], o.place[n] = n, at
			at++
		}
	}
	return nil
}

// orderColumns hold the data of the places.
type orderColumns struct {
	first   mapped.Numbers[uint64] `lsh:"first" of:"end"`
	count   mapped.Numbers[uint16] `lsh:"count" of:"term"`
	source1 mapped.Numbers[uint64] `lsh:"source1" of:"end"`
	page    mapped.Numbers[uint64] `lsh:"page" of:"place"`
	source  mapped.Numbers[uint64] `lsh:"source"`
	term    mapped.Numbers[uint32] `lsh:"term,stream" of:"term"`
	low     mapped.Numbers[byte]   `lsh:"low,stream"`
	node    mapped.Numbers[uint32] `lsh:"node,stream" of:"place"`
}

func (o *ordered) write(ctx context.Context, p *pairing, path string) error {
	var c orderColumns
	w := createColumns(path, &c)
	defer w.Abort()
	terms, sources := uint64(0), uint64(0)
	for i, n := range o.node {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c.first.Add(terms)
		c.source1.Add(sources)
		id := p.nodes.First(n)
		bag, of := p.bag.At(id), p.sources.Of(id)
		c.term.AddAll(bag.Terms)
		c.count.AddAll(bag.Counts)
		c.source.AddAll(of)
		c.page.Add(onlyPage(of))
		terms, sources = terms+uint64(bag.Len()), sources+uint64(len(of))
	}
	c.first.Add(terms)
	c.source1.Add(sources)
	for _, n := range o.node {
		c.low.AddAll(p.sigs.Row(int(n))[:o.m])
	}
	c.node.AddAll(o.node)
	return w.Close()
}

// Bag returns the bag of a place.
func (o *ordered) Bag(place uint32) bags.Bag {
	from, to := o.first[place], o.first[place+1]
	return bags.Bag{Terms: o.term[from:to:to], Counts: o.count[from:to:to]}
}

// line is the number of terms in a cache line.
const line = 16

// Fetch reads one word of each cache line of the bags of some places. The reads are independent, so the processor
// waits for many at once.
func (o *ordered) Fetch(places []uint32) {
	sum := uint32(0)
	for _, p := range places {
		sum += uint32(o.first[p]) + uint32(o.page[p])
	}
	for _, p := range places {
		from, to := o.first[p], o.first[p+1]
		for at := from; at < to; at += line {
			sum += o.term[at] + uint32(o.count[at])
		}
	}
	fetched.Store(sum)
}

// fetched uses what Fetch reads, so that the compiler keeps the reads.
var fetched atomic.Uint32

// Low returns the low bytes of the signatures of a place.
func (o *ordered) Low(place uint32) []byte {
	return o.low[int(place)*o.m:][:o.m:o.m]
}

// Values of ordered.page that do not stand for one page.
const (
	noPage       = 0
	severalPages = 1
)

// onlyPage returns the page if there is only one, which is so for most documents.
func onlyPage(pages []uint64) uint64 {
	switch {
	case len(pages) == 0:
		return noPage
	case len(pages) == 1 && pages[0] > severalPages:
		return pages[0]
	}
	return severalPages
}

// Together reports whether some page links to the first documents of both places.
func (o *ordered) Together(a, b uint32) bool {
	switch x, y := o.page[a], o.page[b]; {
	case x == noPage || y == noPage:
		return false
	case x != severalPages && y != severalPages:
		return x == y
	}
	return sets.Meet(o.sources(a), o.sources(b))
}

func (o *ordered) sources(place uint32) []uint64 {
	return o.source[o.source1[place]:o.source1[place+1]]
}
