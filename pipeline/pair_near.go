package pipeline

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/expand"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/tables"
)

// nearest makes the lists of nearest neighbours of a run that does not store all pairs. Everything in it is by place
// (see ordered): the pairs that survive the filter of the index, sorted; the list that each place selects from these;
// and, round by round, the lists that expansion makes of the lists before. A list has the nearest first. The places are
// divided into ranges, the parts of each step.
type nearest struct {
	*pairing
	ordered *ordered
	listers []*expand.Lister // by worker
	found   candidateFiles   // the candidates of the index, if the step selects from them
	lists   *listTable       // those of the step before, if the step reads them
}

// placesStep is a step that is divided by places. read opens what it reads apart from the order.
func (b *build) placesStep(s step, read func(n *nearest) error, part func(ctx context.Context, n *nearest, worker int, r places, out *partFiles) (counts, error)) (*step, error) {
	nodes, err := b.countNodes()
	if err != nil {
		return nil, err
	}
	s.total, s.parts = int64(nodes), partsOf(nodes, b.sizes.partNodes(nodes))
	s.several = max(1, b.severalOf(s.parts, 0, tables.BagsFile)/4) // each bag is compared with several others
	s.open = func(_ context.Context, workers int) (parter, error) {
		n, err := b.openNearest(s.name, workers)
		if err != nil {
			return nil, err
		}
		if err := read(n); err != nil {
			n.close()
			return nil, err
		}
		return placesParter{n, part}, nil
	}
	return &s, nil
}

func (b *build) openNearest(step string, workers int) (n *nearest, err error) {
	n = &nearest{}
	if n.pairing, err = openChosen(b, step); err != nil {
		return nil, err
	}
	if n.ordered, err = b.openOrdered(); err != nil {
		n.close()
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

func (n *nearest) close() {
	if n.lists != nil {
		n.lists.close()
	}
	n.found.close()
	if n.ordered != nil {
		n.ordered.close()
	}
	n.pairing.close()
}

// err returns the first damage in what was read.
func (n *nearest) err() error {
	if n.lists != nil {
		if err := n.lists.err(); err != nil {
			return err
		}
	}
	return cmp.Or(n.found.err(), n.ordered.file.Err(), n.set.Err())
}

// places is a range of places, from place from up to, but not including, place to.
type places struct{ from, to uint32 }

// listed is the number of places after which a part tells how far it is.
const listed = 256

// each calls do with each place.
func (r places) each(ctx context.Context, m *meter, do func(place uint32) error) error {
	for p := r.from; p < r.to; p++ {
		if err := do(p); err != nil {
			return err
		}
		if done := p + 1 - r.from; done%listed == 0 || p+1 == r.to {
			m.did(int64((done-1)%listed + 1))
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

type placesParter struct {
	*nearest
	do func(ctx context.Context, n *nearest, worker int, r places, out *partFiles) (counts, error)
}

func (p placesParter) part(ctx context.Context, worker, i int, out *partFiles) (counts, error) {
	nodes := p.nodes.Len()
	from, to := rangeOf(i, p.b.sizes.partNodes(nodes), nodes)
	n, err := p.do(ctx, p.nearest, worker, places{uint32(from), uint32(to)}, out)
	return n, cmp.Or(err, p.err())
}

// write writes the lists that list returns for the places of a part.
func (n *nearest) write(ctx context.Context, worker int, r places, out *partFiles, list func(place uint32) []expand.Neighbour) (counts, error) {
	w, err := createLists(out.path(""))
	if err != nil {
		return nil, err
	}
	defer w.w.Abort()
	before := n.listers[worker].Compared
	err = r.each(ctx, out.meter, func(place uint32) error {
		w.add(list(place))
		return w.w.Err()
	})
	return counts{"compared": n.listers[worker].Compared - before}, cmp.Or(err, w.w.Close())
}

// selectStep makes the first lists from the candidates of the index.
func (b *build) selectStep(name string) (*step, error) {
	return b.placesStep(step{name: name, told: "pair, selection", unit: "bags"}, func(n *nearest) (err error) {
		n.found, err = b.openCandidates(n.nodes.Len())
		return err
	}, func(ctx context.Context, n *nearest, worker int, r places, out *partFiles) (counts, error) {
		c := n.found.of(r)
		return n.write(ctx, worker, r, out, func(place uint32) []expand.Neighbour {
			return n.listers[worker].Select(place, c.next(place))
		})
	})
}

// roundStep makes the lists of a round from those of the round before.
func (b *build) roundStep(name string) (*step, error) {
	steps := b.stepsOf("pair")
	at := slices.IndexFunc(steps, func(s stepOf) bool { return s.name == name })
	before, told := steps[at-1].name, "pair, round "+strings.TrimPrefix(name, pairRounds)
	return b.placesStep(step{name: name, told: told, unit: "bags"}, func(n *nearest) (err error) {
		n.lists, err = b.openLists(before, n.nodes.Len())
		return err
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

// sortStep sorts the pairs in the last lists.
func (b *build) sortStep(name string) (*step, error) {
	last := pairSelect
	if b.config.Rounds > 0 {
		last = pairRound(b.config.Rounds)
	}
	return b.placesStep(step{name: name, told: "pair, sorting", unit: "bags"}, func(n *nearest) (err error) {
		n.lists, err = b.openLists(last, n.nodes.Len())
		return err
	}, func(ctx context.Context, n *nearest, _ int, r places, out *partFiles) (counts, error) {
		memory := b.memory / 4 / int64(len(n.listers))
		return nil, b.sortRecords(ctx, out.path(""), n.dir, pairSize, 1, memory, func(to []*extsort.Appender) error {
			return r.each(ctx, out.meter, func(place uint32) error { return n.put(to[0], place) })
		})
	})
}

// put hands the pairs in the list of a place to a sorter, unless the list of an earlier place has them too.
func (n *nearest) put(to *extsort.Appender, place uint32) error {
	for _, e := range n.lists.of(place) {
		x := n.lists.entry(e)
		if x.Node < place && n.listed(x.Node, expand.Neighbour{Node: place, Similarity: x.Similarity}) {
			continue
		}
		agreement := n.ordered.agreement(place, x.Node)
		if err := put(to, n.ordered.node[place], n.ordered.node[x.Node], x.Similarity, uint8(agreement)); err != nil {
			return err
		}
	}
	return nil
}

// listed reports whether the list of a place has a neighbour.
func (n *nearest) listed(place uint32, x expand.Neighbour) bool {
	_, ok := slices.BinarySearchFunc(n.lists.of(place), x, func(e uint64, x expand.Neighbour) int { return expand.Nearer(n.lists.entry(e), x) })
	return ok
}
