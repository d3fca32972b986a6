package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/expand"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// nearest makes the lists of nearest neighbours of a run that does not store all pairs. Everything in it is by place
// (see ordered): the pairs that survive the filter of the index, sorted; the list that each place selects from these;
// and, round by round, the lists that expansion makes of the lists before. A list has the nearest first.
type nearest struct {
	*pairing
	ordered  *ordered
	packing  packing
	sort     *extsort.Sorter // of the candidates, as packing.candidate packs them
	out      []*extsort.Appender
	listers  []*expand.Lister // by worker
	lists    *tables.Pairs    // the newest ones
	compared []int64          // exact comparisons: with candidates of the index, and in each round
}

// packedSize is the size of a record that packing packs, a big-endian number.
const packedSize = 8

// packing packs two places and the number of signatures in which they differ into 64 bits: 28 bits for a place of one
// of 2^28 and 8 for the difference. With more places the lowest bits of the difference are left out.
type packing struct{ place, dropped int }

func newPacking(places int) packing {
	k := packing{place: bits.Len(uint(max(places-1, 1)))}
	k.dropped = max(0, 8-(64-2*k.place))
	return k
}

// candidate packs a candidate b of place a. The records of a place are together, those that agree best first, and those
// that agree alike in the order of their places.
func (k packing) candidate(a, b uint32, differs int) uint64 {
	return uint64(a)<<(64-k.place) | uint64(differs>>k.dropped)<<k.place | uint64(b)
}

// places returns the places of a candidate.
func (k packing) places(candidate uint64) (a, b uint32) {
	return uint32(candidate >> (64 - k.place)), uint32(candidate & (1<<k.place - 1))
}

// listed is the number of places whose lists are made as one task.
const listed = 256

func newNearest(ctx context.Context, p *pairing) (n *nearest, err error) {
	n = &nearest{pairing: p, packing: newPacking(p.nodes.Len())}
	if n.ordered, err = newOrdered(ctx, p, n.orderedFile()); err != nil {
		return n, err
	}
	n.sort, err = extsort.New(extsort.Config{Size: packedSize, Memory: p.b.memory / 4, Dir: p.dir, Workers: p.b.workers})
	if err != nil {
		return n, err
	}
	c := p.config
	for range p.b.workers {
		n.out = append(n.out, n.sort.Appender())
		n.listers = append(n.listers, &expand.Lister{
			Nodes: n.ordered, Keep: expand.Keep{Nearest: c.Neighbours, Apart: c.Apart, Least: float32(c.Similarity)},
		})
	}
	return n, nil
}

// close releases what is left. The files are in the directory of the stage, which removes it.
func (n *nearest) close() {
	if n.lists != nil {
		n.lists.Close()
	}
	if n.sort != nil {
		n.sort.Close()
	}
	if n.ordered != nil {
		n.ordered.close()
	}
}

// add takes pairs that survived the filter. Their rows were read a moment ago, so that counting equal low bytes here is
// cheaper than it is later.
func (n *nearest) add(worker int, pairs []lsh.Pair) error {
	var rec [packedSize]byte
	m := n.sigs.M
	for _, p := range pairs {
		differs := m - minhash.LowAgreement(n.sigs.Row(int(p.A))[:m], n.sigs.Row(int(p.B))[:m])
		a, b := n.ordered.place[p.A], n.ordered.place[p.B]
		for range 2 {
			binary.BigEndian.PutUint64(rec[:], n.packing.candidate(a, b, differs))
			if err := n.out[worker].Append(rec[:]); err != nil {
				return err
			}
			a, b = b, a
		}
	}
	return nil
}

// candidates holds the candidates of the places from from to to. Those of a place that agree best come first.
type candidates struct {
	from, to uint32
	end      []int // of the candidates of each place
	other    []uint32
}

// selectFrom makes the first lists from the candidates of the index.
func (n *nearest) selectFrom(ctx context.Context) error {
	for _, a := range n.out {
		if err := a.Close(); err != nil {
			return err
		}
	}
	sorted, err := n.sort.Sort(ctx)
	if err != nil {
		return err
	}
	defer func() {
		sorted.Close()
		n.sort.Close() // the candidates take more room on the disk than all lists
		n.sort = nil
	}()
	return n.write(0, func(w *tables.PairsWriter) error {
		return parallel.Stream(ctx, n.byPlace(sorted), n.b.workers, n.b.memory/8, func(worker int, c candidates, emit func(lists, int) error) error {
			l, out, from := n.listers[worker], lists{from: c.from}, 0
			for i, end := range c.end {
				out.add(l.Select(c.from+uint32(i), c.other[from:end]))
				from = end
			}
			return emit(out, out.bytes())
		}, func(l lists) error { return l.write(w) })
	})
}

// byPlace yields the sorted candidates, those of some places at a time.
func (n *nearest) byPlace(sorted *extsort.Iterator) iter.Seq2[candidates, error] {
	return func(yield func(candidates, error) bool) {
		c := candidates{}
		for sorted.Next() {
			from, to := n.packing.places(binary.BigEndian.Uint64(sorted.Record()))
			if from-c.from >= listed || len(c.other) > 1<<16 && from > c.to {
				if !yield(c, nil) {
					return
				}
				c = candidates{from: from}
			}
			for c.to = from; c.from+uint32(len(c.end)) <= from; {
				c.end = append(c.end, len(c.other))
			}
			c.other = append(c.other, to)
			c.end[len(c.end)-1] = len(c.other)
		}
		if err := sorted.Err(); err != nil || len(c.end) > 0 {
			yield(c, err)
		}
	}
}

