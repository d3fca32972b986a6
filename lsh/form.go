package lsh

import (
	"cmp"
	"context"
	"math/bits"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/minhash"
)

// batch is the number of pairs that emit receives at a time.
const batch = 4096

// pieceRecords is the approximate number of records of a column in one task, so that even a few columns keep all
// workers busy.
const pieceRecords = 1 << 16

// windowRecords is the approximate number of records in a window: 80 KB of low bytes, 240 KB of rows.
const windowRecords = 1 << 10

// former forms the pairs of one key at a time.
type former struct {
	*search
	ctx    context.Context
	worker int
	key    int
	judge  *judge  // nil if the index has none
	before earlier // the keys before this one, without a judge
	window window
	hits   []hit
	open   []question
	out    []Pair
	stats  Stats
}

// piece is a sequence of whole buckets of a column.
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
	err := parallel.Each(ctx, len(pieces), s.c.Workers, func(worker, i int) error {
		f := &s.formers[worker]
		f.begin(ctx, s, worker, pieces[i].key)
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

// begin prepares the former for a key.
func (f *former) begin(ctx context.Context, s *search, worker, key int) {
	if f.search == nil {
		f.judge, f.window.search = newJudge(s.x, s.least), s
	}
	f.search, f.ctx, f.worker, f.key, f.window.key = s, ctx, worker, key, key
	if f.judge != nil {
		f.judge.set(key)
	} else {
		f.before.set(s.x, key)
	}
}

// wholeBuckets returns the least number of records, at least n, after which a bucket ends, or the number of all records
// if there are fewer than n.
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
	f.window.load(records)
	for from := 0; from < len(records); {
		to := from + f.wholeBuckets(records[from:], 1)
		for i := from; i < to; i++ {
			f.pair(i, i+1, to)
			if err := f.full(i); err != nil {
				return err
			}
		}
		from = to
	}
	f.answer()
	return nil
}

// largeBucket pairs each row with the first row of the bucket and with the next Reach rows.
func (f *former) largeBucket(bucket []uint64) error {
	n := uint64(len(bucket))
	formed := n - 1
	for at := 0; at < len(bucket); at += windowRecords {
		// The window starts with the first row of the bucket, so that row i is at place i-at+1.
		end := min(at+windowRecords, len(bucket))
		f.window.load(bucket[:1], bucket[at:min(end+f.c.Reach, len(bucket))])
		first := max(at, 1)
		f.pair(0, first-at+1, end-at+1)
		for i := first; i < end; i++ {
			in := i - at + 1
			reach := min(f.c.Reach, len(bucket)-1-i)
			formed += uint64(reach)
			f.pair(in, in+1, in+1+reach)
			if err := f.full(i); err != nil {
				return err
			}
		}
		f.answer()
	}
	f.stats.PairsNotFormed += n*(n-1)/2 - formed
	return nil
}

// question is a pair that meets in a bucket and whose low bytes leave open whether it was formed at an earlier key, or
// whether it agrees in enough signatures. Most pairs of similar rows were formed before, at the first of their common
// keys. A table of recent pairs (16 MB, consulted before the rows) gained nothing in a trial, because a lookup there
// misses the caches as often.
type question struct {
	i, j int32 // places in the window
}

// pair pairs the row at place i of the window with the rows at the places [from, to), which follow it in the same
// bucket. The low bytes decide about most of these pairs. The others become questions.
func (f *former) pair(i, from, to int) {
	n := to - from
	if n <= 0 {
		return
	}
	f.stats.Collisions += uint64(n)
	if f.judge == nil {
		for k := from; k < to; k++ {
			f.ask(i, k, f.window.lowMask(i, k))
		}
		return
	}
	if len(f.hits) < n {
		f.hits = make([]hit, max(n, windowRecords))
	}
	found := f.judge.rows(f.hits, f.window.lowRow(i), f.window.lowRows(from, to))
	f.stats.CandidatePairs += uint64(n - found)
	for _, h := range f.hits[:found] {
		f.ask(i, from+int(h.place), h.equal)
	}
}

// ask adds a question about the pair at two places of the window, unless its equal low bytes allow neither an earlier
// common key nor enough agreement.
func (f *former) ask(i, j int, equal minhash.Bits) {
	if !equal.Contains(f.x.masks[f.key]) {
		return // different keys whose sorted bits are equal
	}
	if f.judge == nil && equal.Count() < f.least && f.firstKey(equal, 0) == f.key {
		f.stats.CandidatePairs++
		return
	}
	f.open = append(f.open, question{int32(i), int32(j)})
	f.window.need(i)
	f.window.need(j)
	if len(f.open) == batch {
		f.answer()
	}
}

// answer answers the open questions: it counts the pairs formed at this key for the first time and keeps those that
// agree in enough signatures.
func (f *former) answer() {
	f.window.fetch()
	for _, q := range f.open {
		mask := f.window.mask(q.i, q.j)
		if !mask.Contains(f.x.masks[f.key]) {
			continue
		}
		if f.formedBefore(q, mask) {
			continue
		}
		f.stats.CandidatePairs++
		if n := mask.Count(); n >= f.least {
			f.stats.Surviving++
			low := minhash.LowAgreement(f.window.lowRow(int(q.i))[:f.x.M], f.window.lowRow(int(q.j)))
			f.out = append(f.out, Pair{f.window.rows[q.i], f.window.rows[q.j], uint8(n), uint8(low)})
		}
	}
	f.open = f.open[:0]
}

// formedBefore reports whether two rows with the given equal signatures were paired at a key before the current one.
func (f *former) formedBefore(q question, mask minhash.Bits) bool {
	if f.judge != nil {
		keys := f.judge.contained(mask)
		keys.remove(f.key)
		if f.window.inSmallBucket(keys, q.i) { // which needs no lookup in a table
			return true
		}
		for key := range keys.all() {
			if f.window.formed(key, q.i, q.j) {
				return true
			}
		}
		return false
	}
	for key := f.firstKey(mask, 0); key < f.key; key = f.firstKey(mask, key+1) {
		if f.window.formed(key, q.i, q.j) {
			return true
		}
	}
	return false
}

// firstKey returns the first key, from the given one up to the current one, whose signatures are all in the mask. If
// there is none before the current key, it returns the current key.
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

// may reports whether rows with the given equal signatures may have one of the keys in common. For keys of one or two
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
