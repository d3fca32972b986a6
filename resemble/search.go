package resemble

import (
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
	shift  int // of values, that makes keys of them
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
	s.shift = keyShift(docs)
	return s, nil
}

// takesPart reports whether a document of a number of shingles takes part, and sets its tier.
func (s *search) takesPart(worker int, id uint32, n int) bool {
	s.tier[id] = outside
	k := &s.kinds[worker]
	switch {
	case s.equal.Relation(id) != Alone:
		return false
	case isNotice(s.docs, id):
		k.notices++
	case n == 0:
		k.empty++
	case n < s.c.MinShingles:
		k.short++
	default:
		s.tier[id] = s.tiers.of(n)
		k.fine += uint64(sets.One(s.tier[id] < s.tiers.top()))
	}
	k.all++
	return s.tier[id] != outside
}

// own returns the shingles of a document that takes part, and sets its tier. For other documents ok is false.
func (s *search) own(worker int, id uint32) (own []uint64, ok bool) {
	s.tier[id] = outside
	if s.equal.Relation(id) != Alone || isNotice(s.docs, id) {
		return nil, s.takesPart(worker, id, 0)
	}
	k, c, host := &s.kinds[worker], &s.comps[worker], s.docs.Host(id)
	values := valuesIn(&c.wholeA, s.docs, id)
	own, dropped := c.own(&c.a, values, host)
	if len(own) > 0 && dropped > 0 {
		k.stripped++
		k.scant += uint64(sets.One(4*len(own) < len(values)))
	} else if len(own) > 0 && sets.Meet(values, s.strip.Of(host)) {
		k.whole++
	}
	return own, s.takesPart(worker, id, len(own))
}

type ids struct{ a, b uint32 }

// find finds the documents that share keys, compares the candidates among their pairs and emits those that are similar.
// The pairs of a batch that compare receives ascend.
func (s *search) find(ctx context.Context, j *selfJoin, candidate func(a, b uint32) bool, compare func(worker int, batch []ids) ([]Pair, error)) error {
	j.docs, j.res = s.docs.Len(), s.c.Resources
	j.selfJoinConfig = selfJoinConfig{s.c.MaxCommon, s.c.MaxPairs, s.c.Reach}
	var compared atomic.Uint64
	access, begin := accessTo(s.docs), sync.Once{}
	work := func(worker int, batch []ids) ([]Pair, error) {
		if candidate != nil {
			batch = slices.DeleteFunc(batch, func(i ids) bool { return !candidate(i.a, i.b) })
		}
		compared.Add(uint64(len(batch)))
		begin.Do(func() { access.Scattered(true) }) // until now, sets were read in their order
		for _, i := range batch {
			access.Fetch(i.b)
		}
		return compare(worker, batch)
	}
	err := j.pairs(ctx, work, s.give)
	access.Scattered(false)
	s.stats.SelfJoin, s.stats.MostlyIgnored = j.stats, j.stats.MostlyInPart
	s.stats.Compared, s.stats.TurnedAway = compared.Load(), j.stats.Pairs-compared.Load()
	s.countKinds()
	return err
}

// compare compares pairs and returns the pairs to emit.
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
