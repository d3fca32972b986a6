package lsh

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"

	"github.com/lshclust/lshclust/internal/parallel"
)

// Signatures holds the rows of the documents to search, one after another. Rows may be a mapped file.
type Signatures struct {
	M    int
	Rows []byte // 3·M bytes each, as minhash.Family.Sign writes them
}

// Len returns the number of rows.
func (s Signatures) Len() int {
	if s.M < 1 {
		return 0
	}
	return len(s.Rows) / (3 * s.M)
}

// Row returns row i.
func (s Signatures) Row(i int) []byte { return s.Rows[i*3*s.M : (i+1)*3*s.M] }

// Pair is two rows, A < B, the number of signatures in which they agree, and an upper bound of it: the number of low
// bytes in which they agree, which shows which of two pairs agrees better without reading the rows.
type Pair struct {
	A, B      uint32
	Agreement uint8
	Low       uint8
}

// Config selects the pairs to find, and limits the resources for finding them.
type Config struct {
	Floor     float64 // least share of equal signatures: 0.20 of 80 is 16
	MaxBucket int     // largest bucket that is paired all with all; 0 means 1000
	Reach     int     // in larger buckets a row is paired with the first and the next Reach rows
	Workers   int     // goroutines; 0 means GOMAXPROCS
	// Memory is the number of bytes for keys, sorting and low bytes, at least 18 for each row; 0 means 1 GiB. In
	// Index.Pairs, the places of rows in large buckets take additional memory: two words for each row and 64 keys, and 4
	// bytes for each of Stats.CappedRows. A Searcher receives them from its caller.
	Memory int64
}

// Stats holds the counts of a call of Pairs. No count depends on Workers or Memory.
type Stats struct {
	Rows           uint64 // rows read
	Keys           uint64 // Rows·L
	Buckets        uint64 // buckets of two or more rows
	LargestBucket  uint64 // rows in the largest bucket
	Collisions     uint64 // pairs that met in a bucket, with repeats and the few whose keys only look equal (rowBits)
	CandidatePairs uint64 // different pairs formed
	Surviving      uint64 // candidate pairs with agreement at the floor or above; emitted
	CappedBuckets  uint64 // buckets larger than MaxBucket
	CappedRows     uint64 // rows in these buckets, with repeats
	PairsNotFormed uint64 // pairs in these buckets that were not formed, with repeats
}

func (s *Stats) add(t Stats) {
	s.Buckets += t.Buckets
	s.LargestBucket = max(s.LargestBucket, t.LargestBucket)
	s.Collisions += t.Collisions
	s.CandidatePairs += t.CandidatePairs
	s.Surviving += t.Surviving
	s.CappedBuckets += t.CappedBuckets
	s.CappedRows += t.CappedRows
	s.PairsNotFormed += t.PairsNotFormed
}

// Pairs emits every pair of rows that is formed in a bucket and agrees in at least Floor·M signatures. It emits each
// pair once, in no particular order. Up to Workers goroutines call emit at the same time, each with its number, from 0
// to Workers-1. The slice is valid until emit returns. If progress is not nil, one goroutine at a time calls it with
// the work done. If emit returns an error or ctx ends, Pairs stops and returns the error with the counts so far.
func (x *Index) Pairs(ctx context.Context, sigs Signatures, c Config, emit func(worker int, p []Pair) error, progress func(done, total int)) (Stats, error) {
	c, err := x.check(sigs, c)
	if err != nil || sigs.Len() == 0 {
		return Stats{}, err
	}
	places, err := x.places(ctx, sigs, c)
	if err != nil {
		return Stats{}, err
	}
	n := sigs.Len()
	s := newSearch(x, sigs, c, placeTable{blocks: []Places{places}, rows: uint32(n), words: headWords(x.L)})
	s.emit, s.progress = emit, progress
	err = s.all(ctx, Keys{0, x.L})
	return s.stats, err
}

