package resemble

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/shingles"
)

// search is the common part of all searches for pairs: it chooses the documents that take part, and compares
// candidates.
type search struct {
	docs   Documents
	equal  *Equal
	strip  *Boilerplate
	c      Config
	tiers  tiers
	tier   []uint8 // of each document; outside if it takes no part
	across across
	emit   func([]Pair) error
	stats  Stats
	kinds  []kinds // by worker
	comps  []comparer
}

// outside is the tier of a document that takes no part.
const outside = 0xff

// kinds counts documents by how they are treated.
type kinds struct{ all, empty, short, fine, stripped, scant, whole, notices uint64 }

func newSearch(docs Documents, equal *Equal, strip *Boilerplate, c Config, emit func([]Pair) error) (*search, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := checkSame(docs, equal); err != nil {
		return nil, err
	}
	s := &search{docs: docs, equal: equal, strip: strip, c: c, tiers: newTiers(c.M), emit: emit}
	s.tier = make([]uint8, docs.Len())
	s.across.from = s.tiers.top()
	s.kinds = make([]kinds, c.workers())
	s.comps = make([]comparer, c.workers())
	for i := range s.comps {
		s.comps[i] = comparer{docs: docs, strip: strip}
	}
	s.stats.Documents = uint64(docs.Len())
	return s, nil
}

// own returns the shingles of a document that takes part, and sets its tier. For other documents ok is false.
func (s *search) own(worker int, id uint32) (own []uint64, ok bool) {
	s.tier[id] = outside
	if s.equal.Relation(id) != Alone {
		return nil, false
	}
	k := &s.kinds[worker]
	k.all++
	if isNotice(s.docs, id) {
		k.notices++
		return nil, false
	}
	c := &s.comps[worker]
	values := valuesIn(&c.wholeA, s.docs, id)
	own, dropped := c.own(&c.a, values, s.docs.Host(id))
	if len(own) == 0 {
		k.empty++
		return nil, false
	}
	if dropped > 0 {
		k.stripped++
		k.scant += uint64(toInt(4*len(own) < len(values)))
	} else if sets.Meet(values, s.strip.Of(s.docs.Host(id))) {
		k.whole++
	}
	if len(own) < s.c.MinShingles {
		k.short++
		return nil, false
	}
	s.tier[id] = s.tiers.of(len(own))
	if s.tier[id] < s.tiers.top() {
		k.fine++
	}
	return own, true
}

type ids struct{ a, b uint32 }

// find finds the documents that share keys, compares the candidates among their pairs and emits those that are similar.
// All pairs of a batch that compare receives have the same a, and their b ascend.
func (s *search) find(ctx context.Context, j *selfJoin, candidate func(a, b uint32, n int) bool, compare func(worker int, batch []ids) ([]Pair, error)) error {
	j.docs, j.res = s.docs.Len(), s.c.Resources
	j.selfJoinConfig = selfJoinConfig{s.c.MaxCommon, s.c.MaxPairs, s.c.Reach}
	j.candidate = candidate
	var compared atomic.Uint64
	batches := make([][]ids, s.c.workers())
	access, begin := accessTo(s.docs), sync.Once{}
	work := func(worker int, a uint32, near []partner) ([]Pair, error) {
		batch := batches[worker][:0]
		for _, p := range near {
			if candidate(a, p.id, int(p.n)) {
				batch = append(batch, ids{a, p.id})
			}
		}
		batches[worker] = batch
		compared.Add(uint64(len(batch)))
		slices.SortFunc(batch, func(x, y ids) int { return cmp.Compare(x.b, y.b) })
		begin.Do(func() { access.Scattered(true) }) // until now, sets were read in their order
		for _, i := range batch {
			access.Fetch(i.b)
		}
		return compare(worker, batch)
	}
	err := j.pairs(ctx, work, s.give)
	access.Scattered(false)
	s.stats.SelfJoin = j.stats
	s.stats.Compared, s.stats.TurnedAway = compared.Load(), j.stats.Pairs-compared.Load()
	s.countKinds()
	return err
}

// compare compares pairs with the same a and returns the pairs to emit.
func (s *search) compare(worker int, batch []ids) ([]Pair, error) {
	c := &s.comps[worker]
	var found []Pair
	for _, i := range batch {
		as, bs := c.pair(i.a, i.b)
		both := sets.CommonOf(as, bs, s.leastCommon(len(as), len(bs)))
		p := Pair{A: i.a, B: i.b, Exact: shingles.Overlap{A: len(as), B: len(bs), Both: both}}
		if p.Resemblance() < s.c.Floor && p.Containment() < s.c.Containment {
			continue
		}
		t := s.across.between(s.tier[i.a], s.tier[i.b])
		p.Sample = p.Exact
		if t > 0 {
			c.sampleA = s.tiers.sample(c.sampleA[:0], as, t)
			c.sampleB = s.tiers.sample(c.sampleB[:0], bs, t)
			p.Sample = overlap(c.sampleA, c.sampleB)
		}
		found = append(found, p)
	}
	return found, nil
}

// leastCommon returns a number of values that two sets of some sizes have in common at least if they are similar.
func (s *search) leastCommon(a, b int) int {
	least := s.c.Floor / (1 + s.c.Floor) * float64(a+b)
	return int(min(least, s.c.Containment*float64(min(a, b))))
}

func (s *search) give(pairs []Pair) error {
	for _, p := range pairs {
		if p.Resemblance() >= s.c.Floor {
			s.stats.Similar++
		} else {
			s.stats.Contained++
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	return s.emit(pairs)
}

func (s *search) countKinds() {
	for _, k := range s.kinds {
		s.stats.Representatives += k.all
		s.stats.Empty += k.empty
		s.stats.Notices += k.notices
		s.stats.Short += k.short
		s.stats.Fine += k.fine
		s.stats.Stripped += k.stripped
		s.stats.Scant += k.scant
		s.stats.MostlyBoilerplate += k.whole
	}
}
