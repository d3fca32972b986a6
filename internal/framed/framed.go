// Package framed writes and reads the intermediate files of a run: streams of bytes in frames, each with a checksum.
//
// A frame is the length of its payload (4 bytes), a CRC-32C (4 bytes) and the payload. The CRC covers the payload, the
// length and the number of the frame (8 bytes). A frame of length 0 ends the file, so that a file that was cut is
// recognised. All numbers are little-endian.
//
// Several goroutines may call [File.Append] at the same time; a [Writer] divides the stream of one goroutine into
// frames. A [Reader] verifies the checksum of a frame before it returns any byte of it, and returns the payloads as one
// stream. [Streams] is a file of many streams, of which each can be read without the others.
package framed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

const (
	// Head is the number of bytes of a frame before its payload.
	Head = 8

	// maxPayload limits the memory of a reader, which might read a damaged length.
	maxPayload = 1 << 20

	// writerPayload is the size of the payloads that a Writer writes.
	writerPayload = 256 << 10
)

// ErrDamaged is wrapped by every [Error].
var ErrDamaged = errors.New("damaged file")

// Error is the error for a damaged file. It unwraps to ErrDamaged.
type Error struct {
	File   string
	Offset int64 // of the frame
	What   string
}

// Error returns a message with the file, the offset and the problem.
func (e *Error) Error() string {
	return fmt.Sprintf("%s at byte %d: %v: %s", e.File, e.Offset, ErrDamaged, e.What)
}

// Unwrap returns ErrDamaged.
func (e *Error) Unwrap() error { return ErrDamaged }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum returns the CRC of frame n.
func sum(payload []byte, n uint64) uint32 {
	var tail [12]byte
	binary.LittleEndian.PutUint32(tail[:], uint32(len(payload)))
	binary.LittleEndian.PutUint64(tail[4:], n)
	return crc32.Update(crc32.Checksum(payload, castagnoli), castagnoli, tail[:])
}

// putHead writes the head of frame n.
func putHead(head, payload []byte, n uint64) {
	binary.LittleEndian.PutUint32(head, uint32(len(payload)))
	binary.LittleEndian.PutUint32(head[4:], sum(payload, n))
}
