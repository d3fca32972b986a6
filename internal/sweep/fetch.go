package sweep

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
)

// cached is the number of blocks that a Fetcher keeps. The pages of a later crawl mostly come in the order of the
// earlier one, but from as many blocks at a time as there were workers.
const cached = 6

// Fetcher fetches records for one goroutine.
type Fetcher struct {
	s       *Store
	decoder *zstd.Decoder
	blocks  [cached]struct {
		segment uint32
		offset  uint64
		used    uint64
		raw     []byte
	}
	clock uint64
}

// Fetcher returns a fetcher of the records of the store.
func (s *Store) Fetcher() (*Fetcher, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlock), zstd.IgnoreChecksum(true))
	return &Fetcher{s: s, decoder: d}, err
}

// Close releases the decoder.
func (f *Fetcher) Close() { f.decoder.Close() }

// Record returns the record of an entry that the store returned. It is valid until the next call, and the caller may
// change it where that changes no later reading of it.
func (f *Fetcher) Record(e Entry) ([]byte, error) {
	raw, err := f.block(e)
	if err != nil {
		return nil, err
	}
	if uint64(e.Inside) < uint64(len(raw)) {
		n, k := binary.Uvarint(raw[e.Inside:])
		if rest := raw[int(e.Inside)+max(k, 0):]; k > 0 && n <= uint64(len(rest)) {
			return rest[:n:n], nil
		}
	}
	path, _ := f.s.Segment(e.Segment)
	return nil, damaged(path, e.Offset)
}

// block returns the records of a block.
func (f *Fetcher) block(e Entry) ([]byte, error) {
	f.clock++
	oldest := &f.blocks[0]
	for i := range f.blocks {
		b := &f.blocks[i]
		if b.used > 0 && b.segment == e.Segment && b.offset == e.Offset {
			b.used = f.clock
			return b.raw, nil
		}
		if b.used < oldest.used {
			oldest = b
		}
	}
	oldest.used = 0
	raw, err := f.unpack(oldest.raw[:0], e)
	if err != nil {
		return nil, err
	}
	oldest.segment, oldest.offset, oldest.used, oldest.raw = e.Segment, e.Offset, f.clock, raw
	return raw, nil
}

func (f *Fetcher) unpack(dst []byte, e Entry) ([]byte, error) {
	path, _ := f.s.Segment(e.Segment)
	if int(e.Segment) >= len(f.s.blocks) {
		return nil, damaged(f.s.f.Path(), e.Offset)
	}
	of := f.s.blocks[e.Segment]
	total := uint64(of.Len())
	if e.Offset > total || total-e.Offset < blockHead {
		return nil, damaged(path, e.Offset)
	}
	at := e.Offset + blockHead
	head := of.Slice(int(e.Offset), int(at))
	packed, size := uint64(binary.LittleEndian.Uint32(head)), binary.LittleEndian.Uint32(head[4:])
	if packed > total-at || size > maxBlock {
		return nil, damaged(path, e.Offset)
	}
	if cap(dst) < int(size) || cap(dst) > 8*blockBytes {
		dst = make([]byte, 0, size)
	}
	raw, err := f.decoder.DecodeAll(of.Slice(int(at), int(at+packed)), dst)
	if e := f.s.files[e.Segment].Err(); e != nil {
		return nil, e
	}
	if err != nil || len(raw) != int(size) {
		return nil, damaged(path, e.Offset)
	}
	return raw, nil
}
