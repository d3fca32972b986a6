package pipeline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/expand"
)

// nearest computes the lists of nearest neighbours for a run that does not store all pairs. All data is by place (see
// ordered): the sorted pairs that survive the filter of the index; the list that each place selects from them; and,
// for each round, the lists that expansion makes from those before. Lists are sorted nearest first. Each part of a
// step has a range of places.
type nearest struct {
	*pairing
	ordered *ordered
	listers []*expand.Lister // for each worker
	found   candidateFiles   // candidates of the index, if the step selects from them
	lists   *listTable       // lists of the step before, if the step reads them
}

// placesStep is a step divided by places. read opens what the step reads besides the order.
func (b pairStage) placesStep(told string, read func(n *nearest, from *opened), part func(ctx context.Context, n *nearest, worker int, r places, out *partFiles) (counts, error)) (*plan, error) {
	nodes := b.countNodes()
	size := b.sizes.partNodes(nodes)
	parts := partsOf(nodes, size)
	return &plan{
		told: told, unit: "bags", total: int64(nodes), parts: parts,
		several: max(1, b.severalOf(parts, 0, tables.BagsFile)/4), // each bag is compared with several others
		open: func(_ context.Context, workers int, from *opened) (partFunc, error) {
			n, err := b.openNearest(from, workers)
			if err != nil {
				return nil, err
			}
			read(n, from)
			return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
				first, end := rangeOf(at.number, size, nodes)
				return part(ctx, n, at.worker, places{uint32(first), uint32(end)}, out)
			}, nil
		},
	}, nil
}

func (b pairStage) openNearest(from *opened, workers int) (n *nearest, err error) {
	n = &nearest{ordered: b.openOrdered(from)}
	if n.pairing, err = openPairing(b, from); err != nil {
		return nil, err
	}
	c := n.config
	for range workers {
		n.listers = append(n.listers, &expand.Lister{
			Nodes: n.ordered, Keep: expand.Keep{Nearest: c.Neighbours, Apart: c.Apart, Least: float32(c.Similarity)},
		})
	}
	return n, nil
}

// places is the range of places from from to to-1.
type places struct{ from, to uint32 }

// each calls do with each place.
func (r places) each(ctx context.Context, m *meter, do func(place uint32) error) error {
	return m.each(ctx, int(r.from), int(r.to), func(i int) error { return do(uint32(i)) })
}

// write writes the lists that list returns for the places of a part.
func (n *nearest) write(ctx context.Context, worker int, r places, out *partFiles, list func(place uint32) []expand.Neighbour) (counts, error) {
	w := createLists(out.path(""))
	defer w.Abort()
	before := n.listers[worker].Compared
	err := r.each(ctx, out.meter, func(place uint32) error {
		w.add(list(place))
		return w.Err()
	})
	if err != nil {
		return nil, err
	}
	return counts{"compared": n.listers[worker].Compared - before}, w.Close()
}

// selectStep makes the first lists from the candidates of the index.
func (b pairStage) selectStep() (*plan, error) {
	return b.placesStep("pair, selection", func(n *nearest, from *opened) {
		n.found = b.openCandidates(from, n.nodes.Len())
	}, func(ctx context.Context, n *nearest, worker int, r places, out *partFiles) (counts, error) {
		c := n.found.of(r)
		return n.write(ctx, worker, r, out, func(place uint32) []expand.Neighbour {
			return n.listers[worker].Select(place, c.next(place))
		})
	})
}

// roundStep makes the lists of a round from those of the step before.
func (b pairStage) roundStep(round int, before string) (*plan, error) {
	return b.placesStep(fmt.Sprintf("pair, round %d", round), func(n *nearest, from *opened) {
		n.lists = b.openLists(from, before, n.nodes.Len())
	}, func(ctx context.Context, n *nearest, worker int, r places, out *partFiles) (counts, error) {
		var known []expand.Neighbour
		return n.write(ctx, worker, r, out, func(place uint32) []expand.Neighbour {
			known = known[:0]
			for _, e := range n.lists.of(place) {
				known = append(known, n.lists.entry(e))
			}
			return n.listers[worker].Expand(n.lists, place, known, n.b.sizes.widthFor(n.config, n.nodes.Len()))
		})
	})
}

