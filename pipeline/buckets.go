package pipeline

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"sync"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/scratch"
	"github.com/lshclust/lshclust/run"
)

// Hash buckets of targets are ranges of hashes, hence of ids. Their number follows from the inputs alone, so that the
// files of a stopped run serve a process with another memory limit; a bucket that is too big for memory is read in
// parts.
const (
	fewBuckets  = 16
	manyBuckets = 256
	fewBytes    = 64 << 20 // inputs up to this size, as stored, get few buckets
)

func bucketsFor(inputs []run.Input) int {
	total := int64(0)
	for _, in := range inputs {
		if in.Digest == "" { // a stream of unknown length
			return manyBuckets
		}
		total += in.Bytes
	}
	if total <= fewBytes {
		return fewBuckets
	}
	return manyBuckets
}

// bucketOf is the bucket of a target's hash, of n, a power of two.
func bucketOf(hash uint64, n int) int { return int(hash >> (65 - bits.Len(uint(n)))) }

// bucketFlush is the number of bytes that a worker collects for a bucket before it writes them, where there is memory for it.
const bucketFlush = 32 << 10

// buckets are the files to which all workers append records.
type buckets struct {
	files []*os.File
	locks []sync.Mutex
	flush int // bytes that a worker collects for one of them
}

// createBuckets makes n files of the given names.
func createBuckets(n int, name func(i int) string) (*buckets, error) {
	b := &buckets{files: make([]*os.File, n), locks: make([]sync.Mutex, n), flush: bucketFlush}
	for i := range b.files {
		f, err := os.Create(name(i))
		if err != nil {
			return nil, errors.Join(err, b.close())
		}
		b.files[i] = f
	}
	return b, nil
}

func (b *buckets) close() error {
	var errs []error
	for _, f := range b.files {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// bucketWriter collects the records of one worker.
type bucketWriter struct {
	to   *buckets
	buf  [][]byte
	room *scratch.Pool // of what is large; nil: memory
}

func newBucketWriter(to *buckets) bucketWriter {
	return bucketWriter{to: to, buf: make([][]byte, len(to.files))}
}

// add writes a record of a hash; encode appends its bytes, which are not more than bound and begin with their length and the hash.
func (w *bucketWriter) add(hash uint64, bound int, encode func(dst []byte) []byte) error {
	i := bucketOf(hash, len(w.buf))
	if bound > w.to.flush { // to a buffer that nobody keeps
		return errors.Join(w.flush(i), w.write(i, encode(scratch.Grow(w.room, []byte(nil), bound))))
	}
	w.buf[i] = encode(w.buf[i])
	if len(w.buf[i]) < w.to.flush {
		return nil
	}
	return w.flush(i)
}

func (w *bucketWriter) flush(i int) error {
	err := w.write(i, w.buf[i])
	w.buf[i] = w.buf[i][:0]
	return err
}

func (w *bucketWriter) write(i int, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	w.to.locks[i].Lock()
	defer w.to.locks[i].Unlock()
	_, err := w.to.files[i].Write(b)
	return err
}

func (w *bucketWriter) close() error {
	for i := range w.buf {
		if err := w.flush(i); err != nil {
			return err
		}
	}
	return nil
}

// parts cuts a bucket's range of hashes so that the records of each part take about limit bytes or less.
func parts(size, limit int64) int {
	return int(max(1, (size+limit-1)/max(1, limit)))
}

// readPart reads the records of part p of n of one of so many buckets: those whose hash is in the p-th n-th of its range. With one
// part that is the whole file.
func readPart(ctx context.Context, path string, p, n, buckets int) (kept []byte, err error) {
	if n == 1 {
		return os.ReadFile(path)
	}
	err = eachRecord(ctx, path, func(body []byte) error {
		if partOf(anchors.TargetHash(body), n, buckets) == p {
			kept = append(binary.AppendUvarint(kept, uint64(len(body))), body...)
		}
		return nil
	})
	return kept, err
}

// eachRecord calls do with the body of every record of a bucket. It is valid until the next one.
func eachRecord(ctx context.Context, path string, do func(body []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	var body []byte
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		size, err := binary.ReadUvarint(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || size < 8 || size > 1<<30 {
			return fmt.Errorf("%s: %w", path, anchors.ErrRecord)
		}
		if uint64(cap(body)) < size {
			body = make([]byte, size)
		}
		body = body[:size]
		if _, err := io.ReadFull(r, body); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := do(body); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
}

// partOf is the part of a hash when its bucket, one of so many, is cut in n.
func partOf(hash uint64, n, buckets int) int {
	within := hash << (bits.Len(uint(buckets)) - 1) >> 32 // the 32 bits below those of the bucket
	return int(within * uint64(n) >> 32)
}
