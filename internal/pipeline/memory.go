package pipeline

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/scratch"
)

// LeastMemory is the least memory limit that a command should accept: enough for the program itself and one worker.
// The process exceeds a lower Options.Memory.
const LeastMemory = 32 << 20

// workerMemory is the memory that a worker should have.
const workerMemory = 8 << 20

// WorkersFor returns the number of workers to use with a memory limit: at most workers, or the number of processors
// if workers is 0, and at least one.
func WorkersFor(workers int, memory int64) int {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return int(max(1, min(int64(workers), (memory-LeastMemory)/workerMemory)))
}

// MemoryError is the error for work that cannot be done within Options.Memory. Finished stages are kept; the run can
// continue with more memory.
type MemoryError struct {
	Memory int64  // Options.Memory
	Least  int64  // bytes that the work needs
	What   string // the work that needs it
}

// Error returns a message with the work and the memory that it needs.
func (e *MemoryError) Error() string {
	mib := func(n int64) int64 { return (n + 1<<20 - 1) >> 20 }
	return fmt.Sprintf("%d MiB of memory are too little for %s: give the same command with --memory %dMiB to go on", mib(e.Memory), e.What, mib(e.Least))
}

// The read stage divides its memory as follows: an eighth for the vocabularies of all workers, a sixteenth for the
// buffers of the partitions. After all parts are read, the sorters of spill.go get an eighth, one at a time, and the
// list of what was dropped a sixteenth. A page and its record have a dozen buffers. Each has at most a share of the
// memory of its worker; what does not fit in that is in a temporary file in the run directory, so that pages of any size
// can be read.

// pageShares is the number of shares of the memory of one worker.
const pageShares = 64

// share returns the size in bytes up to which a buffer of a page is in ordinary memory.
func (b readStage) share() int64 { return b.memory / int64(pageShares*b.workers) }

// space returns the space for the large buffers of pages.
func (b readStage) space() *scratch.Space { return scratch.New(b.workDir(), b.share()) }

// workDir returns the directory for the files of space.
func (b readStage) workDir() string { return filepath.Dir(b.dir.Temp("")) }

// flushSize returns the number of bytes that a worker collects for each partition: for all partitions and workers
// together at most a sixteenth of the memory.
func (b *build) flushSize() int {
	const writers = 2 // per worker: fragments and shingles
	return int(min(max(b.memory/int64(16*writers*b.workers*b.partitions), 1<<10), partitionFlush))
}

// readingOptions returns the settings for reading inputs, including the memory.
func (b readStage) readingOptions() (crawl.Options, error) {
	o, err := b.config.Reading()
	o.Memory, o.TempDir = b.memory/int64(b.workers), b.workDir()
	o.Archives = b.inputs
	return o, err
}

// tooLittle adds to a *crawl.MemoryError how much memory the whole run needs.
func (b readStage) tooLittle(err error) error {
	var little *crawl.MemoryError
	if !errors.As(err, &little) {
		return err
	}
	const mib = 1 << 20
	return fmt.Errorf("%w; with %d workers give --memory %dMiB, or fewer workers", err, b.workers, (little.Needed*int64(b.workers)+mib-1)/mib)
}
