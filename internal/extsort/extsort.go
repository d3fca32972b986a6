// Package extsort sorts more fixed-size records than fit in memory: divide, compute, merge, as in "Syntactic Clustering
// of the Web" (Broder et al. 1997).
//
// Sorting has three phases. Appenders fill buffers with records. Workers radix sort the full buffers while the next
// ones are filled, and write them to a spill file as sorted runs once it is clear that not all of them fit. Each then
// merges the runs. If nothing was spilled, no file is created.
//
// Records are compared byte by byte over their whole length, as memcmp does, so numbers in keys must be stored
// big-endian. The output depends only on the set of records, not on the order in which they came, the workers or the
// memory.
//
// Use an Appender in one goroutine only, close all Appenders before Each, and always close the Sorter, because that
// removes its files.
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

// Config describes the records and the resources for sorting them.
type Config struct {
	Size    int    // bytes of a record, 1 to MaxSize; the sizes 8, 12, 13, 16, 20, 24, 32, 48, ... waste no memory
	Key     int    // leading bytes that Unique compares; 0 means Size
	Memory  int64  // bytes for buffers, sorting and merging, at least 1 MiB; 0 means 256 MiB
	Dir     string // for spilled runs; empty means the temporary directory of the system
	Workers int    // number of buffers to sort at once; 0 means 1
	Unique  bool   // keep only the first, in byte order, of the records with equal keys
}

// Errors for errors.Is. Other errors come from the file system.
var (
	// ErrCorrupt reports a spilled run that was changed after it was written.
	ErrCorrupt = errors.New("extsort: spilled run is damaged")
	// ErrState reports methods called in the wrong order.
	ErrState = errors.New("extsort: wrong order of calls")
)

// Sorter collects records and sorts them.
type Sorter struct {
	c      Config
	layout layout
	kernel kernel
	create func(dir string) (spillFile, error) // createSpill, except in tests

	mu        sync.Mutex
	changed   *sync.Cond // a buffer was sorted, spilled or freed, or err was set
	free      [][]byte   // empty buffers
	scratch   [][]byte   // idle scratch of the workers
	made      int        // buffers made so far
	current   []byte     // being filled
	unsorted  [][]byte   // full, waiting for a worker
	sorted    [][]byte   // sorted, in memory
	busy      int        // workers running
	spilling  bool       // the records do not fit: write sorted buffers
	files     []*spill   // to be removed
	runs      []run      // on disk
	appenders int
	sealed    bool
	err       error
	workers   sync.WaitGroup
}

// New checks the configuration and returns an empty Sorter. The Sorter allocates memory and starts goroutines when it
// needs them.
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

// Each ends the input and calls take with the records in order, until take returns an error. A record has Config.Size
// bytes and is valid until take returns. Each waits until the records in memory are sorted and, if there are too many
// runs for one merge, until there are few enough. If ctx ends, so does Each.
func (s *Sorter) Each(ctx context.Context, take func(rec []byte) error) error {
	p, err := s.sort(ctx)
	if err != nil {
		return err
	}
	for batch, err := range s.batches(ctx, p) {
		if err != nil {
			return err
		}
		for ; len(batch) > 0; batch = batch[s.layout.stride:] {
			if err := take(batch[:s.c.Size:s.c.Size]); err != nil {
				return err
			}
		}
	}
	return nil
}

// sort ends the input, and merges runs until the last merge can read all of them. It returns the memory for that.
func (s *Sorter) sort(ctx context.Context) (*pool, error) {
	stop := context.AfterFunc(ctx, func() { s.fail(context.Cause(ctx)) })
	defer stop()
	if err := s.seal(); err != nil {
		return nil, err
	}
	if err := s.settle(); err != nil {
		return nil, err
	}
	p := s.pool()
	return p, s.reduce(ctx, p)
}

// seal ends the input and passes the last buffer to the workers.
func (s *Sorter) seal() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.err != nil:
		return s.err
	case s.sealed:
		return fmt.Errorf("%w: Each twice", ErrState)
	case s.appenders > 0:
		return fmt.Errorf("%w: Each while %d appenders are open", ErrState, s.appenders)
	}
	s.sealed = true
	if len(s.current) > 0 {
		s.unsorted = append(s.unsorted, s.current)
	}
	s.current = nil
	s.kickLocked()
	return nil
}

// settle waits until all buffers in memory are sorted.
func (s *Sorter) settle() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.err == nil && (len(s.unsorted) > 0 || s.busy > 0) {
		s.changed.Wait()
	}
	return s.err
}

// Close waits for the goroutines, removes the spill files and frees the memory.
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

// fail records the first error and wakes all goroutines.
func (s *Sorter) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = cmp.Or(s.err, err)
	s.changed.Broadcast()
}

// minMemory is the smallest memory for sorting and merging.
const minMemory = 1 << 20

// layout describes the division of the memory. While records are appended, there are buffers of equal size: one to
// fill, one spare, and for each worker one to sort and one of scratch. While runs are merged, scratch and free buffers
// are cut into blocks to read into. An eighth of the memory is for the blocks of the appenders and for the batches
// between the merge and the iterator.
type layout struct {
	stride  int // bytes of a record in memory and on disk, at least Config.Size
	buffers int // that hold records
	scratch int // of the same size, one a worker
	buffer  int // bytes of one, a multiple of stride
	block   int // bytes read from a run at once, likewise
	batch   int // bytes that an appender or the merge passes on at once, likewise
}

// The first buffer begins with firstBuffer bytes. Whenever it is full, it becomes growth times as large, up to the size
// of the others, so that few records take little memory.
const (
	firstBuffer = 64 << 10
	growth      = 4
)

const (
	minBlock = 4 << 10
	maxBlock = 256 << 10
	batches  = 3 // between merge and iterator
)

func newLayout(c Config, stride int) layout {
	l := layout{stride: stride, buffers: c.Workers + 2, scratch: c.Workers}
	l.block = l.round(min(max(c.Memory/2048, minBlock), maxBlock))
	l.batch = l.round(min(max(c.Memory/256, minBlock), maxBlock/4))
	l.buffer = l.round((c.Memory - c.Memory/8) / int64(l.buffers+l.scratch))
	return l
}

// MemoryFor returns the least Config.Memory with which each buffer of a Sorter holds n records of a size, so that none
// of them goes to disk and they are sorted at once.
func MemoryFor(size int, n int64, workers int) int64 {
	_, stride := kernelFor(size)
	buffers := int64(2*max(workers, 1) + 2)
	return max(minMemory, ((n+1)*int64(stride)*buffers+1)*8/7)
}

// round returns the multiple of the stride at or below n, but one record at least.
func (l layout) round(n int64) int { return max(int(n)/l.stride, 1) * l.stride }
