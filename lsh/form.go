package lsh

import (
	"cmp"
	"context"
	"math/bits"

	"github.com/lshclust/lshclust/minhash"
)

// batch is the number of pairs given to emit at a time.
const batch = 4096

// pieceRecords is about how many records of a column are one task, so that few
// columns keep all workers busy.
const pieceRecords = 1 << 16

// windowRecords is about how many records are looked at together: 80 KB of low
// bytes, 240 KB of rows.
const windowRecords = 1 << 10

// former forms the pairs of runs of one key at a time.
type former struct {
	*search
	ctx    context.Context
	worker int
	key    int
	before earlier // the keys before this one
	window window
	open   []question
	out    []Pair
	stats  Stats
}

// piece is some whole runs of a column.
type piece struct {
	key     int
	records []uint64
	last    bool // of its column
}

// form forms the pairs of all runs of the columns.
func (s *search) form(ctx context.Context, columns []column) error {
	var pieces []piece
	for _, c := range columns {
		for rest := c.records; ; {
			n := s.wholeRuns(rest, pieceRecords)
			pieces = append(pieces, piece{c.key, rest[:n], n == len(rest)})
			if rest = rest[n:]; len(rest) == 0 {
				break
			}
		}
	}
	err := s.each(ctx, len(pieces), func(worker, i int) error {
		f := &s.formers[worker]
		f.search, f.ctx, f.worker, f.key = s, ctx, worker, pieces[i].key
		f.before.set(s.x, f.key)
		err := f.piece(pieces[i].records)
		if pieces[i].last && err == nil {
			s.report(1)
		}
		return err
	})
	for i := range s.formers {
		s.stats.add(s.formers[i].stats)
		s.formers[i].stats = Stats{}
	}
	return err
}

// wholeRuns is the number of records, n or more if there are as many, after which
// a run ends.
func (s *search) wholeRuns(records []uint64, n int) int {
	if n >= len(records) {
		return len(records)
	}
	for n < len(records) && records[n]>>s.rowBits == records[n-1]>>s.rowBits {
		n++
	}
	return n
}

// piece forms the pairs of short runs window by window, so that many rows, which
// lie far apart, are on their way from memory at the same time.
func (f *former) piece(records []uint64) error {
	for len(records) > 0 {
		n := 0
		for n < len(records) && n < windowRecords {
			run := f.wholeRuns(records[n:], 1)
			if run > f.c.MaxRun {
				break
			}
			n += run
		}
		if err := f.shortRuns(records[:n]); err != nil {
			return err
		}
		records = records[n:]
		if n := f.wholeRuns(records, 1); n > f.c.MaxRun {
			if err := f.longRun(records[:n]); err != nil {
				return err
			}
			records = records[n:]
		}
	}
	return f.flush()
}

// shortRuns pairs the rows of each run all with all.
func (f *former) shortRuns(records []uint64) error {
	f.window.load(f.search, records)
	for i := range records {
		for j := i + 1; j < len(records) && records[i]>>f.rowBits == records[j]>>f.rowBits; j++ {
			f.pair(i, j)
		}
		if err := f.full(i); err != nil {
			return err
		}
	}
	f.answer()
	return nil
}

// longRun pairs each row with the first and with the next Reach.
func (f *former) longRun(run []uint64) error {
	n := uint64(len(run))
	formed := n - 1
	for at := 0; at < len(run); at += windowRecords {
		// The window starts with the run's first row.
		end := min(at+windowRecords, len(run))
		f.window.load(f.search, run[:1], run[at:min(end+f.c.Reach, len(run))])
		for i := at; i < end; i++ {
			in := i - at + 1
			if i == 0 {
				continue
			}
			f.pair(0, in)
			reach := min(f.c.Reach, len(run)-1-i)
			formed += uint64(reach)
			for j := in + 1; j <= in+reach; j++ {
				f.pair(in, j)
			}
			if err := f.full(i); err != nil {
				return err
			}
		}
		f.answer()
	}
	f.stats.PairsNotFormed += n*(n-1)/2 - formed
	return nil
}

// question is a pair that meets in a run: was it formed before, and does it agree
// enough? Most pairs of similar rows were, in each of their common keys but the
// first. A table of the pairs last seen (16 MB, in front of the rows) was tried and
// gained nothing: looking there misses the caches as often.
type question struct {
	i, j  int32 // places in the window
	first int32 // the first key that may be equal
}

