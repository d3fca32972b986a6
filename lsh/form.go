package lsh

import (
	"cmp"
	"context"

	"github.com/lshclust/lshclust/minhash"
)

// batch is the number of pairs given to emit at a time.
const batch = 4096

// pieceRecords is about how many records of a column are one task, so that few
// columns keep all workers busy.
const pieceRecords = 1 << 16

// windowRecords is about how many records have their low bytes brought together
// at a time: 80 KB.
const windowRecords = 1 << 10

// former forms the pairs of runs of one key at a time.
type former struct {
	*search
	ctx    context.Context
	worker int
	key    int
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

// piece forms the pairs of short runs window by window, so that the low bytes of
// many rows, which lie far apart, are on their way from memory at the same time.
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

// question is a pair that the low bytes alone do not decide.
type question struct {
	i, j  int32 // places in the window
	first int32 // the first key that may be equal
}

// pair counts places i < j of the window, which meet in a run. Where the low bytes
// show neither an earlier key nor enough agreement, that is all; else the whole
// rows are asked for.
func (f *former) pair(i, j int) {
	mask := minhash.LowMask(f.window.low(i), f.window.low(j))
	if !mask.Contains(f.x.masks[f.key]) {
		return // different keys that are equal in the bits that were sorted
	}
	f.stats.Collisions++
	first := f.firstKey(mask, 0)
	if first == f.key && mask.Count() < f.least {
		f.stats.CandidatePairs++
		return
	}
	f.open = append(f.open, question{int32(i), int32(j), int32(first)})
	f.window.need(i)
	f.window.need(j)
	if len(f.open) == batch {
		f.answer()
	}
}

// answer keeps the pairs of the open questions that are formed at this key for
// the first time and agree enough.
func (f *former) answer() {
	f.window.fetch()
	for _, q := range f.open {
		i, j := int(q.i), int(q.j)
		mask := f.window.mask(i, j)
		if f.earlier(i, j, int(q.first), mask) {
			continue
		}
		f.stats.CandidatePairs++
		if n := mask.Count(); n >= f.least {
			f.stats.Surviving++
			f.out = append(f.out, Pair{f.window.rows[i], f.window.rows[j], uint8(n)})
		}
	}
	f.open = f.open[:0]
}

// firstKey is the first key, from the given one on and before this one, whose
// signatures are all in the mask; this one if there is none.
func (f *former) firstKey(mask minhash.Bits, from int) int {
	for key, subset := range f.x.masks[from:f.key] {
		if mask.Contains(subset) {
			return from + key
		}
	}
	return f.key
}

// earlier tells whether the pair was formed at an earlier key, first or later.
func (f *former) earlier(i, j, first int, mask minhash.Bits) bool {
	for key := f.firstKey(mask, first); key < f.key; key = f.firstKey(mask, key+1) {
		if f.long[key].formed(f.window.rows[i], f.window.rows[j], f.c.Reach) {
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
