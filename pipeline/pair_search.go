package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"runtime"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
)

// The search is divided by keys. A pair belongs to the part with the first key at which it is formed. Whether it was
// formed at an earlier key of another part follows from the rows of its nodes and, if they met in a large bucket there,
// from their places in it, which earlier steps have found: pair_large.go.

// keysStep is a step that is divided by keys.
func (b *build) keysStep(name, unit string, open func(p *pairing) (parter, error)) (*step, error) {
	chosen, err := b.readChoice()
	if err != nil {
		return nil, err
	}
	nodes, err := b.countNodes()
	if err != nil {
		return nil, err
	}
	return &step{
		name: name, unit: unit, total: int64(chosen.Keys), parts: partsOf(chosen.Keys, b.sizes.partKeys(nodes, chosen.Keys)), together: true,
		open: func(context.Context, int) (parter, error) {
			p, err := openChosen(b, name)
			if err != nil {
				return nil, err
			}
			return open(p)
		},
	}, nil
}

// keyParter does parts of such a step.
type keyParter struct {
	*pairing
	index *lsh.Index
}

func openKeys(p *pairing) (k keyParter, err error) {
	k.pairing = p
	if k.index, err = p.config.Index(); err != nil {
		p.close()
	}
	return k, err
}

// keys returns the keys of a part.
func (p *keyParter) keys(i int) lsh.Keys {
	from, to := rangeOf(i, p.b.sizes.partKeys(p.nodes.Len(), p.config.Keys), p.config.Keys)
	return lsh.Keys{From: from, To: to}
}

// lshConfig returns the settings of a search. Half of the memory is for keys, and a quarter for the pairs that are
// found. The rest is for mapped tables.
func (p *pairing) lshConfig() lsh.Config {
	c := p.config
	return lsh.Config{Floor: c.Floor, MaxBucket: c.MaxBucket, Reach: c.Reach, Workers: p.b.workers, Memory: p.b.memory / 2}
}

// searchStep searches the index.
func (b *build) searchStep(name string) (*step, error) {
	return b.keysStep(name, "keys", func(p *pairing) (parter, error) {
		k, err := openKeys(p)
		if err != nil {
			return nil, err
		}
		s := &searchParter{keyParter: k, unlike: make([]int64, b.workers), scorers: make([]bags.Scorer, b.workers)}
		if err := s.open(); err != nil {
			s.close()
			return nil, err
		}
		return s, nil
	})
}

// flatShare is the share of the memory that the places of the bags may take.
const flatShare = 16

// searchParter searches the index.
type searchParter struct {
	keyParter
	searcher *lsh.Searcher
	large    largeFiles
	ordered  *ordered            // nil if all pairs are stored
	to       []*extsort.Appender // by worker
	unlike   []int64             // by worker: pairs that are less similar than their signatures suggest
	flat     *tables.FlatBags    // nil if all pairs are not stored, or if there is little memory
	scorers  []bags.Scorer       // by worker
}

func (p *searchParter) open() (err error) {
	if p.config.Neighbours > 0 {
		if p.ordered, err = p.b.openOrdered(); err != nil {
			return err
		}
	} else if int64(p.nodes.Len())*8 <= p.b.memory/flatShare {
		p.flat = tables.NodeBags{Bags: p.bag, Nodes: p.nodes}.Flat()
	}
	if p.large, err = p.b.openLarge(); err != nil {
		return err
	}
	p.searcher, err = p.index.Searcher(p.sigs.All(), p.lshConfig(), p.large.nodes, p.large.all)
	return err
}

func (p *searchParter) close() {
	p.large.close()
	if p.ordered != nil {
		p.ordered.close()
	}
	p.pairing.close()
}

// part sorts the pairs that survive the filter: as candidates by place, or if all pairs are stored, those that are
// similar enough with their exact similarity.
func (p *searchParter) part(ctx context.Context, _, i int, out *partFiles) (counts, error) {
	clear(p.unlike)
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); int64(m.HeapAlloc) > p.b.memory/8 {
		runtime.GC() // or the buffers of the sorter would be taken beside those of the part before
	}
	var got lsh.Stats
	search := func(found func(worker int, pairs []lsh.Pair) error) func(to []*extsort.Appender) error {
		return func(to []*extsort.Appender) (err error) {
			p.to = to
			keys, done := p.keys(i), int64(0)
			got, err = p.searcher.Pairs(ctx, keys, found, func(at, total int) {
				now := int64(at) * int64(keys.To-keys.From) / int64(max(1, total))
				out.meter.did(now - done)
				done = now
			})
			return err
		}
	}
	var err error
	if p.ordered == nil {
		err = p.b.sortRecords(ctx, out.path(""), p.dir, pairSize, p.b.workers, p.b.memory/4, search(p.compare))
	} else {
		err = p.b.sortFilled(ctx, p.dir, packedSize, p.b.workers, p.b.memory/4, search(p.candidates), func(s *extsort.Sorter) error {
			return writeCandidates(ctx, out.path(""), p.nodes.Len(), p.b.sizes.partNodes(p.nodes.Len()), s)
		})
	}
	n := counts{
		"keys": int64(got.Keys), "buckets": int64(got.Buckets), "largest_bucket": int64(got.LargestBucket), "collisions": int64(got.Collisions),
		"buckets_paired_in_part": int64(got.CappedBuckets), "bags_in_buckets_paired_in_part": int64(got.CappedRows),
		"candidates": int64(got.CandidatePairs), "surviving": int64(got.Surviving), "not_formed": int64(got.PairsNotFormed),
	}
	for _, unlike := range p.unlike {
		n["unlike"] += unlike
	}
	return n, cmp.Or(err, p.set.Err())
}

// compare hands those of some pairs that are similar enough to the sorter.
func (p *searchParter) compare(worker int, pairs []lsh.Pair) error {
	similarity := make([]float64, len(pairs))
	pair := func(i int) (a, b uint32) { return pairs[i].A, pairs[i].B }
	if p.flat != nil {
		p.flat.Similarities(similarity, &p.scorers[worker], pair)
	} else {
		tables.NodeBags{Bags: p.bag, Nodes: p.nodes}.Similarities(similarity, pair)
	}
	for i, x := range pairs {
		s := similarity[i]
		if s < p.config.Similarity {
			p.unlike[worker]++
			continue
		}
		if err := put(p.to[worker], x.A, x.B, float32(s), x.Agreement); err != nil {
			return err
		}
	}
	return nil
}

// candidates hands some pairs to the sorter, in both directions. The order of the candidates of a node is that of their
// equal low bytes, which the search has counted while the rows were in the caches.
func (p *searchParter) candidates(worker int, pairs []lsh.Pair) error {
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
