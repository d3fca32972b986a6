package sweep

import (
	"cmp"
	"encoding/binary"

	"github.com/klauspost/compress/s2"
)

// cached is the number of blocks that a Fetcher keeps. The pages of a later crawl mostly come in the order of the
// earlier one, but from as many blocks at a time as there were workers.
const cached = 6

// Fetcher fetches records for one goroutine.
type Fetcher struct {
	s      *Store
	blocks [cached]struct {
		segment uint32
		offset  uint64
		common  uint32
		used    uint64
		raw     []byte
	}
	clock uint64
}

// Fetcher returns a fetcher of the records of the store.
func (s *Store) Fetcher() *Fetcher { return &Fetcher{s: s} }

// Shared names the bytes that some records of a segment have in common.
type Shared struct{ segment, number uint32 }

// Record returns the record of an entry that the store returned, and the name of what it has in common with others. It
// is valid until the next call, and the caller may change it where that changes no later reading of it.
func (f *Fetcher) Record(e Entry) ([]byte, Shared, error) {
	raw, common, err := f.block(e)
	if err != nil {
		return nil, Shared{}, err
	}
	if uint64(e.Inside) < uint64(len(raw)) {
		n, k := binary.Uvarint(raw[e.Inside:])
		if rest := raw[int(e.Inside)+max(k, 0):]; k > 0 && n <= uint64(len(rest)) {
			return rest[:n:n], Shared{e.Segment, common}, nil
		}
	}
	path, _ := f.s.Segment(e.Segment)
	return nil, Shared{}, damaged(path, e.Offset)
}

// Common returns what records have in common. It must not be changed.
func (f *Fetcher) Common(of Shared) ([]byte, error) {
	file, places := f.s.files[of.segment], f.s.common[of.segment]
	at := 2 * int(of.number)
	offset, length, blocks := places.At(at), places.At(at+1), f.s.blocks[of.segment]
	total := uint64(blocks.Len())
	if at+1 >= places.Len() || offset > total || length > total-offset {
		return nil, damaged(file.Path(), offset)
	}
	b := blocks.Slice(int(offset), int(offset+length))
	return b, file.Err()
}

// block returns the records of a block, and the number of what they have in common.
func (f *Fetcher) block(e Entry) (raw []byte, common uint32, err error) {
	f.clock++
	oldest := &f.blocks[0]
	for i := range f.blocks {
		b := &f.blocks[i]
		if b.used > 0 && b.segment == e.Segment && b.offset == e.Offset {
			b.used = f.clock
			return b.raw, b.common, nil
		}
		if cap(b.raw) > 8*blockBytes { // a page was long; one such block at a time is enough
			b.raw, b.used = nil, 0
		}
		if b.used < oldest.used {
			oldest = b
		}
	}
	oldest.used = 0
	if raw, common, err = f.unpack(oldest.raw[:0], e); err != nil {
		return nil, 0, err
	}
	oldest.segment, oldest.offset, oldest.common, oldest.used, oldest.raw = e.Segment, e.Offset, common, f.clock, raw
	return raw, common, nil
}

func (f *Fetcher) unpack(dst []byte, e Entry) (raw []byte, common uint32, err error) {
	path, _ := f.s.Segment(e.Segment)
	if int(e.Segment) >= len(f.s.blocks) {
		return nil, 0, damaged(f.s.f.Path(), e.Offset)
	}
	of := f.s.blocks[e.Segment]
	total := uint64(of.Len())
	if e.Offset > total || total-e.Offset < blockHead {
		return nil, 0, damaged(path, e.Offset)
	}
	at := e.Offset + blockHead
	head := of.Slice(int(e.Offset), int(at))
	packed, size := uint64(binary.LittleEndian.Uint32(head)), int(binary.LittleEndian.Uint32(head[4:]))
	if packed > total-at || size > maxBlock {
		return nil, 0, damaged(path, e.Offset)
	}
	block := of.Slice(int(at), int(at+packed))
	if n, err := s2.DecodedLen(block); err != nil || n != size {
		return nil, 0, cmp.Or(f.s.files[e.Segment].Err(), damaged(path, e.Offset))
	}
	if cap(dst) < size {
		dst = make([]byte, size)
	}
	raw, err = s2.Decode(dst[:size], block)
	if e := f.s.files[e.Segment].Err(); e != nil {
		return nil, 0, e
	}
	if err != nil {
		return nil, 0, damaged(path, e.Offset)
	}
	return raw, binary.LittleEndian.Uint32(head[8:]), nil
}