// pair forms the pair of places i < j of the window, which meet in a run.
func (f *former) pair(i, j int) {
	f.stats.Collisions++
	f.open = append(f.open, question{i: int32(i), j: int32(j)})
	f.window.low.need(i)
	f.window.low.need(j)
	if len(f.open) == batch {
		f.answer()
	}
}

// answer counts the pairs of the open questions that are formed at this key for
// the first time and keeps those that agree enough.
func (f *former) answer() {
	f.askLow()
	f.window.whole.fetch()
	for _, q := range f.open {
		mask := f.window.whole.mask(q.i, q.j)
		if !mask.Contains(f.x.masks[f.key]) {
			continue
		}
		a, b := f.window.rows[q.i], f.window.rows[q.j]
		if f.formedBefore(a, b, int(q.first), mask) {
			continue
		}
		f.stats.CandidatePairs++
		if n := mask.Count(); n >= f.least {
			f.stats.Surviving++
			f.out = append(f.out, Pair{a, b, uint8(n)})
		}
	}
	f.open = f.open[:0]
}

// askLow answers the questions that the low bytes decide, since they show neither
// an earlier key nor enough agreement; the others remain. Most pairs that meet by
// chance are done with here.
func (f *former) askLow() {
	f.window.low.fetch()
	rest := f.open[:0]
	for _, q := range f.open {
		mask := f.window.low.mask(q.i, q.j)
		if !mask.Contains(f.x.masks[f.key]) {
			continue // different keys that are equal in the bits that were sorted
		}
		q.first = int32(f.firstKey(mask, 0))
		if int(q.first) == f.key && mask.Count() < f.least {
			f.stats.CandidatePairs++
			continue
		}
		f.window.whole.need(int(q.i))
		f.window.whole.need(int(q.j))
		rest = append(rest, q)
	}
	f.open = rest
}

// firstKey is the first key, from the given one on and before this one, whose
// signatures are all in the mask; this one if there is none.
func (f *former) firstKey(mask minhash.Bits, from int) int {
	if from == 0 && !f.before.may(mask) {
		return f.key
	}
	for key, subset := range f.x.masks[from:f.key] {
		if mask.Contains(subset) {
			return from + key
		}
	}
	return f.key
}

// earlier is the keys before one of them, by the two least signatures of their subsets: it tells at once that most pairs
// have none of them in common, where going through the keys takes three times as long.
type earlier struct {
	key    int
	second [minhash.MaxMask]minhash.Bits // by least signature; of a subset of one, itself
}

func (e *earlier) set(x *Index, key int) {
	if e.key > key {
		*e = earlier{}
	}
	for ; e.key < key; e.key++ {
		s := x.Subsets[e.key]
		second := s[min(1, len(s)-1)]
		e.second[s[0]][second>>6] |= 1 << (second & 63)
	}
}

// may tells whether rows with the given equal signatures may have one of the keys in common; for keys of one or two, they
// do.
func (e *earlier) may(equal minhash.Bits) bool {
	for w, set := range equal {
		for ; set != 0; set &= set - 1 {
			s := &e.second[w<<6|bits.TrailingZeros64(set)]
			if equal[0]&s[0]|equal[1]&s[1] != 0 {
				return true
			}
		}
	}
	return false
}

// formedBefore tells whether rows a < b with the given equal signatures were
// paired at a key before this one, from the given key on.
func (f *former) formedBefore(a, b uint32, from int, mask minhash.Bits) bool {
	for key := f.firstKey(mask, from); key < f.key; key = f.firstKey(mask, key+1) {
		if f.long[key].formed(a, b, f.c.Reach) {
			return true
		}
	}
	return false
}

// full empties a full buffer, and looks every 64 rows whether to stop.
func (f *former) full(i int) error {
	if len(f.out) >= batch {
		return f.flush()
	}
	if i%64 == 63 {
		return f.ctx.Err()
	}
	return nil
}

func (f *former) flush() error {
	if len(f.out) == 0 {
		return nil
	}
	err := f.emit(f.worker, f.out)
	f.out = f.out[:0]
	return cmp.Or(err, f.ctx.Err())
}