// expand makes the lists of a round from those of the round before.
func (n *nearest) expand(ctx context.Context, round int) error {
	places := len(n.ordered.node)
	before := n.lists
	n.lists = nil
	defer func() {
		before.Close()
		os.Remove(n.listsFile(round - 1))
	}()
	return n.write(round, func(w *tables.PairsWriter) error {
		parts := (places + listed - 1) / listed
		return parallel.Ordered(ctx, parts, n.b.workers, n.b.memory/8, func(worker, part int, emit func(lists, int) error) error {
			out := lists{from: uint32(part * listed)}
			graph, known := listGraph{before}, []expand.Neighbour(nil)
			for p := part * listed; p < min((part+1)*listed, places); p++ {
				known = known[:0]
				for _, e := range before.Neighbours(uint32(p)) {
					known = append(known, expand.Neighbour{Node: e.To, Similarity: e.Similarity})
				}
				out.add(n.listers[worker].Expand(graph, uint32(p), known, widthFor(n.config, places)))
			}
			return emit(out, out.bytes())
		}, func(part int, l lists) error {
			n.b.report.At(int64(part) * int64(listed))
			return l.write(w)
		})
	})
}

// write writes the lists of a round and opens them.
func (n *nearest) write(round int, write func(*tables.PairsWriter) error) error {
	path := n.listsFile(round)
	w, err := tables.CreatePairs(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	before := n.comparisons()
	if err := cmp.Or(write(w), w.Close(len(n.ordered.node))); err != nil {
		return err
	}
	n.compared = append(n.compared, n.comparisons()-before)
	n.lists, err = verified(n.b, path, tables.OpenPairs)
	return err
}

func (n *nearest) orderedFile() string { return filepath.Join(n.dir, "ordered") }

func (n *nearest) listsFile(round int) string {
	return filepath.Join(n.dir, fmt.Sprintf("lists-%d", round))
}

func (n *nearest) comparisons() (sum int64) {
	for _, l := range n.listers {
		sum += l.Compared
	}
	return sum
}

// listGraph is the graph of some lists.
type listGraph struct{ lists *tables.Pairs }

// Nearest implements expand.Graph.
func (g listGraph) Nearest(dst []uint32, place uint32, width int) []uint32 {
	list := g.lists.Neighbours(place)
	for _, e := range list[:min(width, len(list))] {
		dst = append(dst, e.To)
	}
	return dst
}

// lists holds the lists of consecutive places.
type lists struct {
	from uint32
	end  []int
	near []center.Edge
}

func (l *lists) add(near []expand.Neighbour) {
	for _, x := range near {
		l.near = append(l.near, center.Edge{To: x.Node, Similarity: x.Similarity})
	}
	l.end = append(l.end, len(l.near))
}

func (l *lists) bytes() int { return 8 * (len(l.near) + len(l.end)) }

func (l *lists) write(w *tables.PairsWriter) error {
	from := 0
	for i, end := range l.end {
		for _, e := range l.near[from:end] {
			w.Add(l.from+uint32(i), e.To, e.Similarity, 0)
		}
		from = end
	}
	return nil
}

// emit hands all pairs in the lists to the sorter of the pairs, each once.
func (n *nearest) emit(ctx context.Context) error {
	places := len(n.ordered.node)
	err := parallel.Each(ctx, (places+listed-1)/listed, n.b.workers, func(worker, part int) error {
		for p := part * listed; p < min((part+1)*listed, places); p++ {
			for _, e := range n.lists.Neighbours(uint32(p)) {
				if e.To < uint32(p) && n.listed(e.To, uint32(p), e.Similarity) {
					continue
				}
				agreement := n.ordered.agreement(uint32(p), e.To)
				if err := n.pairing.put(worker, n.ordered.node[p], n.ordered.node[e.To], e.Similarity, uint8(agreement)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err = cmp.Or(err, n.lists.Err()); err != nil {
		return err
	}
	return n.free()
}

// free removes the lists and what is in the order of the places, before the pairs take more room on the disk.
func (n *nearest) free() error {
	n.lists.Close()
	n.ordered.close()
	n.lists, n.ordered = nil, nil
	return cmp.Or(os.Remove(n.listsFile(n.config.Rounds)), os.Remove(n.orderedFile()))
}

// listed reports whether the list of a place has another one, to which it has the given similarity.
func (n *nearest) listed(place, other uint32, similarity float32) bool {
	_, ok := slices.BinarySearchFunc(n.lists.Neighbours(place), center.Edge{To: other, Similarity: similarity}, func(a, b center.Edge) int {
		return expand.Nearer(expand.Neighbour{Node: a.To, Similarity: a.Similarity}, expand.Neighbour{Node: b.To, Similarity: b.Similarity})
	})
	return ok
}
