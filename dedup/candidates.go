package dedup

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/minhash"
	"github.com/lshclust/lshclust/shingles"
)

// From here on, records are numbered by their rank: their place in the order of preference.

// matcher finds candidates.
type matcher struct {
	*job
	order
	rank   []uint32 // of each record; nil if it is its number
	twin   bitmap   // by rank: has the words of a record that is preferred, or takes no part
	heads  bitmap   // by rank: has twins
	events *extsort.Sorter
}

// order holds the record of each rank. It is empty if that is the rank.
type order []uint32

func (o order) docOf(rank uint32) uint32 {
	if len(o) == 0 {
		return rank
	}
	return o[rank]
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
	pairOf             // signatures or samples agree
	inBand             // inBand+k: more than reach records have this key of band k
)

func newEvent(rank uint32, kind byte, other uint32) []byte {
	e := event{4: kind}
	binary.BigEndian.PutUint32(e[:], rank)
	binary.BigEndian.PutUint32(e[5:], other)
	return e[:]
}

func (e *event) rank() uint32  { return binary.BigEndian.Uint32(e[:]) }
func (e *event) other() uint32 { return binary.BigEndian.Uint32(e[5:]) }

// findCandidates numbers the records, ranks them, and writes the events.
func (j *job) findCandidates(*engine, int) error {
	if err := j.openAll(); err != nil {
		return err
	}
	j.number()
	m := &matcher{job: j, twin: newBitmap(j.docs), heads: newBitmap(j.docs)}
	var err error
	if m.events, err = j.sorter(len(event{}), 8); err != nil {
		return err
	}
	defer m.events.Close()
	if err := m.rankAll(); err != nil {
		return err
	}
	for _, leaker := range j.leakers() {
		m.twin.set(m.rankOf(int(leaker.doc)))
	}
	if err := m.twins(); err != nil {
		return err
	}
	if j.Contained > 0 {
		if err := m.contained(); err != nil {
			return err
		}
	}
	bands := bins / j.bandBytes()
	workers := min(j.Workers, bands)
	least := shingles.LeastAgreeing(bins, j.Near, missed)
	err = parallel.Each(j.ctx, bands, workers, func(_, k int) error {
		j.progress("candidates", int64(k), int64(bands))
		b := band{matcher: m, to: m.events.Appender(), kind: inBand + byte(k), least: least}
		return b.search(k, 8*workers)
	})
	if err != nil {
		return err
	}
	return j.create(j.file("candidates", 0), m.write)
}

// rankAll puts the records in order of preference: those seen, then by the number in their rows, then by place.
func (m *matcher) rankAll() error {
	if m.Keep == "first" {
		return nil
	}
	m.order, m.rank = make(order, 0, m.docs), make([]uint32, m.docs)
	known := m.docs == 0
	err := m.sorted(16, 4, func(a *extsort.Appender) error {
		var rec [16]byte
		return m.each(func(p *part, i int, doc uint32) error {
			known = known || p.row(i)[rowOrder] != unordered
			rec[0] = byte(sets.One(int(doc) >= m.seen))
			binary.BigEndian.PutUint64(rec[1:], p.row(i)[rowOrder])
			binary.BigEndian.PutUint32(rec[9:], doc)
			return a.Append(rec[:])
		})
	}, func(rec []byte) error {
		doc := binary.BigEndian.Uint32(rec[9:])
		m.rank[doc] = uint32(len(m.order))
		m.order = append(m.order, doc)
		return nil
	})
	if err == nil && !known {
		err = fmt.Errorf("keep %s: no record has such a value", m.Keep)
	}
	return err
}

