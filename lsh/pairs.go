package lsh

import (
	"context"
	"errors"
)

// Signatures are the rows of the documents that take part, row-major; the rows
// may be a mapped file.
type Signatures struct {
	M    int
	Rows []byte // 3·M bytes each, as minhash.Family.Sign writes them
}

// Len is the number of rows.
func (s Signatures) Len() int { return len(s.Rows) / (3 * s.M) }

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
	Memory  int64   // bytes for keys and low bytes; 0 means 1 GiB
}

// Stats counts what Pairs did.
type Stats struct {
	Rows           uint64 // rows read
	Keys           uint64 // Rows·L
	Runs           uint64 // runs of two or more equal keys
	LongestRun     uint64 // rows in the longest run
	Collisions     uint64 // pairs formed in all runs, with repeats
	CandidatePairs uint64 // different pairs formed
	Surviving      uint64 // of these, with agreement at the floor or above: emitted
	CappedRuns     uint64 // runs longer than MaxRun
	CappedRows     uint64 // rows in these, with repeats
	PairsNotFormed uint64 // pairs in these that were not formed, with repeats
}

// Pairs emits every pair of rows that have a key in common and agree in at least
// Floor·M signatures, once.
func (x *Index) Pairs(ctx context.Context, sigs Signatures, c Config, emit func(worker int, p []Pair) error, progress func(done, total int)) (Stats, error) {
	return Stats{}, errors.New("lsh: not written yet")
}

// Identical returns for each row the number of the first row with the same
// bytes, its own if there is none before it.
func Identical(sigs Signatures) []uint32 { return nil }
