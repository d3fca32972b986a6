package stream

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// The frames of a .zst file are its members. Members finds them by their block headers, so that damage in one does not
// affect the others. A .warc.zst file may begin with a dictionary for all its frames: a skippable frame that holds the
// dictionary, compressed or not ("Zstandard Compression for WARC Files 1.0"). Members skips other skippable frames.

const (
	zstdSkippable = 0x184d2a50 // to 0x184d2a5f
	zstdDictFrame = 0x184d2a5d
	maxDictionary = 8 << 20 // the size that the specification requires readers to accept
)

// ZstdHeader is the number of bytes of the longest header of a frame.
const ZstdHeader = 18

var zstdDictMagic = []byte{0x37, 0xa4, 0x30, 0xec}

// IsZstd reports whether head begins with a zstd frame, skippable or not.
func IsZstd(head []byte) bool {
	return bytes.HasPrefix(head, payload.ZstdMagic) || len(head) >= 4 && binary.LittleEndian.Uint32(head)&^15 == zstdSkippable
}

// AfterSkippable returns b from its first frame that is not skippable on.
func AfterSkippable(b []byte) []byte {
	for len(b) >= 8 && IsZstd(b) && !bytes.HasPrefix(b, payload.ZstdMagic) {
		b = b[min(8+int64(binary.LittleEndian.Uint32(b[4:])), int64(len(b))):]
	}
	return b
}

// nextFrame begins the next frame that holds data.
func (m *Members) nextFrame() error {
	for {
		m.Start = m.RawOffset()
		head, err := m.Raw.Peek(8)
		if len(head) == 0 && errors.Is(err, io.EOF) {
			return io.EOF
		}
		if len(head) == 8 && bytes.HasPrefix(head, payload.ZstdMagic) {
			return m.openFrame()
		}
		if len(head) < 8 || !IsZstd(head) {
			return errors.New("zstd: no frame begins here")
		}
		magic, size := binary.LittleEndian.Uint32(head), int64(binary.LittleEndian.Uint32(head[4:]))
		_, _ = m.Raw.Discard(len(head))
		if magic == zstdDictFrame && m.Start == 0 {
			err = m.readDictionary(size)
		} else if _, err = io.CopyN(io.Discard, m.Raw, size); err != nil {
			err = fmt.Errorf("zstd: skippable frame of %d bytes: %w", size, io.ErrUnexpectedEOF)
		}
		if err != nil {
			return err
		}
	}
}

func (m *Members) openFrame() error {
	var h zstd.Header
	head, readErr := m.Raw.Peek(ZstdHeader)
	if err := h.Decode(head); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) && readErr != nil {
			err = NoEOF(readErr)
		}
		return err
	}
	window := int64(h.WindowSize)
	if h.SingleSegment {
		window = int64(min(h.FrameContentSize, maxWindow))
	} else if window > maxWindow { // which the decoder rejects however much memory there is
		window = 0
	}
	if err := m.readable(&h, window); err != nil {
		return err
	}
	if m.zst == nil {
		opts := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true)}
		if m.dict != nil {
			opts = append(opts, zstd.WithDecoderDicts(m.dict))
		}
		z, err := zstd.NewReader(nil, opts...)
		if err != nil {
			return err
		}
		m.zst = z
	}
	m.frame = zstdFrame{raw: m.Raw, left: h.HeaderSize, checksum: h.HasCheckSum}
	m.count++
	m.from = m.decoded(&untilError{r: m.zst})
	return m.zst.Reset(&m.frame)
}

// readable returns an error for a frame that is not read, however sound it is.
func (m *Members) readable(h *zstd.Header, window int64) error {
	switch {
	case m.count > 0: // whether a later frame is damaged, the decoder decides
	case h.DictionaryID != 0 && m.dict == nil:
		return unsupported("zstd made with dictionary %d: decompress it first, with zstd -d -D DICTIONARY", h.DictionaryID)
	case max(h.WindowSize, h.FrameContentSize) > maxWindow && (h.SingleSegment || h.WindowSize > maxWindow):
		return unsupported("zstd with a window of %d MiB, more than %d: decompress it first, with zstd -d --long=31",
			max(h.WindowSize, h.FrameContentSize)>>20, maxWindow>>20)
	}
	return m.needs(window+window/4, "zstd with a window of %d MiB", window>>20)
}

// untilError stops at the first error, where the decoder would continue with a block whose checksum is wrong.
type untilError struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (u *untilError) Read(p []byte) (n int, err error) {
	if u.err == nil {
		n, u.err = u.r.Read(p)
	}
	return n, u.err
}

func (m *Members) readDictionary(size int64) error {
	if size > maxDictionary {
		return fmt.Errorf("zstd: dictionary of %d bytes, more than %d", size, maxDictionary)
	}
	d := make([]byte, size)
	if _, err := io.ReadFull(m.Raw, d); err != nil {
		return fmt.Errorf("zstd: dictionary: %w", err)
	}
	if bytes.HasPrefix(d, payload.ZstdMagic) {
		z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDictionary))
		if err != nil {
			return err
		}
		defer z.Close()
		if d, err = z.DecodeAll(d, nil); err != nil {
			return fmt.Errorf("zstd: compressed dictionary: %w", err)
		}
	}
	if !bytes.HasPrefix(d, zstdDictMagic) {
		return errors.New("zstd: the dictionary frame holds no dictionary")
	}
	m.dict = d
	return nil
}

// zstdFrame reads exactly the compressed bytes of one frame.
type zstdFrame struct {
	raw      *bufio.Reader
	left     int  // bytes before the next block header or the end; at first the frame header
	last     bool // the last block has begun
	checksum bool // a checksum of four bytes follows the last block
}

// Read implements io.Reader. It returns io.EOF at the end of the frame.
func (f *zstdFrame) Read(p []byte) (int, error) {
	for f.left == 0 {
		if err := f.advance(); err != nil {
			return 0, err
		}
	}
	n, err := f.raw.Read(p[:min(len(p), f.left)])
	f.left -= n
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (f *zstdFrame) advance() error {
	switch {
	case f.last && f.checksum:
		f.left, f.checksum = 4, false
	case f.last:
		return io.EOF
	default:
		b, err := f.raw.Peek(3)
		if err != nil {
			return NoEOF(err)
		}
		h := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
		f.last, f.left = h&1 != 0, 3+h>>3
		if h>>1&3 == 1 { // an RLE block: one byte, repeated
			f.left = 4
		}
	}
	return nil
}

// NoEOF returns io.ErrUnexpectedEOF if err is io.EOF, and err otherwise.
func NoEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