// check fills in the defaults of c and returns an error if the index, the signatures or c are invalid.
func (x *Index) check(sigs Signatures, c Config) (Config, error) {
	switch {
	case len(x.masks) != x.L || x.L == 0:
		return c, fmt.Errorf("lsh: an index that NewIndex did not make")
	case sigs.M != x.M:
		return c, fmt.Errorf("lsh: rows of %d signatures for an index of %d", sigs.M, x.M)
	case len(sigs.Rows)%(3*sigs.M) != 0:
		return c, fmt.Errorf("lsh: %d bytes are not a whole number of rows of %d", len(sigs.Rows), 3*sigs.M)
	case uint64(sigs.Len()) > math.MaxUint32:
		return c, fmt.Errorf("lsh: %d rows: want fewer than 2^32", sigs.Len())
	case !(c.Floor >= 0 && c.Floor <= 1):
		return c, fmt.Errorf("lsh: floor %v: want 0 to 1", c.Floor)
	case c.MaxBucket < 0 || c.Reach < 0 || c.Workers < 0 || c.Memory < 0:
		return c, fmt.Errorf("lsh: a negative number in %+v", c)
	}
	c.MaxBucket, c.Workers, c.Memory = cmp.Or(c.MaxBucket, 1000), cmp.Or(c.Workers, runtime.GOMAXPROCS(0)), cmp.Or(c.Memory, 1<<30)
	return c, nil
}

// BucketSizes returns, for each key, the number of rows in the bucket of each of the given rows, that row included. It
// makes the keys of all rows in one pass over the signatures. Like Pairs, it also counts rows whose keys only look
// equal (rowBits). A bucket of more than c.MaxBucket rows has size c.MaxBucket+1. BucketSizes ignores all other fields
// of c except Workers.
func (x *Index) BucketSizes(ctx context.Context, sigs Signatures, c Config, rows []uint32) ([][]int, error) {
	c, err := x.check(sigs, c)
	if err != nil {
		return nil, err
	}
	sizes := make([][]int, x.L)
	groups := (x.L + maxColumns - 1) / maxColumns // each worker takes one group of keys after another
	return sizes, parallel.Each(ctx, groups, c.Workers, func(_, g int) error {
		var keys []int
		var columns []wanted
		for j := g * maxColumns; j < min((g+1)*maxColumns, x.L); j++ {
			keys, columns = append(keys, j), append(columns, x.wanted(j, sigs, rows))
		}
		for lo := 0; lo < sigs.Len(); lo += rangeRows {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			x.eachBlock(sigs, keys, lo, min(lo+rangeRows, sigs.Len()), func(i, _ int, keys []uint64) {
				columns[i].count(keys, rowBits(sigs.Len()), c.MaxBucket+1)
			})
		}
		for i, j := range keys {
			sizes[j] = make([]int, len(rows))
			for at, key := range columns[i].of {
				sizes[j][at] = columns[i].buckets[key]
			}
		}
		return nil
	})
}

// wanted holds one key of each of the given rows, and how many rows have the same key.
type wanted struct {
	may     [1 << 8]uint64 // a bit for the top 14 bits of each key; nearly all rows have none of these bits
	buckets map[uint64]int // number of rows by key without the unsorted bits
	of      []uint64       // key of each given row
}

func (x *Index) wanted(j int, sigs Signatures, rows []uint32) wanted {
	w := wanted{buckets: map[uint64]int{}, of: make([]uint64, len(rows))}
	for i, r := range rows {
		key := x.Key(j, sigs.Row(int(r)))
		w.may[key>>56] |= 1 << (key >> 50 & 63)
		w.of[i] = key >> rowBits(sigs.Len())
		w.buckets[w.of[i]] = 0
	}
	return w
}

// count counts the rows with these keys, up to most in a bucket.
func (w *wanted) count(keys []uint64, rowBits, most int) {
	for _, key := range keys {
		if w.may[key>>56]>>(key>>50&63)&1 == 0 {
			continue
		}
		if n, ok := w.buckets[key>>rowBits]; ok && n < most {
			w.buckets[key>>rowBits] = n + 1
		}
	}
}
