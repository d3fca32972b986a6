package inflate

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// Errors of a gzip member.
var (
	ErrHeader   = errors.New("gzip: invalid header")
	ErrChecksum = errors.New("gzip: invalid checksum")
)

// Reader reads one gzip member at a time. The zero value is ready for Reset.
type Reader struct {
	d    decoder
	src  *bufio.Reader
	crc  uint32
	size uint32
	err  error
}

// Reset reads the header of the member that begins at src. io.EOF means that src has no more bytes.
func (z *Reader) Reset(src *bufio.Reader) error {
	z.src, z.crc, z.size = src, 0, 0
	z.err = z.header()
	z.d.reset(src)
	return z.err
}

// Read gives uncompressed bytes, and io.EOF once the member has ended and its checksum is right. Then src
// stands at the first byte behind the member.
func (z *Reader) Read(p []byte) (int, error) {
	if z.err != nil || len(p) == 0 {
		return 0, z.err
	}
	b, err := z.d.read(len(p))
	if errors.Is(err, io.EOF) {
		z.err = z.trailer()
		return 0, z.err
	}
	z.err = err
	z.crc = crc32.Update(z.crc, crc32.IEEETable, b)
	z.size += uint32(len(b))
	return copy(p, b), err
}

func (z *Reader) trailer() error {
	var t [8]byte
	if _, err := io.ReadFull(z.src, t[:]); err != nil {
		return noEOF(err)
	}
	if binary.LittleEndian.Uint32(t[:]) != z.crc || binary.LittleEndian.Uint32(t[4:]) != z.size {
		return ErrChecksum
	}
	return io.EOF
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

const (
	flagHeaderCRC = 1 << 1
	flagExtra     = 1 << 2
	flagName      = 1 << 3
	flagComment   = 1 << 4
)

func (z *Reader) header() error {
	var h [10]byte
	if _, err := io.ReadFull(z.src, h[:]); err != nil {
		return err
	}
	if h[0] != 0x1f || h[1] != 0x8b || h[2] != 8 {
		return ErrHeader
	}
	flags := h[3]
	if flags&flagExtra != 0 {
		if _, err := io.ReadFull(z.src, h[:2]); err != nil {
			return noEOF(err)
		}
		if _, err := z.src.Discard(int(binary.LittleEndian.Uint16(h[:]))); err != nil {
			return noEOF(err)
		}
	}
	for _, f := range []byte{flagName, flagComment} {
		if flags&f != 0 {
			if err := z.text(); err != nil {
				return err
			}
		}
	}
	if flags&flagHeaderCRC != 0 {
		if _, err := z.src.Discard(2); err != nil {
			return noEOF(err)
		}
	}
	return nil
}

// text passes over a string that ends with a zero byte.
func (z *Reader) text() error {
	for range 64 << 10 {
		c, err := z.src.ReadByte()
		if err != nil {
			return noEOF(err)
		}
		if c == 0 {
			return nil
		}
	}
	return ErrHeader
}
