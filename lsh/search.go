package lsh

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"github.com/lshclust/lshclust/internal/huge"
	"github.com/lshclust/lshclust/internal/parallel"
)

// search is one call of Pairs.
type search struct {
	x        *Index
	sigs     Signatures
	c        Config
	emit     func(worker int, p []Pair) error
	progress func(done, total int)

	keys    Keys // to search
	plan    plan
	rowBits int
	least   int    // equal signatures that the floor requires
	low     []byte // low-byte planes, stride bytes apart
	stride  int

	places  placeTable // of all keys
	records []uint64   // memory of the columns
	scratch []scratch  // by worker
	formers []former   // by worker

	mu    sync.Mutex
	stats Stats
	done  int
}

// column holds the records of a key.
type column struct {
	key     int
	records []uint64
}

func newSearch(x *Index, sigs Signatures, c Config, places placeTable) *search {
	return &search{
		x: x, sigs: sigs, c: c,
		rowBits: rowBits(sigs.Len()),
		least:   Least(c.Floor, x.M),
		low:     sigs.Rows, stride: 3 * x.M,
		places:  places,
		scratch: make([]scratch, c.Workers),
		formers: make([]former, c.Workers),
	}
}

// all handles some keys group by group.
func (s *search) all(ctx context.Context, keys Keys) error {
	n := s.sigs.Len()
	s.done, s.keys, s.plan = 0, keys, newPlan(n, s.x.M, keys.To-keys.From, s.c)
	s.stats = Stats{Rows: uint64(n), Keys: uint64(n) * uint64(keys.To-keys.From)}
	if s.plan.lowPlane && s.stride != s.x.M {
		if err := s.copyLow(ctx); err != nil {
			return err
		}
	}
	memory := s.room(s.plan.columns * s.sigs.Len())
	for first := s.keys.From; first < s.keys.To; first += s.plan.columns {
		var columns []column
		for j := first; j < min(first+s.plan.columns, s.keys.To); j++ {
			at := (j - first) * s.sigs.Len()
			columns = append(columns, column{key: j, records: memory[at : at+s.sigs.Len()]})
		}
		if err := s.group(ctx, columns); err != nil {
			return err
		}
	}
	return nil
}

// room returns memory for the given number of records. It reuses that of the previous call.
func (s *search) room(records int) []uint64 {
	if cap(s.records) < records {
		s.records = nil // lets the garbage collector have it
		s.records = huge.Words(records)
	}
	return s.records[:records]
}

func (s *search) group(ctx context.Context, columns []column) error {
	records, keys := make([][]uint64, len(columns)), make([]int, len(columns))
	for i, c := range columns {
		records[i], keys[i] = c.records, c.key
	}
	err := s.eachRange(ctx, func(lo, hi int) { s.fillWhole(records, keys, lo, hi) })
	if err != nil {
		return err
	}
	s.report(len(columns))
	if err := s.sort(ctx, columns); err != nil {
		return err
	}
	return s.form(ctx, columns)
}

// sort sorts the columns, counts their buckets, and keeps only the records in buckets of two or more.
func (s *search) sort(ctx context.Context, columns []column) error {
	return parallel.Each(ctx, len(columns), s.c.Workers, func(worker, i int) error {
		c, t := &columns[i], &s.scratch[worker]
		t.grow(len(c.records))
		records := dropSingles(c.records, t.table)
		sorted := sortRecords(records, t.records[:len(records)])
		stats := s.keepBuckets(c, sorted)
		s.mu.Lock()
		s.stats.add(stats)
		s.mu.Unlock()
		s.report(1)
		return nil
	})
}

// scratch holds the buffers with which one goroutine sorts.
type scratch struct{ records, table []uint64 }

func (t *scratch) grow(n int) {
	if t.table == nil || len(t.records) < n {
		t.records, t.table = huge.Words(n), huge.Words(tableWords(n))
	}
}

// keepBuckets moves the records of the buckets of two or more to the front of c.records.
func (s *search) keepBuckets(c *column, sorted []uint64) Stats {
	var stats Stats
	kept := c.records[:0]
	eachBucket(sorted, s.rowBits, func(bucket []uint64) {
		stats.Buckets++
		stats.LargestBucket = max(stats.LargestBucket, uint64(len(bucket)))
		if len(bucket) > s.c.MaxBucket {
			stats.CappedBuckets++
			stats.CappedRows += uint64(len(bucket))
		}
		kept = append(kept, bucket...) // last, because it may overwrite the bucket
	})
	c.records = kept
	return stats
}

func (s *search) row(record uint64) uint32 { return uint32(record & (1<<s.rowBits - 1)) }

