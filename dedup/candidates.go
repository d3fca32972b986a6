package dedup

import (
	"bytes"
	"encoding/binary"

	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/minhash"
	"github.com/lshclust/lshclust/shingles"
)

// From here on, records are numbered by their rank: their place in the order of preference.

// rankAll puts the records in order of preference: those seen, then by the number in their rows, then by place.
func (j *job) rankAll() error {
	if j.Keep == "first" {
		return nil
	}
	s, err := j.sorter(16, 0, 4)
	if err != nil {
		return err
	}
	defer s.Close()
	a := s.Appender()
	var rec [13]byte
	for _, p := range j.parts {
		for i := range p.count() {
			doc := p.first + i
			rec[0] = 1
			if doc < j.seen {
				rec[0] = 0
			}
			binary.BigEndian.PutUint64(rec[1:], p.row(i)[rowOrder])
			binary.BigEndian.PutUint32(rec[9:], uint32(doc))
			if err := a.Append(append(rec[:], 0, 0, 0)); err != nil {
				return err
			}
		}
	}
	if err := a.Close(); err != nil {
		return err
	}
	j.order, j.rank = make([]uint32, 0, j.docs), make([]uint32, j.docs)
	return s.Each(j.ctx, func(rec []byte) error {
		doc := binary.BigEndian.Uint32(rec[9:])
		j.rank[doc] = uint32(len(j.order))
		j.order = append(j.order, doc)
		return nil
	})
}

func (j *job) rankOf(doc int) uint32 {
	if j.rank == nil {
		return uint32(doc)
	}
	return j.rank[doc]
}

func (j *job) docOf(rank uint32) uint32 {
	if j.order == nil {
		return rank
	}
	return j.order[rank]
}

// An event says why a record may go: it is the twin of another, forms a pair with another, or is among the many that have
// a key. Events are in the order of the ranks of the records, and those with the record preferred come first.
//
//	4 bytes  rank of the record
//	1 byte   kind
//	4 bytes  rank of the other, or the key
type event [12]byte

const (
	twinOf byte = iota // the other has the same words and is the first of those that have
	pairOf             // signatures agree
	inBand             // inBand+k: more than reach records have this key of band k
)

func newEvent(rank uint32, kind byte, other uint32) (e event) {
	binary.BigEndian.PutUint32(e[:], rank)
	e[4] = kind
	binary.BigEndian.PutUint32(e[5:], other)
	return e
}

// candidates finds the events. twin has a bit for each rank that is a twin or takes no part, first one for each rank that
// has twins.
func (j *job) candidates(twin, first bitmap) (events *extsort.Sorter, err error) {
	if events, err = j.sorter(len(event{}), 0, 8); err != nil {
		return nil, err
	}
	if err := j.twins(events, twin, first); err != nil {
		return events, err
	}
	if j.Contained > 0 {
		if err := j.contained(events, twin); err != nil {
			return events, err
		}
	}
	workers := min(j.Workers, bins/bandBytes)
	least := shingles.LeastAgreeing(bins, j.Near, missed)
	err = parallel.Each(j.ctx, bins/bandBytes, workers, func(_, k int) error {
		j.progress("candidates", int64(k), bins/bandBytes)
		b := band{job: j, events: events.Appender(), kind: inBand + byte(k), least: least}
		return b.search(k, twin, 8*workers)
	})
	return events, err
}

// twins finds records whose words are equal.
func (j *job) twins(events *extsort.Sorter, twin, first bitmap) error {
	s, err := j.sorter(20, 0, 4)
	if err != nil {
		return err
	}
	defer s.Close()
	a := s.Appender()
	var rec, last [20]byte
	for _, p := range j.parts {
		for i := range p.count() {
			rank := j.rankOf(p.first + i)
			if row := p.row(i); row[rowWords] > 0 && !twin.has(rank) {
				binary.BigEndian.PutUint64(rec[:], row[rowDigest])
				binary.BigEndian.PutUint64(rec[8:], row[rowDigest+1])
				binary.BigEndian.PutUint32(rec[16:], rank)
				if err := a.Append(rec[:]); err != nil {
					return err
				}
			}
		}
	}
	if err := a.Close(); err != nil {
		return err
	}
	to, begun := events.Appender(), false
	defer to.Close()
	err = s.Each(j.ctx, func(rec []byte) error {
		if !begun || !bytes.Equal(rec[:16], last[:16]) {
			copy(last[:], rec)
			begun = true
			return nil
		}
		rank, rep := binary.BigEndian.Uint32(rec[16:]), binary.BigEndian.Uint32(last[16:])
		twin.set(rank)
		first.set(rep)
		e := newEvent(rank, twinOf, rep)
		return to.Append(e[:])
	})
	if err != nil {
		return err
	}
	return to.Close()
}

