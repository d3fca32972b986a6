// Package extsort sorts more fixed-size records than fit in memory: divide,
// compute, merge, as in "Syntactic Clustering of the Web" (Broder et al. 1997).
//
// Three phases. Appenders fill a buffer with records. Full buffers are radix
// sorted by goroutines of their own while the next ones are filled, and written to
// a spill file as sorted runs once it is clear that not all of them fit. Sort then
// merges the runs; when nothing was spilled, no file is ever made.
//
// Records are compared as bytes (memcmp), all of them: numbers in keys must be
// stored big-endian, and the output is one total order. It depends on the set of
// records alone, not on the order they came in, the workers or the memory.
//
// The rule the caller must keep: one goroutine an Appender, every Appender closed
// before Sort, the Iterator closed before the Sorter, and the Sorter always
// closed, for that removes its files.
package extsort

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
)

// MaxSize is the largest record, in bytes.
const MaxSize = 128

// Config says what is sorted and with what.
type Config struct {
	Size    int    // bytes a record, 1 to MaxSize; 8, 12, 16, 20, 24, 32, 48, ... waste nothing
	Key     int    // leading bytes that Unique compares; 0 is Size
	Memory  int64  // bytes for buffers, sorting and merging; 0 is 256 MiB, at least 1 MiB
	Dir     string // for spilled runs; empty is the system's temporary folder
	Workers int    // buffers sorted at once; 0 is 1
	Unique  bool   // of records with equal keys keep only the first in byte order
}

// Errors to test for with errors.Is. Others come from the file system.
var (
	// ErrCorrupt says that a spilled run does not read back as it was written.
	ErrCorrupt = errors.New("extsort: spilled run is damaged")
	// ErrState says that calls came in a wrong order.
	ErrState = errors.New("extsort: wrong order of calls")
)

// Stats is what a Sorter has done so far.
type Stats struct {
	Records int64 // appended
	Spilled int64 // bytes written to disk, merges between files included
	Runs    int   // sorted runs made from buffers, on disk and in memory
	Merges  int   // merges from file to file that were needed before the last one
}

// Sorter collects records and sorts them.
type Sorter struct {
	c      Config
	layout layout
	kernel kernel
	create func(dir string) (spillFile, error) // createSpill, but in tests

	mu        sync.Mutex
	changed   *sync.Cond // a buffer was sorted, spilled or freed, or err was set
	free      [][]byte   // empty buffers
	scratch   [][]byte   // idle scratch of the workers
	made      int        // buffers made so far
	current   []byte     // being filled
	unsorted  [][]byte   // full, wait for a worker
	sorted    [][]byte   // sorted, in memory
	busy      int        // workers running
	spilling  bool       // it does not fit: write what is sorted
	files     []*spill   // all that must be removed
	runs      []run      // on disk
	records   int64
	stats     Stats
	appenders int
	sealed    bool
	err       error
	workers   sync.WaitGroup
}

// New checks the configuration and returns an empty Sorter. Memory and goroutines
// are taken as they are needed.
func New(c Config) (*Sorter, error) {
	c.Key = cmp.Or(c.Key, c.Size)
	c.Workers = max(c.Workers, 1)
	c.Memory = max(cmp.Or(c.Memory, 256<<20), minMemory)
	if c.Size < 1 || c.Size > MaxSize || c.Key < 1 || c.Key > c.Size {
		return nil, fmt.Errorf("extsort: record of %d bytes with a key of %d: need 1 <= key <= size <= %d", c.Size, c.Key, MaxSize)
	}
	c.Dir = cmp.Or(c.Dir, os.TempDir())
	k, stride := kernelFor(c.Size)
	s := &Sorter{c: c, kernel: k, layout: newLayout(c, stride), create: createSpill}
	s.changed = sync.NewCond(&s.mu)
	return s, nil
}

// Stats returns the figures so far.
func (s *Sorter) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.stats
	st.Records = s.records
	return st
}

// Sort ends the input and returns the records in order. It waits for the sorting
// of what is in memory, and for merges between files if there are too many runs
// for one merge. ctx ends the waiting and later the iteration.
func (s *Sorter) Sort(ctx context.Context) (*Iterator, error) {
	stop := context.AfterFunc(ctx, func() { s.fail(context.Cause(ctx)) })
	defer stop()
	if err := s.seal(); err != nil {
		return nil, err
	}
	if err := s.settle(); err != nil {
		return nil, err
	}
	pool := s.pool()
	if err := s.reduce(ctx, pool); err != nil {
		return nil, err
	}
	return s.iterate(ctx, pool), nil
}

// seal ends the input and hands the last buffer to the workers; if it is the only
// one, in as many parts as there are workers.
func (s *Sorter) seal() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.err != nil:
		return s.err
	case s.sealed:
		return fmt.Errorf("%w: Sort twice", ErrState)
	case s.appenders > 0:
		return fmt.Errorf("%w: Sort while %d appenders are open", ErrState, s.appenders)
	}
	s.sealed = true
	last := s.current
	s.current = nil
	part := max(len(last), 1)
	if s.made == 1 && len(last) > s.layout.stride<<16 {
		part = s.layout.round(int64(len(last)/s.c.Workers)) + s.layout.stride
	}
	for len(last) > 0 {
		n := min(part, len(last))
		s.unsorted = append(s.unsorted, last[:n:n])
		last = last[n:]
	}
	s.kickLocked()
	return nil
}

// settle waits until all that is in memory is sorted.
func (s *Sorter) settle() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.err == nil && (len(s.unsorted) > 0 || s.busy > 0) {
		s.changed.Wait()
	}
	return s.err
}

// Close waits for the goroutines, removes the spill files and lets go of the
// memory. Iterators must be closed before.
func (s *Sorter) Close() error {
	s.fail(fmt.Errorf("%w: the sorter is closed", ErrState))
	s.workers.Wait()
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.remove())
	}
	s.files, s.runs, s.sorted, s.unsorted, s.free, s.scratch, s.current = nil, nil, nil, nil, nil, nil, nil
	return errors.Join(errs...)
}

// fail notes the first error and wakes everybody up.
func (s *Sorter) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	s.changed.Broadcast()
}
