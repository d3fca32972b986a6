package pipeline

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/scratch"
	"github.com/lshclust/lshclust/run"
)

// Intermediate records are stored in partitions: files that each hold the records of one range of the hashes by which
// documents are numbered, and hence of one range of ids. The number of partitions depends on the inputs alone, so that
// a stopped run can go on with another memory limit; a partition that is too large for memory is read span by span.
const (
	fewPartitions  = 16
	manyPartitions = 256
	fewBytes       = 64 << 20 // inputs up to this size in bytes, as they are stored, have few partitions
)

// partitionsFor returns the number of partitions for some inputs.
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

// partitionOf returns the partition of a hash among n, which is a power of two.
func partitionOf(hash uint64, n int) int { return int(hash >> (65 - bits.Len(uint(n)))) }

// partitionRange returns the range of the hashes in partition i of n.
func partitionRange(i, n int) (lowest, highest uint64) {
	shift := 65 - bits.Len(uint(n))
	lowest = uint64(i) << shift
	return lowest, lowest | (1<<shift - 1)
}

// partitionFlush is the number of bytes that a worker collects for a partition before it writes them as a frame, if
// there is enough memory.
const partitionFlush = 32 << 10

// partitions are the files to which all workers append records.
type partitions struct {
	files []*framed.File
	flush int // bytes that a worker collects for a partition before it writes them
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
	buf  [][]byte      // for each partition the head of a frame and the records that follow; nil until there are any
	room *scratch.Pool // for what is large; nil: memory
}

func newPartitionWriter(to *partitions) partitionWriter {
	return partitionWriter{to: to, buf: make([][]byte, len(to.files))}
}

// add writes a record to the partition of a hash. encode appends the bytes of the record, at most bound, which begin
// with the length of the rest and the hash.
func (w *partitionWriter) add(hash uint64, bound int, encode func(dst []byte) []byte) error {
	i := partitionOf(hash, len(w.buf))
	if bound > w.to.flush { // into a separate buffer
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

// headSize is the least size in bytes of a record in a partition: that of the fixed fields of a redirect, the shortest
// record.
const headSize = capture.RedirectSize

// eachRecord calls do with the body of each record of a partition. A body is valid until the next one.
func eachRecord(ctx context.Context, path string, do func(body []byte) error) error {
	return eachOfSize(ctx, path, headSize, do)
}

// eachOfSize is eachRecord for records of at least the given number of bytes.
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
			return fmt.Errorf("%s: %w", path, codec.ErrMalformed)
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

// writeRecord writes a record, preceded by its length.
func writeRecord(w io.Writer, body []byte) error {
	var head [binary.MaxVarintLen64]byte
	if _, err := w.Write(binary.AppendUvarint(head[:0], uint64(len(body)))); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}
