package pipeline

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/scratch"
	"github.com/lshclust/lshclust/run"
)

// Hash buckets of targets are ranges of hashes, hence of ids. Their number follows from the inputs alone, so that the
// files of a stopped run serve a process with another memory limit; a bucket that is too big for memory is read in
// parts.
const (
	fewPartitions  = 16
	manyPartitions = 256
	fewBytes       = 64 << 20 // inputs up to this size, as stored, get few buckets
)

func partitionsFor(inputs []run.Input) int {
	total := int64(0)
	for _, in := range inputs {
		if in.Digest == "" { // a stream of unknown length
			return manyPartitions
		}
		total += in.Bytes
	}
	if total <= fewBytes {
		return fewPartitions
	}
	return manyPartitions
}

// partitionOf is the bucket of a target's hash, of n, a power of two.
func partitionOf(hash uint64, n int) int { return int(hash >> (65 - bits.Len(uint(n)))) }

// partitionRange returns the range of the hashes in partition i of n.
func partitionRange(i, n int) (lowest, highest uint64) {
	shift := 65 - bits.Len(uint(n))
	lowest = uint64(i) << shift
	return lowest, lowest | (1<<shift - 1)
}

// partitionFlush is the number of bytes that a worker collects for a bucket before it writes them as a frame, if there is
// enough memory.
const partitionFlush = 32 << 10

// buckets are the files to which all workers append records.
type partitions struct {
	files []*framed.File
	flush int // bytes that a worker collects for one of them
}

// createPartitions makes n files of the given names.
func createPartitions(n int, name func(i int) string) (*partitions, error) {
	b := &partitions{flush: partitionFlush}
	for i := range n {
		f, err := framed.Create(name(i))
		if err != nil {
			return nil, errors.Join(err, b.close())
		}
		b.files = append(b.files, f)
	}
	return b, nil
}

func (b *partitions) close() error {
	var errs []error
	for _, f := range b.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// partitionWriter collects the records of one worker.
type partitionWriter struct {
	to   *partitions
	buf  [][]byte      // room for the head of a frame and the records behind it; nil as long as there are none
	room *scratch.Pool // of what is large; nil: memory
}

func newPartitionWriter(to *partitions) partitionWriter {
	return partitionWriter{to: to, buf: make([][]byte, len(to.files))}
}

// add writes a record of a hash. encode appends the bytes of the record, at most bound, which begin with its length and the hash.
func (w *partitionWriter) add(hash uint64, bound int, encode func(dst []byte) []byte) error {
	i := partitionOf(hash, len(w.buf))
	if bound > w.to.flush { // into a buffer of its own
		block := scratch.Grow(w.room, []byte(nil), framed.Head+bound)[:framed.Head]
		return errors.Join(w.flush(i), w.to.files[i].Append(encode(block)))
	}
	if w.buf[i] == nil {
		w.buf[i] = make([]byte, framed.Head, framed.Head+w.to.flush+w.to.flush/8)
	}
	if len(w.buf[i])+bound > cap(w.buf[i]) {
		if err := w.flush(i); err != nil {
			return err
		}
	}
	w.buf[i] = encode(w.buf[i])
	if len(w.buf[i]) < w.to.flush {
		return nil
	}
	return w.flush(i)
}

func (w *partitionWriter) flush(i int) error {
	if len(w.buf[i]) <= framed.Head {
		return nil
	}
	err := w.to.files[i].Append(w.buf[i])
	w.buf[i] = w.buf[i][:framed.Head]
	return err
}

func (w *partitionWriter) close() error {
	for i := range w.buf {
		if w.buf[i] == nil {
			continue
		}
		if err := w.flush(i); err != nil {
			return err
		}
	}
	return nil
}

// headSize is the least size of a record of a bucket: of the hash and the fixed fields of the shortest kind of record, a claim.
const headSize = 25

// eachRecord calls do with the body of every record of a bucket. It is valid until the next one.
func eachRecord(ctx context.Context, path string, do func(body []byte) error) error {
	return eachOfSize(ctx, path, headSize, do)
}

// eachOfSize does so for records that have so many bytes at least.
func eachOfSize(ctx context.Context, path string, least uint64, do func(body []byte) error) error {
	r, err := framed.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	var body []byte
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		size, err := binary.ReadUvarint(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if errors.Is(err, framed.ErrDamaged) {
			return err
		}
		if err != nil || size < least || size > 1<<30 {
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

// writeRecord writes a record, led by its length.
func writeRecord(w io.Writer, body []byte) error {
	var head [binary.MaxVarintLen64]byte
	if _, err := w.Write(binary.AppendUvarint(head[:0], uint64(len(body)))); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}
