package sweep

import (
	"encoding/binary"
	"errors"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/lshclust/lshclust/internal/mapped"
)

// blockBytes is the number of bytes of records that a block holds, or more if its last record is long. Every worker
// unpacks the blocks of its pages, and in a crawl with new pages, a block also holds pages that are not needed: with
// blocks of four times the size, reading a crawl with a quarter of new pages took a quarter longer, and segments were 4
// to 8 % smaller. Unchanged crawls took as long.
const blockBytes = 32 << 10

// blockHead is the number of bytes of a block before its compressed records: their length, that of the records, and the
// number of what the records have in common.
const blockHead = 12

// maxBlock bounds the records of a block, against damaged lengths.
const maxBlock = 1 << 30

// Segment is a file of blocks that is being written. Several goroutines may use it through a [Writer] each.
type Segment struct {
	mu     sync.Mutex
	w      *mapped.Writer
	data   *mapped.Section
	bytes  uint64
	common []span // by number
}

// span is a range of the blocks.
type span struct{ offset, length uint64 }

// CreateSegment begins a segment.
func CreateSegment(path string) (*Segment, error) {
	w, err := mapped.Create(path, segmentKind, version)
	if err != nil {
		return nil, err
	}
	return &Segment{w: w, data: w.Section("blocks", 1)}, nil
}

// append appends bytes and returns their offset.
func (s *Segment) append(b []byte) (offset uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	offset = s.bytes
	s.data.Bytes(b)
	s.bytes += uint64(len(b))
	return offset, s.w.Err()
}

// reserve returns a number for what some records have in common.
func (s *Segment) reserve() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.common = append(s.common, span{})
	return uint32(len(s.common) - 1)
}

// putCommon writes what the records with a number have in common.
func (s *Segment) putCommon(number uint32, b []byte) error {
	offset, err := s.append(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.common[number] = span{offset, uint64(len(b))}
	return err
}

// Close publishes the segment. It leaves no file behind if there are no blocks.
func (s *Segment) Close() error {
	if s.bytes == 0 {
		s.w.Abort()
		return nil
	}
	common := s.w.Section("common", 8)
	for _, c := range s.common {
		common.U64(c.offset)
		common.U64(c.length)
	}
	return s.w.Close()
}

// Abort removes what was written, unless Close was called.
func (s *Segment) Abort() { s.w.Abort() }

// Writer packs records of one goroutine into blocks.
type Writer struct {
	emit    func(Entry) error // is given the entries of the records that are in a segment
	to      *Segment
	common  uint32 // number of what the records have in common
	any     bool   // there are records with that number
	raw     []byte
	block   []byte
	waiting []Entry
}

// NewWriter returns a writer, whose segment Use sets.
func NewWriter(emit func(Entry) error) *Writer { return &Writer{emit: emit} }

// Use makes the writer write to a segment. There must be nothing in memory.
func (w *Writer) Use(to *Segment) { w.to, w.any = to, false }

// Add adds a record under an entry, whose place the writer sets.
func (w *Writer) Add(e Entry, record []byte) error {
	if !w.any {
		w.common, w.any = w.to.reserve(), true
	}
	e.State, e.Inside = New, uint32(len(w.raw))
	w.raw = append(binary.AppendUvarint(w.raw, uint64(len(record))), record...)
	if w.waiting = append(w.waiting, e); len(w.raw) < blockBytes {
		return nil
	}
	return w.Flush()
}

// Common writes the records that are still in memory, and bytes that all records since the last call of Common or Use
// have in common, unless there are none.
func (w *Writer) Common(b []byte) error {
	if !w.any {
		return nil
	}
	w.any = false
	return errors.Join(w.Flush(), w.to.putCommon(w.common, b))
}

// Flush writes the records that are still in memory.
func (w *Writer) Flush() error {
	if len(w.raw) == 0 {
		return nil
	}
	if len(w.raw) > maxBlock {
		return errors.New("a page has more than a gigabyte of records")
	}
	w.pack()
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

// pack makes the block. S2 unpacks three times as fast as zstd, and takes a third more space for fragments.
func (w *Writer) pack() {
	if need := blockHead + s2.MaxEncodedLen(len(w.raw)); cap(w.block) < need {
		w.block = make([]byte, need)
	}
	w.block = w.block[:cap(w.block)]
	packed := len(s2.EncodeBetter(w.block[blockHead:], w.raw))
	w.block = w.block[:blockHead+packed]
	binary.LittleEndian.PutUint32(w.block, uint32(packed))
	binary.LittleEndian.PutUint32(w.block[4:], uint32(len(w.raw)))
	binary.LittleEndian.PutUint32(w.block[8:], w.common)
}