// band finds candidates by one key of the signatures.
type band struct {
	*job
	events *extsort.Appender
	kind   byte
	least  []int
	key    uint32
	ranks  []uint32 // the first records that have the key, at most reach+1
	signs  [reach + 1][]byte
	words  [reach + 1]int
}

// search looks at band k. Texts that are too short, and twins of others, have no keys.
func (b *band) search(k int, twin bitmap, share int) error {
	s, err := b.sorter(8, 0, share)
	if err != nil {
		return err
	}
	defer s.Close()
	a := s.Appender()
	var rec [8]byte
	for _, p := range b.parts {
		for i := range p.count() {
			rank := b.rankOf(p.first + i)
			if p.row(i)[rowWords] < shortText || twin.has(rank) {
				continue
			}
			binary.BigEndian.PutUint32(rec[:], binary.BigEndian.Uint32(p.sign(i)[k*bandBytes:]))
			binary.BigEndian.PutUint32(rec[4:], rank)
			if err := a.Append(rec[:]); err != nil {
				return err
			}
		}
	}
	if err := a.Close(); err != nil {
		return err
	}
	err = s.Each(b.ctx, func(rec []byte) error {
		key, rank := binary.BigEndian.Uint32(rec), binary.BigEndian.Uint32(rec[4:])
		if len(b.ranks) > 0 && key != b.key {
			if err := b.end(); err != nil {
				return err
			}
		}
		b.key = key
		if len(b.ranks) <= reach {
			if b.ranks = append(b.ranks, rank); len(b.ranks) > reach {
				return b.member(b.ranks...)
			}
			return nil
		}
		return b.member(rank)
	})
	if err == nil {
		err = b.end()
	}
	if err != nil {
		return err
	}
	return b.events.Close()
}

// member makes events for records with a key that many have.
func (b *band) member(ranks ...uint32) error {
	for _, rank := range ranks {
		e := newEvent(rank, b.kind, b.key)
		if err := b.events.Append(e[:]); err != nil {
			return err
		}
	}
	return nil
}

// end makes events for the pairs of records that have the key, if they are few.
func (b *band) end() error {
	ranks := b.ranks
	b.ranks = b.ranks[:0]
	if len(ranks) < 2 || len(ranks) > reach {
		return nil
	}
	for i, rank := range ranks {
		p, at := b.at(b.docOf(rank))
		b.signs[i], b.words[i] = p.sign(at), int(p.row(at)[rowWords])
		for k := range i {
			if b.docOf(rank) >= uint32(b.seen) && b.agree(i, k) {
				e := newEvent(rank, pairOf, ranks[k])
				if err := b.events.Append(e[:]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (b *band) agree(i, k int) bool {
	return agree(b.least, b.signs[i], b.signs[k], b.words[i], b.words[k])
}

// agree reports whether the signatures of texts of so many words agree enough.
func agree(least []int, a, b []byte, wordsA, wordsB int) bool {
	return minhash.LowMask(a, b).Count() >= least[min(max(min(wordsA, wordsB)-shingleWords+1, 0), len(least)-1)]
}

// bitmap has a bit for each rank.
type bitmap []uint64

func newBitmap(n int) bitmap       { return make(bitmap, (n+63)/64) }
func (b bitmap) set(i uint32)      { b[i/64] |= 1 << (i % 64) }
func (b bitmap) has(i uint32) bool { return b[i/64]>>(i%64)&1 != 0 }
