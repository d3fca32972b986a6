package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/frames"
)

// A part of the stage read that was done by frames is shuffled: its fragments and shingles have gone to the parts that
// read them, partition by partition, and the run has the rest in a file with a name that ends with shuffledSuffix. The
// records of a partition are sent in their order, so that each attempt of a part sends the same blocks.

const shuffledSuffix = ".shuffled"

// shuffledFile tells what was sent of each shuffled part, so that a part knows whether all of it has come.
const shuffledFile = "work/shuffled"

// ErrShuffled is the error for work that needs the fragments or shingles of a run whose parts were shuffled.
var ErrShuffled = errors.New("the fragments and shingles of the run went out as frames, and only a part that is given these frames can read them")

// shuffledPart tells what was sent of a part.
type shuffledPart struct {
	Number uint32 `json:"number"`
	Sums   []byte `json:"sums"` // of each stream of fragments, then of shingles: its size and the sum of the checksums of its blocks
}

// sumSize is the size of an entry of shuffledPart.Sums.
const sumSize = 16

// of returns the size and sum of a stream.
func (p shuffledPart) of(stream int) (size, sum uint64) {
	b := p.Sums[stream*sumSize:]
	return binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
}

// isShuffled reports whether a stream of a part was sent.
func (b *build) isShuffled(name string, stream int) bool {
	return stream < 2*b.partitions && strings.HasSuffix(name, shuffledSuffix)
}

// hasShuffled reports whether a part of the stage read is shuffled.
func (b *build) hasShuffled() bool {
	return slices.ContainsFunc(b.partFiles(), func(name string) bool { return strings.HasSuffix(name, shuffledSuffix) })
}

// readOutputs returns the names of the outputs of the stage read that depend on its parts.
func (b *build) readOutputs() []string {
	out := b.partFiles()
	if b.hasShuffled() {
		out = append(out, shuffledFile)
	}
	return out
}

// shuffledKey returns the stream of a part that has a number of streams.
func (b *build) shuffledKey(part uint32, stream int) frames.Stream {
	kind := frames.Fragments
	if stream >= b.partitions {
		kind = frames.Shingles
	}
	return frames.Stream{Kind: kind, Part: stream % b.partitions, Number: part}
}

// shuffledPieces returns the pieces of a stream in the parts that were shuffled.
func (b *build) shuffledPieces(stream int) (out []piece) {
	for _, name := range b.partFiles() {
		var number uint32
		if !b.isShuffled(name, stream) {
			continue
		}
		if _, err := fmt.Sscanf(name, partPrefix+"%06d", &number); err == nil {
			out = append(out, piece{path: name, shuffled: &shuffledPiece{b.shuffled, b.shuffledKey(number, stream)}})
		}
	}
	return out
}

// shuffledPiece is a stream that came as frames.
type shuffledPiece struct {
	spool *frames.Spool // nil: it did not come
	key   frames.Stream
}

func (p *shuffledPiece) size() (int64, error) {
	if p.spool == nil {
		return 0, ErrShuffled
	}
	return p.spool.Size(p.key), nil
}

// blocks calls do with blocks of whole records.
func (p *shuffledPiece) blocks(ctx context.Context, do func(block []byte) error) error {
	if p.spool == nil {
		return ErrShuffled
	}
	var some []byte
	err := p.spool.Read(p.key, func(block []byte) error {
		some = append(some, block...)
		n := wholeRecords(some)
		err := cmp.Or(ctx.Err(), do(some[:n]))
		some = append(some[:0], some[n:]...)
		return err
	})
	if err == nil && len(some) > 0 {
		err = codec.ErrMalformed
	}
	return err
}

// wholeRecords returns the number of bytes of the records that b begins with.
func wholeRecords(b []byte) (n int) {
	for {
		size, k := binary.Uvarint(b[n:])
		if k <= 0 || size > uint64(len(b)-n-k) {
			return n
		}
		n += k + int(size)
	}
}

// sendShuffled sends the fragments and shingles of a part that was read, and replaces its file by one with the rest. It
// returns the name of that file.
func (b *build) sendShuffled(ctx context.Context, to *frames.Writer, number int) (name string, err error) {
	read := b.partFile(number)
	path := b.dir.Temp(read)
	defer os.Remove(path)
	sent := shuffledPart{Number: uint32(number)}
	for stream := range 2 * b.partitions {
		size, sum, err := b.sendStream(ctx, to, piece{path: path, streams: b.streamsOfPart(), stream: stream}, b.shuffledKey(sent.Number, stream))
		if err != nil {
			return "", err
		}
		sent.Sums = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(sent.Sums, uint64(size)), sum)
	}
	return read + shuffledSuffix, b.keepRest(path, b.dir.Temp(read+shuffledSuffix), sent)
}