// sortStep sorts the pairs in the lists of the last step.
func (b pairStage) sortStep(last string) (*plan, error) {
	return b.placesStep("pair, sorting", func(n *nearest, from *opened) {
		n.lists = b.openLists(from, last, n.nodes.Len())
	}, func(ctx context.Context, n *nearest, _ int, r places, out *partFiles) (counts, error) {
		c := n.sorting(pairSize)
		c.Memory, c.Workers = c.Memory/int64(len(n.listers)), 1
		return nil, sortRecords(ctx, out.path(""), c, 1, func(to []*extsort.Appender) error {
			return r.each(ctx, out.meter, func(place uint32) error { return n.put(to[0], place) })
		})
	})
}

// put passes the pairs in the list of a place to a sorter, except those that the list of an earlier place has, too.
func (n *nearest) put(to *extsort.Appender, place uint32) error {
	for _, e := range n.lists.of(place) {
		x := n.lists.entry(e)
		if x.Node < place && n.listed(x.Node, expand.Neighbour{Node: place, Similarity: x.Similarity}) {
			continue
		}
		if err := put(to, n.ordered.node[place], n.ordered.node[x.Node], x.Similarity); err != nil {
			return err
		}
	}
	return nil
}

// listed reports whether the list of a place contains a neighbour.
func (n *nearest) listed(place uint32, x expand.Neighbour) bool {
	_, ok := slices.BinarySearchFunc(n.lists.of(place), x, func(e uint64, x expand.Neighbour) int { return expand.Nearer(n.lists.entry(e), x) })
	return ok
}

// A file contains the lists of nearest neighbours of a range of places. All files of a step form a table that the
// parts of the next step read.

type listColumns struct {
	first mapped.Numbers[uint64] `lsh:"first"` // where the list of each place begins, and where the last one ends
	edge  mapped.Numbers[uint64] `lsh:"edge,stream"`
}

// listsWriter writes the lists of consecutive places.
type listsWriter struct {
	*mapped.Writer
	listColumns
	n uint64
}

func createLists(path string) *listsWriter {
	l := new(listsWriter)
	l.Writer = createColumns(path, &l.listColumns)
	l.first.Add(0)
	return l
}

// add appends the list of the next place, nearest first.
func (l *listsWriter) add(near []expand.Neighbour) {
	for _, x := range near {
		l.edge.Add(uint64(math.Float32bits(x.Similarity))<<32 | uint64(x.Node))
	}
	l.n += uint64(len(near))
	l.first.Add(l.n)
}

// listTable provides the lists of all places.
type listTable struct {
	places, size int // number of all places, and of the places of each file
	files        []work[listColumns]
}

// openLists opens the lists of a step over some places.
func (b pairStage) openLists(from *opened, step string, places int) *listTable {
	return &listTable{places, b.sizes.partNodes(places), stepFiles(from, "pair", step, openWork[listColumns])}
}

// of returns the list of a place, whose elements entry decodes.
func (t *listTable) of(place uint32) []uint64 {
	f, at := &t.files[int(place)/t.size].of, int(place)%t.size
	return f.edge.Slice(int(f.first.At(at)), int(f.first.At(at+1)))
}

// entry decodes an element of a list. It replaces a number that is not a place, which only a damaged table contains,
// by place 0.
func (t *listTable) entry(e uint64) expand.Neighbour {
	node := uint32(e)
	if int64(node) >= int64(t.places) {
		node = 0
	}
	return expand.Neighbour{Node: node, Similarity: math.Float32frombits(uint32(e >> 32))}
}

// Nearest implements expand.Graph.
func (t *listTable) Nearest(dst []uint32, place uint32, width int) []uint32 {
	list := t.of(place)
	for _, e := range list[:min(width, len(list))] {
		dst = append(dst, t.entry(e).Node)
	}
	return dst
}