// each calls f for every record until there is an error.
func (m *matcher) each(f func(p *part, i int, doc uint32) error) error {
	for _, p := range m.parts {
		for i := range p.count() {
			if err := f(p, i, uint32(p.first+i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *matcher) rankOf(doc int) uint32 {
	if m.rank == nil {
		return uint32(doc)
	}
	return m.rank[doc]
}

// twins finds records whose words are equal.
func (m *matcher) twins() error {
	to := m.events.Appender()
	defer to.Close()
	var last [20]byte
	begun := false
	err := m.sorted(len(last), 4, func(a *extsort.Appender) error {
		var rec [20]byte
		return m.each(func(p *part, i int, doc uint32) error {
			row, rank := p.row(i), m.rankOf(int(doc))
			if words(row) == 0 || m.twin.has(rank) {
				return nil
			}
			binary.BigEndian.PutUint64(rec[:], row[rowDigest])
			binary.BigEndian.PutUint64(rec[8:], row[rowDigest+1])
			binary.BigEndian.PutUint32(rec[16:], rank)
			return a.Append(rec[:])
		})
	}, func(rec []byte) error {
		if !begun || !bytes.Equal(rec[:16], last[:16]) {
			begun = true
			copy(last[:], rec)
			return nil
		}
		rank, head := binary.BigEndian.Uint32(rec[16:]), binary.BigEndian.Uint32(last[16:])
		m.twin.set(rank)
		m.heads.set(head)
		return to.Append(newEvent(rank, twinOf, head))
	})
	if err != nil {
		return err
	}
	return to.Close()
}

// band finds candidates by one key of the signatures.
type band struct {
	*matcher
	to    *extsort.Appender
	kind  byte
	least []int
	key   uint32
	ranks []uint32 // the first records that have the key, at most reach+1
	signs [reach + 1][]byte
	words [reach + 1]int
}

// search looks at band k. Texts that are too short, and twins of others, have no keys.
func (b *band) search(k int, share int) error {
	defer b.to.Close()
	size := b.bandBytes()
	err := b.sorted(8, share, func(a *extsort.Appender) error {
		var rec [8]byte
		return b.each(func(p *part, i int, doc uint32) error {
			rank := b.rankOf(int(doc))
			if counted(p.row(i)) < shortText || b.twin.has(rank) {
				return nil
			}
			copy(rec[:], p.sign(i)[k*size:][:size])
			binary.BigEndian.PutUint32(rec[4:], rank)
			return a.Append(rec[:])
		})
	}, b.take)
	if err == nil {
		err = b.end()
	}
	if err != nil {
		return err
	}
	return b.to.Close()
}

// take takes a key and a record in their order.
func (b *band) take(rec []byte) error {
	key, rank := binary.BigEndian.Uint32(rec), binary.BigEndian.Uint32(rec[4:])
	if len(b.ranks) > 0 && key != b.key {
		if err := b.end(); err != nil {
			return err
		}
	}
	b.key = key
	if len(b.ranks) > reach {
		return b.to.Append(newEvent(rank, b.kind, key))
	}
	if b.ranks = append(b.ranks, rank); len(b.ranks) <= reach {
		return nil
	}
	for _, rank := range b.ranks {
		if err := b.to.Append(newEvent(rank, b.kind, key)); err != nil {
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
		b.signs[i], b.words[i] = p.sign(at), counted(p.row(at))
		for k := range i {
			if b.docOf(rank) >= uint32(b.seen) && agree(b.least, b.signs[i], b.signs[k], b.words[i], b.words[k]) {
				if err := b.to.Append(newEvent(rank, pairOf, ranks[k])); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// agree reports whether the signatures of texts of so many words agree enough.
func agree(least []int, a, b []byte, wordsA, wordsB int) bool {
	return minhash.LowMask(a, b).Count() >= least[min(max(min(wordsA, wordsB)-shingleWords+1, 0), len(least)-1)]
}

// write writes what was found, with the records of each part whose sets are wanted.
func (m *matcher) write(w *mapped.Writer) error {
	wanted := newBitmap(m.docs)
	var t matchTable
	w.Declare("", &t)
	err := m.events.Each(m.ctx, func(rec []byte) error {
		t.events.AddBytes(rec)
		e := event(rec)
		if e[4] != twinOf {
			wanted.set(e.rank())
		}
		if e[4] == pairOf {
			wanted.set(e.other())
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, p := range m.parts {
		n := 0
		for i := range p.count() {
			if wanted.has(m.rankOf(p.first + i)) {
				t.wanted.Add(uint32(i))
				n++
			}
		}
		t.begins.Add(n)
	}
	t.numbers.AddAll([]uint64{uint64(m.docs), uint64(m.seen)})
	for _, f := range m.files {
		for _, s := range f.stretches {
			t.numbers.AddAll([]uint64{uint64(s.first), uint64(s.line)})
		}
	}
	t.heads.AddAll(m.heads)
	t.docs.AddAll(m.order)
	return nil
}

// matchTable holds what the step candidates has found.
type matchTable struct {
	events  mapped.Numbers[byte]   `lsh:"events,stream"`
	wanted  mapped.Numbers[uint32] `lsh:"wanted,stream"` // records of the parts whose sets are wanted
	docs    mapped.Numbers[uint32] `lsh:"docs,stream"`   // see order
	begins  mapped.Starts          `lsh:"begins"`        // of the wanted ones of each part
	numbers mapped.Numbers[uint64] `lsh:"numbers"`       // of the records, of those seen, and of each stretch the first record and line
	heads   mapped.Numbers[uint64] `lsh:"heads"`
}

// matches is what the step candidates has found.
type matches struct {
	matchTable
	order
	heads bitmap
}

// openMatches reads what the step candidates has found, and numbers the records. The file stays open.
func (j *job) openMatches() (*matches, error) {
	m := &matches{}
	if err := j.load(j.file("candidates", 0), &m.matchTable); err != nil {
		return nil, err
	}
	m.order, m.heads = m.docs.All(), m.matchTable.heads.All()
	numbers := m.numbers.All()
	j.docs, j.seen, numbers = int(numbers[0]), int(numbers[1]), numbers[2:]
	for _, f := range j.files {
		for _, s := range f.stretches {
			s.first, s.line, numbers = int(numbers[0]), int64(numbers[1]), numbers[2:]
		}
	}
	for _, p := range j.parts {
		p.first = p.stretches[0].first
	}
	return m, nil
}

// bitmap has a bit for each rank.
type bitmap []uint64

func newBitmap(n int) bitmap       { return make(bitmap, (n+63)/64) }
func (b bitmap) set(i uint32)      { b[i/64] |= 1 << (i % 64) }
func (b bitmap) has(i uint32) bool { return b[i/64]>>(i%64)&1 != 0 }
