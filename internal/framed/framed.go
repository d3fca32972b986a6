// Package framed writes and reads the files of the stage read: many streams of blocks in one file, each of which can
// be read without the others. Blocks are compressed. Every block has a checksum, which a reader verifies before it returns any byte of the
// block.
//
// Several goroutines may call [Streams.Append] at the same time.
package framed

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
)

// ErrDamaged is wrapped by every [Error].
var ErrDamaged = errors.New("damaged file")

// Error is the error for a damaged file. It unwraps to ErrDamaged.
type Error struct {
	File   string
	Offset int64 // offset of the block
	What   string
}

// Error returns a message with the file, the offset and the problem.
func (e *Error) Error() string {
	return fmt.Sprintf("%s at byte %d: %v: %s", e.File, e.Offset, ErrDamaged, e.What)
}

// Unwrap returns ErrDamaged.
func (e *Error) Unwrap() error { return ErrDamaged }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A file of streams holds several streams of blocks, which are appended in any order. A block is the place of the block
// before it in its stream (the offset plus one, 8 bytes, and the length of its content, 4 bytes), a CRC-32C (4 bytes)
// and the content, which is the payload: compressed with S2, or, if it is large or random, as it is.
// The highest bit of a length tells which. The CRC covers the content, the place of the block before, the number of the
// stream (4 bytes), and the offset of the block itself and the length of its content (8 and 4 bytes). The place of the
// first block of a stream is zero.
//
// The file ends with a directory and a trailer. For each stream the directory has the place of its last block (8 and 4
// bytes) and the number of bytes of all its payloads (8 bytes). The trailer is the number of streams (4 bytes) and a
// CRC of the directory, the number of streams and the offset of the directory (4 bytes). So every length is verified
// before it is used. All numbers are little-endian.

// BlockHead is the number of bytes of a block before its payload.
const BlockHead = 16

const (
	entrySize   = 20 // entry of the directory
	trailerSize = 8
)

// blockPlace is the place of a block. The zero value stands for no block.
type blockPlace struct {
	next   uint64 // offset plus one
	length uint32 // of the content, with the bit packed if it is compressed
}

const (
	packed  = 1 << 31
	largest = 1 << 20 // payload that is compressed, in bytes
)

// size returns the number of bytes of the content.
func (p blockPlace) size() int { return int(p.length &^ packed) }

type streamEnd struct {
	last  blockPlace
	bytes int64
}

// Streams is a file of streams that is being written. Several goroutines may call Append at the same time.
type Streams struct {
	f *os.File

	mu     sync.Mutex
	at     int64 // end of the file
	ends   []streamEnd
	err    error // the first one
	closed bool

	room sync.Pool // of *[]byte, for compressed blocks
}

// CreateStreams creates a file of n streams, or truncates it.
func CreateStreams(path string, n int) (*Streams, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &Streams{f: f, ends: make([]streamEnd, n)}, nil
}

// Append appends a block to a stream. The first BlockHead bytes of the block are reserved for its head; Append
// may overwrite them. The caller may reuse the block. Append ignores a block without a payload.
func (s *Streams) Append(stream int, block []byte) error { return s.add(stream, block, largest) }

// AppendPacked is Append for a payload that compression would not make smaller.
func (s *Streams) AppendPacked(stream int, block []byte) error { return s.add(stream, block, 0) }

// add appends a block, and compresses it if its payload has most bytes at most.
func (s *Streams) add(stream int, block []byte, most int) error {
	payload := len(block) - BlockHead
	if payload == 0 {
		return nil
	}
	if int64(payload) >= packed {
		return fmt.Errorf("%s: a block of %d bytes is too long", s.f.Name(), payload)
	}
	length := uint32(payload)
	if payload <= most {
		room, _ := s.room.Get().(*[]byte)
		if room == nil {
			room = new([]byte)
		}
		defer s.room.Put(room)
		size := BlockHead + s2.MaxEncodedLen(payload)
		*room = slices.Grow((*room)[:0], size)[:size]
		content := s2.Encode((*room)[BlockHead:], block[BlockHead:])
		block, length = (*room)[:BlockHead+len(content)], uint32(len(content))|packed
	}
	before, at, err := s.place(stream, blockPlace{length: length}, int64(payload))
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint64(block, before.next)
	binary.LittleEndian.PutUint32(block[8:], before.length)
	binary.LittleEndian.PutUint32(block[12:], blockSum(block[:12], block[BlockHead:], stream, at))
	if _, err := s.f.WriteAt(block, at); err != nil {
		return s.fail(err)
	}
	return nil
}

// place returns the places of a new block and of the block before it.
func (s *Streams) place(stream int, p blockPlace, payload int64) (before blockPlace, at int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return before, 0, &fs.PathError{Op: "write", Path: s.f.Name(), Err: fs.ErrClosed}
	}
	e := &s.ends[stream]
	before, at = e.last, s.at
	p.next = uint64(at) + 1
	e.last, e.bytes = p, e.bytes+payload
	s.at += BlockHead + int64(p.size())
	return before, at, s.err
}

