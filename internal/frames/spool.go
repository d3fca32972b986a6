package frames

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
)

// Stream identifies the records of one kind that a part of the stage read has for a partition.
type Stream struct {
	Kind   Kind
	Part   int    // the partition
	Number uint32 // of the part of read
}

// Spool keeps blocks of streams in a file.
type Spool struct {
	f       *os.File
	at      int64
	streams map[Stream]*spooled
}

type spooled struct {
	gathered
	places map[uint64]int64 // of the frames in the file, by the offsets of their blocks
}

// CreateSpool creates an empty spool.
func CreateSpool(path string) (*Spool, error) {
	f, err := os.Create(path)
	return &Spool{f: f, streams: map[Stream]*spooled{}}, err
}

// Add adds the block that a reader has returned last.
func (s *Spool) Add(r *Reader, f *Frame) error {
	key := Stream{f.Kind, int(f.Part), f.Number}
	of := s.streams[key]
	if of == nil {
		of = &spooled{places: map[uint64]int64{}}
		s.streams[key] = of
	}
	fresh, err := of.add(f)
	if err != nil || !fresh {
		return err
	}
	n, err := s.f.Write(r.raw())
	of.places[f.Offset] = s.at
	s.at += int64(n)
	return err
}

// Check returns an error unless all blocks of a stream have come and have a size and sum together. A stream of size 0
// has no blocks.
func (s *Spool) Check(key Stream, size, sum uint64) error {
	of, head := s.streams[key], Frame{Kind: key.Kind, Part: int32(key.Part), Number: key.Number, Size: size}
	switch {
	case of == nil && size == 0:
		return nil
	case of == nil:
		return wrong(&head, "none of its %d bytes has come", size)
	}
	if err := of.complete(); err != nil {
		return err
	}
	if of.head.Size != size || of.sum != sum {
		return wrong(&head, "it is not what the run has recorded: %d bytes with sum %x, not %d with %x", of.head.Size, of.sum, size, sum)
	}
	return nil
}

// Size returns the size of a stream.
func (s *Spool) Size(key Stream) int64 {
	if of := s.streams[key]; of != nil {
		return int64(of.head.Size)
	}
	return 0
}

// Read calls do with the blocks of a complete stream in their order. A block is valid until the next one. Several
// goroutines may read streams at once.
func (s *Spool) Read(key Stream, do func(block []byte) error) error {
	of := s.streams[key]
	if of == nil {
		return nil
	}
	var buf []byte
	for offset := uint64(0); offset < of.head.Size; offset += BlockSize {
		var prefix [prefixSize]byte
		at := of.places[offset]
		if _, err := s.f.ReadAt(prefix[:], at); err != nil {
			return s.cut(err, of, offset)
		}
		n := int(min(binary.LittleEndian.Uint32(prefix[:]), mostBody))
		buf = slices.Grow(buf[:0], n)[:n]
		if _, err := s.f.ReadAt(buf, at+prefixSize); err != nil {
			return s.cut(err, of, offset)
		}
		f, err := parse(prefix[:], buf)
		if err != nil {
			return err
		}
		if err := do(f.Data); err != nil {
			return err
		}
	}
	return nil
}

func (s *Spool) cut(err error, of *spooled, offset uint64) error {
	f := of.head
	if f.Offset = offset; errors.Is(err, io.EOF) {
		return wrong(&f, "it is no longer there")
	}
	return err
}

// Close closes the file.
func (s *Spool) Close() error { return s.f.Close() }
