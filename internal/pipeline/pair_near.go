package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/extsort"
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
	if n.pairing, err = openChosen(b, from); err != nil {
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
