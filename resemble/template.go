package resemble

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/sets"
)

// BoilerplateStats counts what FindBoilerplate did.
type BoilerplateStats struct {
	Templates uint64 // hosts with boilerplate
	Values    uint64 // of boilerplate, over all hosts
	Copies    uint64 // equally frequent values that were not kept: text of copies or versions
	Whole     uint64 // different pages that are nearly all text that most pages of their host share, and compared with it
}

// FindBoilerplate finds the boilerplate of each host. equal is the result of FindEqual. The result takes 8 bytes a
// value. Sketches must be of a kind that Drops common values. A value counts as common by its share of the pages whose
// sketches would hold it if the pages had it.
func FindBoilerplate(ctx context.Context, docs Documents, equal *Equal, c BoilerplateConfig, r Resources) (*Boilerplate, BoilerplateStats, error) {
	f := finder{docs: docs, level: func(uint32) int { return 0 }}
	if s, ok := sketched(docs); ok {
		f.level = func(id uint32) int { return s.Sketcher().Level(s.Size(id)) }
	}
	var err error
	if f.c, err = c.withDefaults(); err != nil {
		return nil, f.stats, err
	}
	if f.found, err = NewBoilerplate(f.c); err != nil {
		return nil, f.stats, err
	}
	f.found.repeated = map[uint32][]uint64{}
	f.scratch = make([][]uint64, r.workers())
	f.counts = make([]hashCounts, r.workers())
	f.part = max(int(r.memory()/int64(16*r.workers())), 1<<12)
	f.access = accessTo(docs)
	f.access.Scattered(true)
	defer f.access.Scattered(false)
	jobs := sequence(func(put func([]uint32) error) error { return f.hosts(ctx, equal, r, put) })
	err = parallel.Stream(ctx, jobs, r.workers(), int64(r.workers()), func(worker int, pages []uint32, _ func(struct{}, int) error) error {
		return f.host(worker, pages)
	}, nil)
	return f.found, f.stats, err
}

type finder struct {
	docs    Documents
	level   func(id uint32) int // a document sampled at level i holds multiples of 2^i
	access  scatterer
	c       BoilerplateConfig
	part    int // values of a host that a worker sorts at a time
	scratch [][]uint64
	counts  []hashCounts
	mu      sync.Mutex // guards what follows
	found   *Boilerplate
	stats   BoilerplateStats
}

// hosts passes a sample of the different pages of each host to put, one host after another.
func (f *finder) hosts(ctx context.Context, equal *Equal, r Resources, put func(pages []uint32) error) error {
	const size = 12 // host, representative, document
	s, err := newSorting(extsort.Config{Size: size, Key: 8, Unique: true}, r, r.memory()/2)
	if err != nil {
		return err
	}
	defer s.close()
	var rec [size]byte
	for id := range uint32(f.docs.Len()) {
		if f.docs.Stored(id) == 0 || isNotice(f.docs, id) {
			continue
		}
		binary.BigEndian.PutUint32(rec[:], f.docs.Host(id))
		binary.BigEndian.PutUint32(rec[4:], equal.Representative(id))
		binary.BigEndian.PutUint32(rec[8:], id)
		if err := s.out[0].Append(rec[:]); err != nil {
			return err
		}
	}
	var pages []uint32
	host := uint32(0)
	next := func() error {
		defer func() { pages = pages[:0] }()
		return f.sample(pages, put)
	}
	err = s.records(ctx, func(rec []byte) error {
		if h := binary.BigEndian.Uint32(rec); h != host {
			if err := next(); err != nil {
				return err
			}
			host = h
		}
		pages = append(pages, binary.BigEndian.Uint32(rec[8:]))
		return nil
	})
	if err != nil {
		return err
	}
	return next()
}

// sample chooses some pages of a host, evenly, and passes a copy of the choice to put.
func (f *finder) sample(pages []uint32, put func([]uint32) error) error {
	if len(pages) == 0 || len(pages) < f.c.MinPages {
		return nil
	}
	n := min(len(pages), f.c.Sample)
	some := make([]uint32, n)
	for i := range some {
		some[i] = pages[i*len(pages)/n]
		f.access.Fetch(some[i])
	}
	return put(some)
}

// host finds the boilerplate of one host.
func (f *finder) host(worker int, pages []uint32) error {
	texts := make([][]uint64, len(pages))
	var levels [64]int // number of pages of each level
	for i, id := range pages {
		texts[i] = f.docs.AppendValues(nil, id)
		levels[f.level(id)&63]++
	}
	common := f.common(worker, texts, f.least(levels))
	template := f.template(common, texts)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stats.Copies += uint64(len(common) - len(template))
	if len(common) > len(template) {
		f.found.repeated[f.docs.Host(pages[0])] = sets.Minus(nil, common, template)
	}
	if len(template) == 0 {
		return nil
	}
	f.stats.Templates++
	f.stats.Values += uint64(len(template))
	return f.found.Put(f.docs.Host(pages[0]), template)
}

