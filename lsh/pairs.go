package lsh

import (
	"context"
	"fmt"
	"math"
	"runtime"
)

// Signatures are the rows of the documents that take part, row-major; the rows
// may be a mapped file.
type Signatures struct {
	M    int
	Rows []byte // 3·M bytes each, as minhash.Family.Sign writes them
}

// Len is the number of rows.
func (s Signatures) Len() int {
	if s.M < 1 {
		return 0
	}
	return len(s.Rows) / (3 * s.M)
}

// Row is row i.
func (s Signatures) Row(i int) []byte { return s.Rows[i*3*s.M : (i+1)*3*s.M] }

// Pair is two rows, A < B, and the number of signatures in which they agree.
type Pair struct {
	A, B      uint32
	Agreement uint8
}

// Config says which pairs are wanted and what may be used to find them.
type Config struct {
	Floor   float64 // least share of equal signatures: 0.20 of 80 is 16
	MaxRun  int     // longest run of equal keys that is paired all with all; 0 means 1000
	Reach   int     // in longer runs a row is paired with the first and the next Reach rows
	Workers int     // goroutines; 0 means GOMAXPROCS
	// Memory is the number of bytes for keys, sorting and low bytes; 0 means
	// 1 GiB. The positions in long runs come on top: 4 bytes a row and key,
	// Stats.CappedRows of them at most, and a bit for each row in each key
	// that has a long run.
	Memory int64
}

// Stats counts what Pairs did. No count depends on Workers or Memory.
type Stats struct {
	Rows           uint64 // rows read
	Keys           uint64 // Rows·L
	Runs           uint64 // runs of two or more equal keys
	LongestRun     uint64 // rows in the longest run
	Collisions     uint64 // pairs formed in all runs, with repeats and the few whose keys only look equal (rowBits)
	CandidatePairs uint64 // different pairs formed
	Surviving      uint64 // of these, with agreement at the floor or above: emitted
	CappedRuns     uint64 // runs longer than MaxRun
	CappedRows     uint64 // rows in these, with repeats
	PairsNotFormed uint64 // pairs in these that were not formed, with repeats
}

func (s *Stats) add(t Stats) {
	s.Runs += t.Runs
	s.LongestRun = max(s.LongestRun, t.LongestRun)
	s.Collisions += t.Collisions
	s.CandidatePairs += t.CandidatePairs
	s.Surviving += t.Surviving
	s.CappedRuns += t.CappedRuns
	s.CappedRows += t.CappedRows
	s.PairsNotFormed += t.PairsNotFormed
}

// Pairs emits every pair of rows that is formed in a run and agrees in at least
// Floor·M signatures, each once, in no particular order. emit is called by up to
// Workers goroutines at a time, with the number of the goroutine, 0…Workers-1;
// the slice is valid until emit returns. progress, if not nil, is told about the
// work done by one goroutine at a time. An error of emit or the end of ctx stops
// it all and is returned with the counts so far.
func (x *Index) Pairs(ctx context.Context, sigs Signatures, c Config, emit func(worker int, p []Pair) error, progress func(done, total int)) (Stats, error) {
	c, err := x.check(sigs, c)
	if err != nil || sigs.Len() == 0 {
		return Stats{}, err
	}
	s := newSearch(x, sigs, c, emit, progress)
	err = s.all(ctx)
	return s.stats, err
}

// check fills in the defaults of c and refuses what cannot be done.
func (x *Index) check(sigs Signatures, c Config) (Config, error) {
	switch {
	case len(x.masks) != x.L || x.L == 0:
		return c, fmt.Errorf("lsh: an index that NewIndex did not make")
	case sigs.M != x.M:
		return c, fmt.Errorf("lsh: rows of %d signatures for an index of %d", sigs.M, x.M)
	case len(sigs.Rows)%(3*sigs.M) != 0:
		return c, fmt.Errorf("lsh: %d bytes are no whole number of rows of %d", len(sigs.Rows), 3*sigs.M)
	case uint64(sigs.Len()) > math.MaxUint32:
		return c, fmt.Errorf("lsh: %d rows: want fewer than 2^32", sigs.Len())
	case !(c.Floor >= 0 && c.Floor <= 1):
		return c, fmt.Errorf("lsh: floor %v: want 0 to 1", c.Floor)
	case c.MaxRun < 0 || c.Reach < 0 || c.Workers < 0 || c.Memory < 0:
		return c, fmt.Errorf("lsh: a negative number in %+v", c)
	}
	if c.MaxRun == 0 {
		c.MaxRun = 1000
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Memory == 0 {
		c.Memory = 1 << 30
	}
	return c, nil
}
