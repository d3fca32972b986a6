package pipeline

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/scratch"
)

// How the read stage divides its memory: a half is for sorting (spill.go), and of the rest every worker has an eighth of
// its own for words, and for each of the dozen buffers of a page and its record a share. What is larger than a share is in a
// temporary file of the run directory. So how large pages are, and how they are made, is no matter of the memory that there is.

// pageShares is the number of shares in the part of a worker.
const pageShares = 64

// share is the number of bytes of a buffer that is memory of the process.
func (b *build) share() int64 { return b.memory / int64(pageShares*b.workers) }

// space is where the large buffers of pages are.
func (b *build) space() *scratch.Space { return scratch.New(b.workDir(), b.share()) }

// workDir is where files go that have no name.
func (b *build) workDir() string { return filepath.Dir(b.dir.Temp("")) }

// flushSize is the number of bytes that a worker collects for each bucket: together a sixteenth of the memory at most.
func (b *build) flushSize() int {
	const writers = 2 // of a worker: fragments and shingles
	return int(min(max(b.memory/int64(16*writers*b.workers*b.buckets), 1<<10), bucketFlush))
}

// readingOptions are how inputs are read, and with how much memory.
func (b *build) readingOptions() (crawl.Options, error) {
	o, err := b.config.Reading()
	o.Memory, o.TempDir = b.memory/int64(b.workers), b.workDir()
	return o, err
}

// tooLittle says of an input that cannot be read with so little memory how much is enough.
func (b *build) tooLittle(err error) error {
	var little *crawl.MemoryError
	if !errors.As(err, &little) {
		return err
	}
	const mib = 1 << 20
	return fmt.Errorf("%w; with %d workers give --memory %dMiB, or fewer workers", err, b.workers, (little.Needed*int64(b.workers)+mib-1)/mib)
}
