package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/scratch"
)

// Intermediate records are stored in partitions. Each contains the records of one range of the hashes by which
// documents are numbered, and hence of one range of ids. A partition consists of pieces: each part of the read stage
// is a file with a stream for each partition. The number of partitions depends on the inputs alone, so that a stopped
// run can continue with another memory limit; a partition that is too large for memory is read span by span. Each
// partition costs a few files in several stages, which is much for small inputs.
const (
	leastPartitions = 4
	fewPartitions   = 16
	somePartitions  = 64
	manyPartitions  = 256

	leastBytes = 1 << 20   // inputs up to this size in bytes, as stored, have the fewest partitions
	fewBytes   = 64 << 20  // inputs up to this size have few
	someBytes  = 256 << 20 // inputs up to this size have some
)

// partitionsOf returns the number of partitions with which a run began.
func partitionsOf(d *run.Dir) int {
	if n, ok := d.Sizes["partitions"]; ok {
		return int(n)
	}
	return partitionsFor(d.Inputs)
}

// partitionsFor returns the number of partitions for some inputs.
func partitionsFor(inputs []run.Input) int {
	total := int64(0)
	for _, in := range inputs {
		if in.Digest == "" { // a stream of unknown length
			return manyPartitions
		}
		total += in.Bytes
	}
	switch {
	case total <= leastBytes:
		return leastPartitions
	case total <= fewBytes:
		return fewPartitions
	case total <= someBytes:
		return somePartitions
	}
	return manyPartitions
}

// partitionOf returns which of n partitions a hash belongs to. n is a power of two.
func partitionOf(hash uint64, n int) int { return int(hash >> (65 - bits.Len(uint(n)))) }

// partitionRange returns the range of the hashes in partition i of n.
func partitionRange(i, n int) (lowest, highest uint64) {
	shift := 65 - bits.Len(uint(n))
	lowest = uint64(i) << shift
	return lowest, lowest | (1<<shift - 1)
}

// partitionFlush is the number of bytes that a worker collects for a partition before writing them as a block, if
// there is enough memory.
const partitionFlush = 32 << 10

// partitionWriter collects the records of one worker for partitions that are consecutive streams of a file.
type partitionWriter struct {
	to    *framed.Streams
	first int // stream of partition 0
	most  int // number of bytes to collect for a partition before writing a block
	put   func(s *framed.Streams, stream int, block []byte) error
	buf   [][]byte      // for each partition, the head of a block and the records after it; nil until there are any
	room  *scratch.Pool // for large records; nil means memory
}

// newPartitionWriter returns a writer to n partitions, the first of which is the given stream. The caller must set
// the file.
func newPartitionWriter(n, first, most int) partitionWriter {
	return partitionWriter{first: first, most: most, put: (*framed.Streams).Append, buf: make([][]byte, n)}
}

// add writes a record to the partition of a hash. encode appends the bytes of the record, at most bound, which begin
// with the length of the rest and the hash.
func (w *partitionWriter) add(hash uint64, bound int, encode func(dst []byte) []byte) error {
	i := partitionOf(hash, len(w.buf))
	if bound > w.most { // use a separate buffer
		block := scratch.Grow(w.room, []byte(nil), framed.BlockHead+bound)[:framed.BlockHead]
		return w.put(w.to, w.first+i, encode(block))
	}
	if w.buf[i] == nil {
		w.buf[i] = make([]byte, framed.BlockHead, framed.BlockHead+w.most+w.most/8)
	}
	if len(w.buf[i])+bound > cap(w.buf[i]) {
		if err := w.flushOne(i); err != nil {
			return err
		}
	}
	w.buf[i] = encode(w.buf[i])
	if len(w.buf[i]) < w.most {
		return nil
	}
	return w.flushOne(i)
}

// append writes records, which stay together, to the only partition.
func (w *partitionWriter) append(records []byte) error {
	return w.add(0, len(records), func(dst []byte) []byte { return append(dst, records...) })
}

func (w *partitionWriter) flushOne(i int) error {
	if len(w.buf[i]) <= framed.BlockHead {
		return nil
	}
	err := w.put(w.to, w.first+i, w.buf[i])
	w.buf[i] = w.buf[i][:framed.BlockHead]
	return err
}

// flush writes what is still in memory.
func (w *partitionWriter) flush() error {
	for i := range w.buf {
		if err := w.flushOne(i); err != nil {
			return err
		}
	}
	return nil
}

// streamFlush is the number of bytes that a worker collects for a stream without partitions.
const streamFlush = 64 << 10

func (b readStage) streamWriter(stream int) partitionWriter {
	return newPartitionWriter(1, b.fromRead().moreStream(stream), streamFlush)
}

// putDrops writes the lines of a run.Drops, with their keys, as one block.
func (b readStage) putDrops(to *framed.Streams, keys, lines []byte) error {
	block := make([]byte, framed.BlockHead, framed.BlockHead+4+len(keys)+len(lines))
	block = binary.LittleEndian.AppendUint32(block, uint32(len(keys)))
	return to.Append(b.fromRead().moreStream(dropStream), append(append(block, keys...), lines...))
}

// headSize is the least size in bytes of a record in a partition: the fixed fields of a redirect, the shortest
// record.
const headSize = capture.RedirectSize

// piece is a stream of a file of streams with records of a partition.
type piece struct {
	path    string
	streams int // number of streams of the file
	stream  int
}

// eachRecord calls do with the body of each record of the pieces of a partition, in no particular order. A body is
// valid until the next one.
func eachRecord(ctx context.Context, pieces []piece, do func(body []byte) error) error {
	return eachBlock(ctx, pieces, func(block []byte) error {
		for len(block) > 0 {
			size, n := binary.Uvarint(block)
			if n <= 0 || size < headSize || size > uint64(len(block)-n) {
				return codec.ErrMalformed
			}
			if err := do(block[n : n+int(size)]); err != nil {
				return err
			}
			block = block[n+int(size):]
		}
		return nil
	})
}

// blocks calls do with each block of a stream. A block is valid until the next one.
func (p piece) blocks(ctx context.Context, do func(block []byte) error) error {
	r, err := framed.OpenStreams(p.path, p.streams)
	if err != nil {
		return err
	}
	defer r.Close()
	for block, err := range r.Blocks(p.stream) {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := do(block); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
	}
	return nil
}

// eachBlock calls do with each block of some pieces.
func eachBlock(ctx context.Context, pieces []piece, do func(block []byte) error) error {
	for _, p := range pieces {
		if err := p.blocks(ctx, do); err != nil {
			return err
		}
	}
	return nil
}

// sizeOfPieces returns the number of bytes of the records of a partition.
func sizeOfPieces(pieces []piece) (n int64, err error) {
	for _, p := range pieces {
		r, err := framed.OpenStreams(p.path, p.streams)
		if err != nil {
			return 0, err
		}
		n += r.Size(p.stream)
		if err := r.Close(); err != nil {
			return 0, err
		}
	}
	return n, nil
}
