package pipeline

import (
	"context"
	"encoding/binary"
	"math/bits"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/extsort"
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

// openIndex is like openPairing and also returns the index.
func openIndex(b pairStage, from *opened) (*pairing, *lsh.Index, error) {
	p, err := openPairing(b, from)
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
		s := &search{pairing: p, comparers: make([]comparer, b.workers)}
		return s.part, s.open(index, from)
	})
}

// search is the state of a step that searches the index.
type search struct {
	*pairing
	searcher  *lsh.Searcher
	ordered   *ordered            // nil if all pairs are stored
	to        []*extsort.Appender // for each worker
	comparers []comparer          // for each worker
}

// comparer compares the bags of pairs. It reuses its memory.
type comparer struct {
	ids    []uint32
	bags   []bags.Bag
	scorer bags.Scorer
	unlike int64 // number of pairs of a part that are less similar than their signatures suggest
}

func (p *search) open(index *lsh.Index, from *opened) (err error) {
	if p.config.Neighbours > 0 {
		p.ordered = p.b.openOrdered(from)
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
	for i := range p.comparers {
		n["unlike"] += p.comparers[i].unlike
		p.comparers[i].unlike = 0
	}
	return n, err
}

// comparedAtOnce is the number of pairs whose bags are read before the first of them is compared.
const comparedAtOnce = 256

// compare passes the pairs that are similar enough to the sorter. Pairs with the same first node follow one another.
func (p *search) compare(worker int, pairs []lsh.Pair) error {
	c := &p.comparers[worker]
	for some := range slices.Chunk(pairs, comparedAtOnce) {
		again := func(i int) bool { return i > 0 && some[i-1].A == some[i].A }
		c.ids = c.ids[:0]
		for i, x := range some {
			if !again(i) {
				c.ids = append(c.ids, p.nodes.First(x.A))
			}
			c.ids = append(c.ids, p.nodes.First(x.B))
		}
		c.bags = p.bag.Append(c.bags[:0], c.ids)
		rest := c.bags
		for i, x := range some {
			if !again(i) {
				c.scorer.Reset(rest[0])
				rest = rest[1:]
			}
			s := c.scorer.Similarity(rest[0])
			rest = rest[1:]
			if s < p.config.Similarity {
				c.unlike++
			} else if err := put(p.to[worker], x.A, x.B, float32(s)); err != nil {
				return err
			}
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

// A part of the search writes its candidates by place (see ordered) as sorted records, in both directions.

// packedSize is the size of a packed record, a big-endian number.
const packedSize = 8

// packing packs two places and the number of signatures in which they differ into 64 bits: 28 bits for each of 2^28
// places and 8 for the difference. With more places it drops the lowest bits of the difference.
type packing struct{ place, dropped int }

func newPacking(places int) packing {
	k := packing{place: bits.Len(uint(max(places-1, 1)))}
	k.dropped = max(0, 8-(64-2*k.place))
	return k
}

// candidate packs a candidate b of place a. Sorted, the candidates of a place are together, best agreement first and
// ties in order of places.
func (k packing) candidate(a, b uint32, differs int) uint64 {
	return uint64(a)<<(64-k.place) | uint64(differs>>k.dropped)<<k.place | uint64(b)
}

// places returns the places of a candidate.
func (k packing) places(candidate uint64) (a, b uint32) {
	return uint32(candidate >> (64 - k.place)), uint32(candidate & (1<<k.place - 1))
}

// candidateFiles are the candidates that all parts of the search have found.
type candidateFiles struct {
	packing packing
	places  int
	files   sortedFiles
}

func (b pairStage) openCandidates(from *opened, places int) candidateFiles {
	return candidateFiles{newPacking(places), places, openSorted(from, "pair", pairSearch, packedSize)}
}

// of returns the candidates of a range of places.
func (c candidateFiles) of(r places) *candidates {
	out := &candidates{candidateFiles: c}
	for _, f := range c.files {
		at := f.search(uint64(r.from)<<(64-c.packing.place), 0, f.len())
		end := f.len()
		if int(r.to) < c.places {
			end = f.search(uint64(r.to)<<(64-c.packing.place), at, end)
		}
		out.rest = append(out.rest, f.slice(at, end))
	}
	return out
}

// candidates are the candidates of the places of a part.
type candidates struct {
	candidateFiles
	rest   [][]byte // records of each file from the next place on
	packed []uint64 // candidates of the current place
	found  []uint32
}

// next returns the candidates of a place, which must follow the one before, best agreement first. It ignores numbers
// that are not places, which only a damaged file contains.
func (c *candidates) next(place uint32) []uint32 {
	c.packed, c.found = c.packed[:0], c.found[:0]
	for i, rest := range c.rest {
		for ; len(rest) >= packedSize; rest = rest[packedSize:] {
			packed := binary.BigEndian.Uint64(rest)
			if a, _ := c.packing.places(packed); a != place {
				break
			}
			c.packed = append(c.packed, packed)
		}
		c.rest[i] = rest
	}
	slices.Sort(c.packed)
	for _, packed := range c.packed {
		if _, other := c.packing.places(packed); int64(other) < int64(c.places) {
			c.found = append(c.found, other)
		}
	}
	return c.found
}