// sendStream sends the records of a stream in their order, which no other attempt changes.
func (b *build) sendStream(ctx context.Context, to *frames.Writer, from piece, key frames.Stream) (size int64, sum uint64, err error) {
	pieces := []piece{from}
	if size, err = sizeOfPieces(pieces); err != nil || size == 0 {
		return 0, 0, err
	}
	spans, err := splitPartition(ctx, pieces, key.Part, b.partitions, b.memory/8, func([]byte) bool { return true })
	if err != nil {
		return 0, 0, err
	}
	w := to.Blocks(frames.Frame{Kind: key.Kind, Part: int32(key.Part), Number: key.Number, Size: uint64(size)})
	for _, s := range spans {
		if err := writeSorted(ctx, w, pieces, s); err != nil {
			return 0, 0, err
		}
	}
	sum, err = w.Close()
	return size, sum, err
}

// writeSorted writes the records of a span, which it sorts in memory, by their hashes and their other bytes.
func writeSorted(ctx context.Context, w io.Writer, pieces []piece, s span) error {
	all := make([]byte, 0, s.size)
	var ends []int
	err := eachRecord(ctx, pieces, func(body []byte) error {
		if s.has(anchors.TargetHash(body)) {
			all = append(all, body...)
			ends = append(ends, len(all))
		}
		return nil
	})
	if err != nil {
		return err
	}
	bodies, from := make([][]byte, len(ends)), 0
	for i, end := range ends {
		bodies[i], from = all[from:end], end
	}
	slices.SortFunc(bodies, func(x, y []byte) int {
		return cmp.Or(cmp.Compare(anchors.TargetHash(x), anchors.TargetHash(y)), bytes.Compare(x, y))
	})
	for _, body := range bodies {
		if err := writeRecord(w, body); err != nil {
			return err
		}
	}
	return nil
}

// keepRest copies what was not sent of a part.
func (b *build) keepRest(from, to string, sent shuffledPart) error {
	r, err := framed.OpenStreams(from, b.streamsOfPart())
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := framed.CreateStreams(to, b.streamsOfPart())
	if err != nil {
		return err
	}
	defer w.Close()
	for stream := 2 * b.partitions; stream < b.streamsOfPart(); stream++ {
		for block, err := range r.Blocks(stream) {
			if err == nil && stream == b.moreStream(factStream) {
				block, err = withShuffled(block, sent)
			}
			if err == nil {
				err = w.Append(stream, append(make([]byte, framed.BlockHead), block...))
			}
			if err != nil {
				return err
			}
		}
	}
	return w.Close()
}

// withShuffled returns the facts of a part with what was sent of it.
func withShuffled(facts []byte, sent shuffledPart) ([]byte, error) {
	var f partFacts
	if err := json.Unmarshal(facts, &f); err != nil {
		return nil, err
	}
	f.Shuffled = &sent
	return json.Marshal(f)
}

// writeShuffled writes what was sent of all parts, if anything was.
func (b *build) writeShuffled(ctx context.Context) error {
	if !b.hasShuffled() {
		return nil
	}
	return create(b.dir.Temp(shuffledFile), func(w io.Writer) error {
		var failed error
		err := b.facts(ctx, func(f partFacts) {
			if f.Shuffled != nil && failed == nil {
				failed = writeRecord(w, append(binary.LittleEndian.AppendUint32(nil, f.Shuffled.Number), f.Shuffled.Sums...))
			}
		})
		return cmp.Or(err, failed)
	})
}

// checkShuffled returns an error unless all streams of a kind have come that part reads, or those for all partitions.
func (b *build) checkShuffled(ctx context.Context, n needs, part int) error {
	if n.kind == 0 {
		return nil
	}
	return b.eachShuffled(ctx, n.kind, func(key frames.Stream, size, sum uint64) error {
		if !n.all && key.Part != part {
			return nil
		}
		return b.shuffled.Check(key, size, sum)
	})
}

// shuffledBytes returns the sizes of the streams that each part of a step reads.
func (b *build) shuffledBytes(n needs, parts int) ([]uint64, error) {
	out := make([]uint64, parts)
	return out, b.eachShuffled(context.Background(), n.kind, func(key frames.Stream, size, _ uint64) error {
		part := key.Part
		if n.all {
			part = 0
		}
		out[part] += size
		return nil
	})
}

// eachShuffled calls do with the streams of a kind that were sent.
func (b *build) eachShuffled(ctx context.Context, kind frames.Kind, do func(key frames.Stream, size, sum uint64) error) error {
	return eachOfSize(ctx, b.dir.Path(shuffledFile), 4, func(body []byte) error {
		p := shuffledPart{binary.LittleEndian.Uint32(body), body[4:]}
		if len(p.Sums) != 2*b.partitions*sumSize {
			return codec.ErrMalformed
		}
		for stream := range 2 * b.partitions {
			key := b.shuffledKey(p.Number, stream)
			size, sum := p.of(stream)
			if key.Kind != kind {
				continue
			}
			if err := do(key, size, sum); err != nil {
				return err
			}
		}
		return nil
	})
}
