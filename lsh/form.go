package lsh

import (
	"cmp"
	"context"
	"math/bits"

	"github.com/lshclust/lshclust/minhash"
)

// batch is the number of pairs that emit receives at a time.
const batch = 4096

// pieceRecords is the approximate number of records of a column that make up one task, so that even a few columns keep
// all workers busy.
const pieceRecords = 1 << 16

// windowRecords is the approximate number of records in a window: 80 KB of low bytes, 240 KB of rows.
const windowRecords = 1 << 10

// former forms the pairs of one key at a time.
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

// piece is some whole buckets of a column.
type piece struct {
	key     int
	records []uint64
	last    bool // of its column
}

// form forms the pairs of all buckets of the columns.
func (s *search) form(ctx context.Context, columns []column) error {
	var pieces []piece
	for _, c := range columns {
		for rest := c.records; ; {
			n := s.wholeBuckets(rest, pieceRecords)
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

// wholeBuckets returns the least number of records, n or more, after which a bucket ends. If there are fewer than n
// records, it returns their number.
func (s *search) wholeBuckets(records []uint64, n int) int {
	if n >= len(records) {
		return len(records)
	}
	for n < len(records) && records[n]>>s.rowBits == records[n-1]>>s.rowBits {
		n++
	}
	return n
}

// piece forms the pairs of small buckets window by window, so that many rows, which lie far apart, are fetched from
// memory at the same time.
func (f *former) piece(records []uint64) error {
	for len(records) > 0 {
		n := 0
		for n < len(records) && n < windowRecords {
			bucket := f.wholeBuckets(records[n:], 1)
			if bucket > f.c.MaxBucket {
				break
			}
			n += bucket
		}
		if err := f.smallBuckets(records[:n]); err != nil {
			return err
		}
		records = records[n:]
		if n := f.wholeBuckets(records, 1); n > f.c.MaxBucket {
			if err := f.largeBucket(records[:n]); err != nil {
				return err
			}
			records = records[n:]
		}
	}
	return f.flush()
}

// smallBuckets pairs the rows of each bucket all with all.
func (f *former) smallBuckets(records []uint64) error {
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

// largeBucket pairs each row with the first row of the bucket and with the next Reach rows.
func (f *former) largeBucket(bucket []uint64) error {
	n := uint64(len(bucket))
	formed := n - 1
	for at := 0; at < len(bucket); at += windowRecords {
		// The window starts with the first row of the bucket.
		end := min(at+windowRecords, len(bucket))
		f.window.load(f.search, bucket[:1], bucket[at:min(end+f.c.Reach, len(bucket))])
		for i := at; i < end; i++ {
			in := i - at + 1
			if i == 0 {
				continue
			}
			f.pair(0, in)
			reach := min(f.c.Reach, len(bucket)-1-i)
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

// question is a pair that meets in a bucket and is still to be examined: was it formed at an earlier key, and does it
// agree in enough signatures? Most pairs of similar rows were formed before, at the first of their common keys. A table
// of the pairs seen last (16 MB, consulted before the rows) was tried and gained nothing, because a lookup there misses
// the caches as often.
type question struct {
	i, j  int32 // places in the window
	first int32 // the first key that may be equal
}

// pair adds the question for the places i < j of the window, which meet in a bucket.
func (f *former) pair(i, j int) {
	f.stats.Collisions++
	f.open = append(f.open, question{i: int32(i), j: int32(j)})
	f.window.low.need(i)
	f.window.low.need(j)
	if len(f.open) == batch {
		f.answer()
	}
}

// answer answers the open questions: it counts the pairs that are formed at this key for the first time and keeps those
// that agree in enough signatures.
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

// askLow answers the questions that the low bytes alone decide, because these allow neither an earlier common key nor
// enough agreement. The other questions remain open. Most pairs that meet by chance are settled here.
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

// firstKey returns the first key whose signatures are all in the mask, among the keys from the given one up to the
// current one. If there is none before the current key, it returns the current key.
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

// earlier summarizes the keys before a given one by the two lowest signatures of each subset. For most pairs the
// summary alone shows that they have no earlier key in common; going through the keys instead takes three times as
// long.
type earlier struct {
	key    int
	second [minhash.MaxMask]minhash.Bits // second lowest signatures by lowest signature; a subset of one has its signature twice
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

// may tells whether rows with the given equal signatures may have one of the keys in common. For keys of one or two
// signatures, the answer is exact.
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

// formedBefore tells whether rows a < b with the given equal signatures were paired at a key before the current one. It
// starts with the given key.
func (f *former) formedBefore(a, b uint32, from int, mask minhash.Bits) bool {
	for key := f.firstKey(mask, from); key < f.key; key = f.firstKey(mask, key+1) {
		if f.large[key].formed(a, b, f.c.Reach) {
			return true
		}
	}
	return false
}

// full flushes the buffer if it is full, and checks every 64 rows whether to stop.
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