// least returns the number of pages that makes a value common: more than Share of the pages whose samples would include
// it, if these are enough.
func (f *finder) least(levels [64]int) func(v uint64) int {
	var least [65]int // by the number of zero bits at the end of the value
	pages := 0
	for zeros := range least {
		if zeros < len(levels) {
			pages += levels[zeros]
		}
		least[zeros] = math.MaxInt
		if pages >= f.c.MinPages {
			least[zeros] = int(f.c.Share*float64(pages)) + 1
		}
	}
	return func(v uint64) int { return least[bits.TrailingZeros64(v)] }
}

// common returns the values that are in enough of the sets, in ascending order. It first counts values by hash, and
// then sorts those that may be frequent enough range by range, so that few are in memory.
func (f *finder) common(worker int, sets [][]uint64, least func(v uint64) int) (common []uint64) {
	total, longest := 0, sets[0]
	for _, s := range sets {
		total += len(s)
		if len(s) > len(longest) {
			longest = s
		}
	}
	counts := &f.counts[worker]
	counts.reset(total)
	for _, s := range sets {
		counts.add(s)
	}
	lowest := math.MaxInt
	for zeros := range 64 {
		lowest = min(lowest, least(1<<zeros))
	}
	rest := slices.Clone(sets)
	parts := total/f.part + 1
	for p := 1; p <= parts; p++ {
		all := f.scratch[worker][:0]
		for i, s := range rest {
			n := len(s)
			if p < parts {
				n, _ = slices.BinarySearch(s, longest[len(longest)*p/parts])
			}
			all, rest[i] = counts.append(all, s[:n], lowest), s[n:]
		}
		slices.Sort(all)
		common = frequent(common, all, least)
		f.scratch[worker] = all
	}
	return common
}

// hashCounts counts values by a hash. A count is never less than the number of times that a value was added.
type hashCounts struct {
	counts []uint16 // up to their maximum
	shift  uint
}

// maxCounts is the number of counts in 128 KiB, which fit into a cache.
const maxCounts = 1 << 16

// reset clears the counts and sets their number to that of the values to come, but at most maxCounts.
func (c *hashCounts) reset(values int) {
	width := bits.Len(uint(min(values, maxCounts-1)))
	c.counts = slices.Grow(c.counts[:0], 1<<width)[:1<<width]
	c.shift = uint(64 - width)
	clear(c.counts)
}

func (c *hashCounts) of(v uint64) *uint16 {
	return &c.counts[int(v*0x9e3779b97f4a7c15>>(c.shift&63))&(len(c.counts)-1)]
}

// add counts values.
func (c *hashCounts) add(values []uint64) {
	for _, v := range values {
		n := c.of(v)
		*n = max(*n, *n+1)
	}
}

// append appends to dst the values that may have been added at least a given number of times.
func (c *hashCounts) append(dst, values []uint64, least int) []uint64 {
	for _, v := range values {
		if n := *c.of(v); int(n) >= least || n == math.MaxUint16 {
			dst = append(dst, v)
		}
	}
	return dst
}

// frequent appends to dst the values that occur at least a given number of times among sorted values.
func frequent(dst, sorted []uint64, least func(v uint64) int) []uint64 {
	for same := range sets.Runs(sorted, func(a, b uint64) bool { return a == b }) {
		if len(same) >= least(same[0]) {
			dst = append(dst, same[0])
		}
	}
	return dst
}

// template removes from the common values those that occur mostly on pages that are thin without them, and those that
// occur nearly only on pages with little else (see Boilerplate).
func (f *finder) template(common []uint64, sets [][]uint64) []uint64 {
	common = f.without(common, sets, f.c.Own, 0.5)
	return f.without(common, sets, max(f.c.Own, f.c.Whole), f.c.Copies)
}

// without removes values until thin pages are at most a given share of the pages with any of the rest. Each round lowers
// the largest share by at least a tenth, from 1 to a half, so there are at most 7 rounds.
func (f *finder) without(common []uint64, sets [][]uint64, own, most float64) []uint64 {
	for len(common) > 0 {
		share := f.thinShares(common, sets, own)
		worst := slices.Max(share)
		if worst <= most {
			break
		}
		var kept []uint64
		for i, v := range common {
			if share[i] < 0.9*worst {
				kept = append(kept, v)
			}
		}
		common = kept
	}
	return common
}

// thinShares returns for each common value the share of thin pages among the pages that have it. own is the share of its
// own that a page must have not to be thin.
func (f *finder) thinShares(common []uint64, sets [][]uint64, own float64) []float64 {
	b := Boilerplate{own: own, least: f.c.Least}
	have, thin := make([]int32, len(common)), make([]int32, len(common))
	var on []int // places of a page's common values
	for _, s := range sets {
		on = on[:0]
		for i, j := 0, 0; i < len(s) && j < len(common); {
			switch x, y := s[i], common[j]; {
			case x < y:
				i++
			case x > y:
				j++
			default:
				on = append(on, j)
				i, j = i+1, j+1
			}
		}
		isThin := b.thin(len(s)-len(on), len(s))
		for _, j := range on {
			have[j]++
			if isThin {
				thin[j]++
			}
		}
	}
	share := make([]float64, len(common))
	for i := range share {
		share[i] = float64(thin[i]) / float64(max(have[i], 1))
	}
	return share
}
