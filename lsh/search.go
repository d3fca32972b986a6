package lsh

import (
	"context"
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
