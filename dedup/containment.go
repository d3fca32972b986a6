package dedup

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"os"
	"slices"

	"github.com/lshclust/lshclust/internal/binomial"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/sets"
)

// Containment is not seen by signatures: a small text hardly resembles a large one that contains it. Its candidates are
// found by samples: the shingles that are 0 modulo sampled, of each its upper half. A record asks with its first samples
// which of the records preferred to it have them. Those that have one of the rarest are compared by all samples.

const (
	sampled = 8
	asking  = 8 // samples with which a record asks, the first ones in ascending order
	rarest  = 4 // of those that others have, the number whose others are looked at

	missedSamples = 1e-2 // probability that what a record contains in part, exactly enough, is turned away
)

var missedDeviations = binomial.Quantile(missedSamples)

// sampler collects the samples of a record. It is a sink.
type sampler struct{ values []uint32 }

// AddAll implements shingles.Sink. It has no branches, which would be mispredicted.
func (s *sampler) AddAll(values []uint64) {
	n := len(s.values)
	s.values = slices.Grow(s.values, len(values))[:n+len(values)]
	for _, v := range values {
		s.values[n] = uint32(v >> 32)
		n += sets.One(v%sampled == 0)
	}
	s.values = s.values[:n]
}

// posting is a sample of a record, 4 bytes, and the rank, 4 bytes, in the order of both.
type posting [8]byte

// postings is a list of all of them.
type postings struct {
	list mapped.Numbers[uint64] `lsh:"list,stream"`
}

// contained adds pairs of a record and another that may contain it to the events.
func (m *matcher) contained() error {
	path := m.file("postings", 0)
	if err := m.create(path, m.writePostings); err != nil {
		return err
	}
	f, err := m.open(path)
	if err != nil {
		return err
	}
	var t postings
	if err := f.Load("", &t); err != nil {
		return err
	}
	to := m.events.Appender()
	defer to.Close()
	most := max(int(m.Memory/8)/binary.Size(rarity{}), 1<<16)
	for from := 0; from < m.docs; from += most {
		if err := m.containers(t.list.All(), uint32(from), min(most, m.docs-from), to); err != nil {
			return err
		}
	}
	return cmp.Or(to.Close(), f.Err(), os.Remove(path))
}

// asked returns a bitmap of the samples with which records ask, by their upper bits, and the number of bits to leave out.
func (m *matcher) asked() (asked bitmap, shift int) {
	shift = bits.LeadingZeros32(uint32(min(8*asking*int64(m.docs), 2*m.Memory, math.MaxUint32)))
	asked = newBitmap(1 << (32 - shift))
	for _, p := range m.parts {
		for i := range p.count() {
			samples := p.sample(i)
			for _, v := range samples[:min(len(samples), asking)] {
				asked.set(v >> shift)
			}
		}
	}
	return asked, shift
}

// writePostings writes a sorted list of the samples with which records ask.
func (m *matcher) writePostings(w *mapped.Writer) error {
	asked, shift := m.asked()
	var t postings
	w.Declare("", &t)
	return m.sorted(len(posting{}), 4, func(a *extsort.Appender) error {
		var x posting
		return m.each(func(p *part, i int, doc uint32) error {
			rank := m.rankOf(int(doc))
			if m.twin.has(rank) {
				return nil
			}
			binary.BigEndian.PutUint32(x[4:], rank)
			for _, v := range p.sample(i) {
				if !asked.has(v >> shift) {
					continue
				}
				binary.BigEndian.PutUint32(x[:], v)
				if err := a.Append(x[:]); err != nil {
					return err
				}
			}
			return nil
		})
	}, func(rec []byte) error {
		t.list.Add(binary.BigEndian.Uint64(rec))
		return nil
	})
}

// rarity has the rarest samples of a record among those that preferred records have, too.
type rarity struct {
	N       uint32         // number of these samples
	Samples [rarest]uint64 // preferred records that have the sample, in the upper bits; the place of the first in the list
}

const placeBits = 40

// add adds a sample that n preferred records have.
func (r *rarity) add(n, place int) {
	x := uint64(min(n, 1<<(64-placeBits)-1))<<placeBits | uint64(place)
	r.N++
	for i := range r.Samples {
		if have := r.Samples[i]; i >= int(r.N)-1 || x < have {
			r.Samples[i], x = x, have
		}
	}
}

// containers adds the pairs of n records, from a rank on.
func (m *matcher) containers(postings []uint64, from uint32, n int, to *extsort.Appender) error {
	found, first := make([]rarity, n), 0
	for at := 1; at < len(postings); at++ {
		if x := postings[at]; x>>32 != postings[at-1]>>32 {
			first = at
		} else if i := uint32(x) - from; i < uint32(n) {
			found[i].add(at-first, first)
		}
	}
	var others []uint32
	for i := range found {
		r, rank := &found[i], from+uint32(i)
		p, at := m.at(m.docOf(rank))
		samples := p.sample(at)
		asking := samples[:min(len(samples), asking)]
		leastAsking := m.leastSamples(len(asking))
		if int(r.N) < leastAsking || p.first+at < m.seen || counted(p.row(at)) < shortText {
			continue
		}
		others = others[:0]
		for _, x := range r.Samples[:min(r.N, rarest)] {
			for k := range min(int(x>>placeBits), reach) {
				others = append(others, uint32(postings[int(x&(1<<placeBits-1))+k]))
			}
		}
		slices.Sort(others)
		least := m.leastSamples(len(samples))
		for _, other := range slices.Compact(others) {
			q, k := m.at(m.docOf(other))
			if have := q.sample(k); sets.CommonOf(asking, have, leastAsking) >= leastAsking && sets.CommonOf(samples, have, least) >= least {
				if err := to.Append(newEvent(rank, pairOf, other)); err != nil {
					return err
				}
			}
		}
	}
	return m.ctx.Err()
}

// leastSamples returns how many of n samples a record has, with probability 1-missedSamples, that contains enough of a text.
func (m *matcher) leastSamples(n int) int {
	c := m.Contained
	return int(math.Ceil(float64(n)*c + missedDeviations*math.Sqrt(float64(n)*c*(1-c))))
}