// copyLow copies the low bytes of all rows into one plane.
func (s *search) copyLow(ctx context.Context) error {
	m := s.x.M
	low := huge.Bytes(s.sigs.Len() * m)
	err := s.eachRange(ctx, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			copy(low[r*m:(r+1)*m], s.sigs.Row(r))
		}
	})
	s.low, s.stride = low, m
	return err
}

// rangeRows is the number of rows in a task, a multiple of blockRows.
const rangeRows = 128 * blockRows

// eachRange calls f for ranges of rows that start at multiples of rangeRows.
func (s *search) eachRange(ctx context.Context, f func(lo, hi int)) error {
	n := s.sigs.Len()
	return parallel.Each(ctx, (n+rangeRows-1)/rangeRows, s.c.Workers, func(_, i int) error {
		f(i*rangeRows, min((i+1)*rangeRows, n))
		return nil
	})
}

// report counts steps of work. Each key takes three: filling, sorting and pairing.
func (s *search) report(steps int) {
	if s.progress == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done += steps
	s.progress(s.done, 3*(s.keys.To-s.keys.From))
}

// recordSize is the size of a sorted record, which holds the top bits of a key above a row number in one word.
const recordSize = 8

// tableSize is the largest number of bytes that dropSingles needs for a record.
const tableSize = 2

// plan divides the work into portions that fit into the memory.
type plan struct {
	columns  int  // keys in a group, all held at once
	lowPlane bool // low bytes are copied out of the rows
}

// maxColumns bounds a group. With 32 columns, unpacking the rows takes a tenth of the time of making the keys; more
// columns would only touch more memory.
const maxColumns = 32

// newPlan gives up to half of the memory to the low bytes, and the rest to the columns of records and to the buffers of the
// sorting goroutines (10 bytes a row each). keys is the number of keys to search. One column is held in any case.
func newPlan(rows, m, keys int, c Config) plan {
	var p plan
	left := c.Memory
	if low := int64(rows) * int64(m); low <= c.Memory/2 {
		p.lowPlane = true
		left -= low
	}
	column := int64(rows) * recordSize
	scratch := int64(rows) * (recordSize + tableSize)
	p.columns = 1
	for p.columns < min(keys, maxColumns) && column*int64(p.columns+1)+scratch*int64(min(p.columns+1, c.Workers)) <= left {
		p.columns++
	}
	return p
}

// rowBits returns the number of bits of a record that hold the row. The other bits, 45 for half a million rows and 39
// for twenty million, hold the top of the key. In a column of n rows, n²/2^(65-rowBits) pairs with different keys meet
// by chance, 0.004 for half a million rows and 360 for twenty million; they are distinguished when the pair is formed.
func rowBits(rows int) int { return bits.Len(uint(max(rows-1, 1))) }

// eachBucket calls f with each bucket of two or more records, that is, of records with equal keys.
func eachBucket(sorted []uint64, rowBits int, f func(bucket []uint64)) {
	for i := 0; i+1 < len(sorted); {
		key := sorted[i] >> rowBits
		end := i + 1
		for end < len(sorted) && sorted[end]>>rowBits == key {
			end++
		}
		if end-i > 1 {
			f(sorted[i:end])
		}
		i = end
	}
}

// Keys are the keys of an index from From up to, but not including, To.
type Keys struct{ From, To int }

// Searcher searches parts of the keys of an index. It keeps its memory from one part to the next. It is not safe for
// concurrent use.
type Searcher struct{ search *search }

// Searcher returns a Searcher. places holds the places of all rows in blocks, all but the last of the given number of
// rows. Mapped files must stay open as long as the Searcher is used.
func (x *Index) Searcher(sigs Signatures, c Config, rows int, places []Places) (*Searcher, error) {
	c, err := x.check(sigs, c)
	if err != nil {
		return nil, err
	}
	table, err := newPlaceTable(x, sigs.Len(), rows, places)
	if err != nil {
		return nil, err
	}
	return &Searcher{newSearch(x, sigs, c, table)}, nil
}

// Pairs emits the pairs that Index.Pairs forms at some of the keys, and counts what Index.Pairs counts there. So the
// calls for all parts of the keys, in any order and by several processes, together emit what Index.Pairs emits, and
// their counts add up to those of Index.Pairs, except that Rows is the same for all and LargestBucket is the maximum.
func (r *Searcher) Pairs(ctx context.Context, keys Keys, emit func(worker int, p []Pair) error, progress func(done, total int)) (Stats, error) {
	s := r.search
	if keys.From < 0 || keys.From > keys.To || keys.To > s.x.L {
		return Stats{}, fmt.Errorf("lsh: keys from %d to %d of %d", keys.From, keys.To, s.x.L)
	}
	if s.sigs.Len() == 0 {
		return Stats{}, nil
	}
	s.emit, s.progress = emit, progress
	err := s.all(ctx, keys)
	return s.stats, err
}