func (s *Streams) fail(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = cmp.Or(s.err, err)
	return s.err
}

// Close writes the directory, closes the file and returns the first write error. No Append may be running. A second
// Close does nothing.
func (s *Streams) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.err == nil {
		_, s.err = s.f.WriteAt(directory(s.ends, s.at), s.at)
	}
	return errors.Join(s.err, s.f.Close())
}

func directory(ends []streamEnd, at int64) []byte {
	b := make([]byte, 0, len(ends)*entrySize+trailerSize)
	for _, e := range ends {
		b = binary.LittleEndian.AppendUint64(b, e.last.next)
		b = binary.LittleEndian.AppendUint32(b, e.last.length)
		b = binary.LittleEndian.AppendUint64(b, uint64(e.bytes))
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(ends)))
	return binary.LittleEndian.AppendUint32(b, directorySum(b, at))
}

func blockSum(head, payload []byte, stream int, at int64) uint32 {
	var tail [28]byte
	copy(tail[:], head)
	binary.LittleEndian.PutUint32(tail[12:], uint32(stream))
	binary.LittleEndian.PutUint64(tail[16:], uint64(at))
	binary.LittleEndian.PutUint32(tail[24:], uint32(len(payload)))
	return crc32.Update(crc32.Checksum(payload, castagnoli), castagnoli, tail[:])
}

func directorySum(b []byte, at int64) uint32 {
	var tail [8]byte
	binary.LittleEndian.PutUint64(tail[:], uint64(at))
	return crc32.Update(crc32.Checksum(b, castagnoli), castagnoli, tail[:])
}

// StreamsReader reads a file of streams. Errors about the contents are an *Error. Only one goroutine may use it.
type StreamsReader struct {
	f    *os.File
	ends []streamEnd
	buf  []byte // a block
	out  []byte // its payload
}

// OpenStreams opens a file of n streams and verifies its directory.
func OpenStreams(path string, n int) (*StreamsReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &StreamsReader{f: f}
	if err := r.readDirectory(n); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

func (r *StreamsReader) readDirectory(n int) error {
	info, err := r.f.Stat()
	if err != nil {
		return err
	}
	at := info.Size() - int64(n*entrySize+trailerSize)
	if at < 0 {
		return r.wrong(info.Size(), "the file was cut")
	}
	b := make([]byte, n*entrySize+trailerSize)
	if err := r.fill(b, at); err != nil {
		return err
	}
	sum := len(b) - 4
	if binary.LittleEndian.Uint32(b[sum-4:]) != uint32(n) || directorySum(b[:sum], at) != binary.LittleEndian.Uint32(b[sum:]) {
		return r.wrong(at, "the checksum of the directory does not match")
	}
	r.ends = make([]streamEnd, n)
	for i := range r.ends {
		e := b[i*entrySize:]
		r.ends[i] = streamEnd{blockPlace{binary.LittleEndian.Uint64(e), binary.LittleEndian.Uint32(e[8:])}, int64(binary.LittleEndian.Uint64(e[12:]))}
	}
	return nil
}

// Size returns the number of payload bytes of a stream.
func (r *StreamsReader) Size(stream int) int64 { return r.ends[stream].bytes }

// Blocks returns the verified payloads of a stream, last one first. A payload is valid until the next one. An error
// ends the iteration.
func (r *StreamsReader) Blocks(stream int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for p := r.ends[stream].last; p.next > 0; {
			payload, before, err := r.block(stream, p)
			if !yield(payload, err) || err != nil {
				return
			}
			p = before
		}
	}
}

func (r *StreamsReader) block(stream int, p blockPlace) (payload []byte, before blockPlace, err error) {
	at := int64(p.next - 1)
	n := BlockHead + p.size()
	r.buf = slices.Grow(r.buf[:0], n)[:n]
	if err := r.fill(r.buf, at); err != nil {
		return nil, before, err
	}
	content := r.buf[BlockHead:]
	if blockSum(r.buf[:12], content, stream, at) != binary.LittleEndian.Uint32(r.buf[12:]) {
		return nil, before, r.wrong(at, "checksum does not match")
	}
	payload = content
	if p.length&packed != 0 {
		if payload, err = s2.Decode(r.out[:cap(r.out)], content); err != nil {
			return nil, before, r.wrong(at, err.Error())
		}
		r.out = payload
	}
	return payload, blockPlace{binary.LittleEndian.Uint64(r.buf), binary.LittleEndian.Uint32(r.buf[8:])}, nil
}

func (r *StreamsReader) fill(b []byte, at int64) error {
	n, err := r.f.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		return r.wrong(at+int64(n), "the file was cut")
	}
	return err
}

func (r *StreamsReader) wrong(at int64, what string) error { return &Error{r.f.Name(), at, what} }

// Close closes the file.
func (r *StreamsReader) Close() error { return r.f.Close() }
