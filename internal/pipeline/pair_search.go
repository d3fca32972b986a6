package pipeline

import (
	"context"
	"encoding/binary"
	"runtime"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
)

// The search is divided by keys. A pair belongs to the part with the first key that forms it. To decide whether an
// earlier key of another part formed it, a part needs only the rows of its nodes and, if they met in a large bucket
// there, their places in it, which earlier steps found: see pair_large.go.

// keysStep is a step divided by keys.
func (b pairStage) keysStep(unit string, open func(p *pairing, index *lsh.Index, from *opened) (func(ctx context.Context, keys lsh.Keys, out *partFiles) (counts, error), error)) (*plan, error) {
	chosen, err := b.chosen()
	if err != nil {
		return nil, err
	}
	nodes := b.countNodes()
	size := b.sizes.partKeys(nodes, chosen.Keys)
	return &plan{
		unit: unit, total: int64(chosen.Keys), parts: partsOf(chosen.Keys, size), together: true,
		open: func(_ context.Context, _ int, from *opened) (partFunc, error) {
			p, index, err := openIndex(b, from)
			if err != nil {
				return nil, err
			}
			do, err := open(p, index, from)
			return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
				first, end := rangeOf(at.number, size, chosen.Keys)
				return do(ctx, lsh.Keys{From: first, To: end}, out)
			}, err
		},
	}, nil
}

// openIndex is like openChosen and also returns the index.
func openIndex(b pairStage, from *opened) (*pairing, *lsh.Index, error) {
	p, err := openChosen(b, from)
	if err != nil {
		return nil, nil, err
	}
	index, err := p.config.Index()
	return p, index, err
}

// lshConfig returns the settings of a search. Half of the memory is for keys, a quarter for the pairs that it finds,
// and the rest for mapped tables.
func (p *pairing) lshConfig() lsh.Config {
	c := p.config
	return lsh.Config{Floor: c.Floor, MaxBucket: c.MaxBucket, Reach: c.Reach, Workers: p.b.workers, Memory: p.b.memory / 2}
}

// searchStep searches the index.
func (b pairStage) searchStep() (*plan, error) {
	return b.keysStep("keys", func(p *pairing, index *lsh.Index, from *opened) (func(context.Context, lsh.Keys, *partFiles) (counts, error), error) {
		s := &search{pairing: p, unlike: make([]int64, b.workers), scorers: make([]bags.Scorer, b.workers)}
		return s.part, s.open(index, from)
	})
}

// flatShare is the fraction of the memory that the places of the bags may take.
const flatShare = 16

// search is the state of a step that searches the index.
type search struct {
	*pairing
	searcher *lsh.Searcher
	ordered  *ordered            // nil if all pairs are stored
	to       []*extsort.Appender // for each worker
	unlike   []int64             // for each worker: number of pairs that are less similar than their signatures suggest
	flat     *tables.FlatBags    // nil if not all pairs are stored, or if there is little memory
	scorers  []bags.Scorer       // for each worker
}

func (p *search) open(index *lsh.Index, from *opened) (err error) {
	if p.config.Neighbours > 0 {
		p.ordered = p.b.openOrdered(from)
	} else if int64(p.nodes.Len())*8 <= p.b.memory/flatShare {
		p.flat = tables.NodeBags{Bags: p.bag, Nodes: p.nodes}.Flat()
	}
	size, places := p.b.openLarge(from, p.nodes.Len())
	if err := from.Ready(); err != nil {
		return err
	}
	p.searcher, err = index.Searcher(p.sigs.All(), p.lshConfig(), size, places)
	return err
}

// part sorts the pairs that survive the filter: as candidates by place or, if all pairs are stored, those that are
// similar enough with their exact similarity.
func (p *search) part(ctx context.Context, keys lsh.Keys, out *partFiles) (counts, error) {
	clear(p.unlike)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if int64(m.HeapAlloc) > p.b.memory/8 {
		runtime.GC() // otherwise the buffers of the sorter would add to those of the part before
	}
	var got lsh.Stats
	search := func(found func(worker int, pairs []lsh.Pair) error) func(to []*extsort.Appender) error {
		return func(to []*extsort.Appender) (err error) {
			p.to = to
			done := int64(0)
			got, err = p.searcher.Pairs(ctx, keys, found, func(at, total int) {
				now := int64(at) * int64(keys.To-keys.From) / int64(max(1, total))
				out.meter.did(now - done)
				done = now
			})
			return err
		}
	}
	size, found := pairSize, p.compare
	if p.ordered != nil {
		size, found = packedSize, p.candidates
	}
	err := sortRecords(ctx, out.path(""), p.sorting(size), p.b.workers, search(found))
	n := counts{
		"keys": int64(got.Keys), "buckets": int64(got.Buckets), "largest_bucket": int64(got.LargestBucket), "collisions": int64(got.Collisions),
		"buckets_paired_in_part": int64(got.CappedBuckets), "bags_in_buckets_paired_in_part": int64(got.CappedRows),
		"candidates": int64(got.CandidatePairs), "surviving": int64(got.Surviving), "not_formed": int64(got.PairsNotFormed),
	}
	for _, unlike := range p.unlike {
		n["unlike"] += unlike
	}
	return n, err
}

// compare passes the pairs that are similar enough to the sorter.
func (p *search) compare(worker int, pairs []lsh.Pair) error {
	similarity := make([]float64, len(pairs))
	if p.flat != nil {
		p.flat.Similarities(similarity, &p.scorers[worker], func(i int) (a, b uint32) { return pairs[i].A, pairs[i].B })
	} else {
		of := tables.NodeBags{Bags: p.bag, Nodes: p.nodes}
		for i, x := range pairs {
			similarity[i] = bags.Similarity(of.At(x.A), of.At(x.B))
		}
	}
	for i, x := range pairs {
		s := similarity[i]
		if s < p.config.Similarity {
			p.unlike[worker]++
			continue
		}
		if err := put(p.to[worker], x.A, x.B, float32(s)); err != nil {
			return err
		}
	}
	return nil
}

// candidates passes pairs to the sorter in both directions. It orders the candidates of a node by the number of equal
// low bytes, which the search counted while the rows were in the caches.
func (p *search) candidates(worker int, pairs []lsh.Pair) error {
	var rec [packedSize]byte
	m, packing := p.sigs.M, newPacking(p.nodes.Len())
	for _, x := range pairs {
		differs := m - int(x.Low)
		a, b := p.ordered.place[x.A], p.ordered.place[x.B]
		for range 2 {
			binary.BigEndian.PutUint64(rec[:], packing.candidate(a, b, differs))
			if err := p.to[worker].Append(rec[:]); err != nil {
				return err
			}
			a, b = b, a
		}
	}
	return nil
}
