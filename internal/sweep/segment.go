package sweep

import (
	"encoding/binary"
	"errors"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/lshclust/lshclust/internal/mapped"
)

// blockBytes is the number of bytes of records that a block holds, or more if its last record is long. Blocks of twice
// the size took a twentieth less space, and a page that is looked up alone took twice as long.
const blockBytes = 128 << 10

// blockHead is the number of bytes of a block before its compressed records: their length, and that of the records.
const blockHead = 8

// maxBlock bounds the records of a block, against damaged lengths.
const maxBlock = 1 << 30

// Segment is a file of blocks that is being written. Several goroutines may use it through a [Writer] each.
type Segment struct {
	mu    sync.Mutex
	w     *mapped.Writer
	data  *mapped.Section
	bytes uint64
}

// CreateSegment begins a segment.
func CreateSegment(path string) (*Segment, error) {
	w, err := mapped.Create(path, segmentKind, version)
	if err != nil {
		return nil, err
	}
	return &Segment{w: w, data: w.Section("blocks", 1)}, nil
}

// append appends a block and returns its offset.
func (s *Segment) append(block []byte) (offset uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	offset = s.bytes
	s.data.Bytes(block)
	s.bytes += uint64(len(block))
	return offset, s.w.Err()
}

// Close publishes the segment. It leaves no file behind if there are no blocks.
func (s *Segment) Close() error {
	if s.bytes == 0 {
		s.w.Abort()
		return nil
	}
	return s.w.Close()
}

// Abort removes what was written, unless Close was called.
func (s *Segment) Abort() { s.w.Abort() }

// Writer packs records of one goroutine into blocks.
type Writer struct {
	emit    func(Entry) error // is given the entries of the records that are in a segment
	to      *Segment
	encoder *zstd.Encoder
	raw     []byte
	block   []byte
	waiting []Entry
}

// NewWriter returns a writer, whose segment Use sets.
func NewWriter(emit func(Entry) error) (*Writer, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	return &Writer{emit: emit, encoder: e}, err
}

// Use makes the writer write to a segment.
func (w *Writer) Use(to *Segment) { w.to = to }

// Add adds a record under an entry, whose place the writer sets.
func (w *Writer) Add(e Entry, record []byte) error {
	e.State, e.Inside = New, uint32(len(w.raw))
	w.raw = append(binary.AppendUvarint(w.raw, uint64(len(record))), record...)
	if w.waiting = append(w.waiting, e); len(w.raw) < blockBytes {
		return nil
	}
	return w.Flush()
}

// Flush writes the records that are still in memory.
func (w *Writer) Flush() error {
	if len(w.raw) == 0 {
		return nil
	}
	if len(w.raw) > maxBlock {
		return errors.New("a page has more than a gigabyte of records")
	}
	w.block = w.encoder.EncodeAll(w.raw, append(w.block[:0], make([]byte, blockHead)...))
	binary.LittleEndian.PutUint32(w.block, uint32(len(w.block)-blockHead))
	binary.LittleEndian.PutUint32(w.block[4:], uint32(len(w.raw)))
	offset, err := w.to.append(w.block)
	if err != nil {
		return err
	}
	for _, e := range w.waiting {
		e.Offset = offset
		if err := w.emit(e); err != nil {
			return err
		}
	}
	if w.waiting = w.waiting[:0]; cap(w.raw) > 8*blockBytes { // a page was long
		w.raw, w.block = nil, nil
	}
	w.raw = w.raw[:0]
	return nil
}
