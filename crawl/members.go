package crawl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"github.com/lshclust/lshclust/crawl/inflate"
)

// members reads an input as a sequence of members: the members of a gzip file, the frames of a zstd file, or one
// member for the whole of anything else. Within a member, buf gives the uncompressed bytes and io.EOF at its end, by which time
// the checksum was compared.
type members struct {
	*input
	buf    *bufio.Reader
	start  int64     // offset in the file of the current member
	inner  int64     // uncompressed bytes of the member taken into buf, less than what buf has where bytes were put back
	before memberEnd // of the member before
	begun  bool
	count  int64 // members of gzip, frames of zstd that were begun
	ended  bool  // what is behind cannot be read: the file itself gives an error

	kind  compression
	utf16 encoding.Encoding // of a text that is decoded
	from  io.Reader         // decompressor of the current member
	gz    inflate.Reader
	zst   *zstd.Decoder
	dict  []byte // of zstd

	memory int64 // Options.Memory
	frame  zstdFrame
	test   gzip.Reader // for looking at candidates after damage
}

type compression int

const (
	plain compression = iota
	gzipped
	zstandard
)

const (
	memberBuffer = 64 << 10
	maxWindow    = 128 << 20 // of zstd: what "zstd --long" needs
	maxRescan    = 64 << 20  // compressed bytes that are read again after damage
	maxLook      = 4 << 10   // content from which a member is judged after damage
)

var gzipMagic = []byte{0x1f, 0x8b, 8}

// newMembers finds the compression. Call next or head to begin.
func newMembers(in *input) (*members, error) {
	m := &members{input: in}
	m.buf = bufio.NewReaderSize(m, memberBuffer)
	head, err := in.raw.Peek(4)
	if err != nil && !isEOF(err) {
		return nil, in.skip(ReasonUnreadableFile, err)
	}
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		m.kind = gzipped
	case isZstd(head):
		m.kind = zstandard
	}
	return m, nil
}

// Read takes uncompressed bytes of the current member; only buf calls it.
func (m *members) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.inner += int64(n)
	return n, err
}

// decodeUTF16 makes UTF-8 of a list or a table that begins with a byte order mark of UTF-16, as Excel writes it. head is
// the start of the first member; that of the text is returned.
func (m *members) decodeUTF16(head []byte) []byte {
	enc, n, _ := byteOrderMark(head)
	if n == 0 || enc == nil {
		return head
	}
	switch formatOf(new(room).decodeWith(head[:len(head)&^1], enc, math.MaxInt64)) {
	case "csv", "jsonl", "cdx":
	default: // of HTML the charset is found out later
		return head
	}
	m.utf16 = enc
	rest, _ := m.buf.Peek(m.buf.Buffered())
	m.from = transform.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(rest)), m.from), enc.NewDecoder())
	m.inner = 0
	m.buf.Reset(m)
	head, _ = m.buf.Peek(sniffLen)
	return head
}

// next begins the next member; io.EOF when there is none, and then the place is the end of the last. What was left of the
// current one must have been read or given up.
func (m *members) next() error {
	last, begun := memberEnd{m.start, m.inner}, m.begun
	err := m.beginNext()
	switch {
	case !begun:
	case isEOF(err):
		m.start, m.inner = last.start, last.inner
	default:
		m.before = last
	}
	return err
}

// memberEnd is where a member ends: begun at this offset of the file, with so many uncompressed bytes.
type memberEnd struct{ start, inner int64 }

func (m *members) beginNext() error {
	m.start = m.offset()
	if m.ended {
		m.from = eofReader{}
		return io.EOF
	}
	defer func() { m.inner, m.begun = 0, true; m.buf.Reset(m) }()
	if m.kind == zstandard {
		return m.nextFrame()
	}
	if m.kind == plain {
		if m.from = m.raw; m.begun {
			m.from = eofReader{}
			return io.EOF
		}
		return nil
	}
	m.from = eofReader{}
	if m.begun && m.onlyPadding() {
		return io.EOF
	}
	if err := m.gz.Reset(m.raw); err != nil {
		m.from = brokenReader{err} // for who reads on after looking at the head
		return err
	}
	m.from = &m.gz
	m.count++
	if m.utf16 != nil {
		m.from = transform.NewReader(m.from, m.utf16.NewDecoder())
	}
	return nil
}

// Close frees the decompressor and closes the file.
func (m *members) Close() error {
	if m.zst != nil {
		m.zst.Close()
	}
	return m.input.Close()
}

// onlyPadding consumes zeros after a member, as gzip does, and reports whether the file ends there.
func (m *members) onlyPadding() bool {
	for {
		b, err := m.raw.Peek(1)
		if err != nil {
			return isEOF(err)
		}
		if b[0] != 0 {
			return false
		}
		if _, err := m.raw.Discard(1); err != nil {
			return false
		}
		m.start++
	}
}

// head begins the first member that is not empty and returns up to n of its bytes without consuming them.
func (m *members) head(n int) ([]byte, error) {
	for {
		if err := m.next(); err != nil {
			return nil, err
		}
		b, err := m.buf.Peek(n)
		if len(b) > 0 || !isEOF(err) {
			return b, err
		}
	}
}

// at is the offset of the next byte of buf in the uncompressed member.
func (m *members) at() int64 { return m.inner - int64(m.buf.Buffered()) }

// damaged describes an error of the decompressor or the file at the current member.
func (m *members) damaged(err error) *Skip {
	s := &Skip{Pos: Position{File: m.name, Offset: m.start}, Reason: ReasonUnreadableFile, Err: err}
	switch {
	case m.kind == zstandard:
		s.Reason = ReasonBadZstd
	case m.kind == gzipped && errors.Is(err, io.ErrUnexpectedEOF), m.kind == gzipped && isEOF(err):
		s.Reason = ReasonTruncatedGzip
	case m.kind == gzipped:
		s.Reason = ReasonBadGzip
	}
	return s
}

// resync looks for a member after the damaged current one and begins it. It returns the compressed bytes
// that were passed over, from the start of the damaged member, and io.EOF when no member follows.
// fits judges the first bytes of a candidate.
func (m *members) resync(fits func(head []byte) bool) (skipped int64, err error) {
	damagedAt, at := m.start, m.offset()
	if m.kind == plain {
		m.from = eofReader{}
		m.buf.Reset(m)
		return at - damagedAt, io.EOF
	}
	if at-damagedAt < maxRescan {
		if err := m.rewind(damagedAt + 1); err != nil {
			return 0, err
		}
	}
	err = m.findMember(fits, math.MaxInt64)
	skipped = m.offset() - damagedAt
	if err != nil {
		m.from, m.ended = eofReader{}, true
		m.buf.Reset(m)
		return skipped, err
	}
	return skipped, m.next()
}

// findMember moves raw to the next place before limit where a member begins whose content fits; io.EOF if there is none.
func (m *members) findMember(fits func(head []byte) bool, limit int64) error {
	magic, inflates := gzipMagic, m.inflates
	if m.kind == zstandard {
		magic, inflates = zstdMagic, m.inflatesFrame
	}
	for m.offset() < limit {
		b, err := m.raw.Peek(rawBuffer / 2)
		if len(b) < len(magic) {
			_, _ = m.raw.Discard(len(b))
			if err == nil || isEOF(err) {
				return io.EOF
			}
			return err
		}
		i := bytes.Index(b, magic)
		if i < 0 {
			_, _ = m.raw.Discard(len(b) - len(magic) + 1)
			continue
		}
		_, _ = m.raw.Discard(i)
		b, _ = m.raw.Peek(rawBuffer)
		if m.offset() < limit && inflates(b, fits) {
			return nil
		}
		_, _ = m.raw.Discard(1)
	}
	return io.EOF
}

func (m *members) inflates(b []byte, fits func(head []byte) bool) bool {
	if err := m.test.Reset(bytes.NewReader(b)); err != nil {
		return false
	}
	m.test.Multistream(false)
	var head [maxLook + 4]byte // with some line ends before it
	n, err := io.ReadFull(&m.test, head[:])
	if err != nil && !isEOF(err) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	return fits(head[:n])
}

func passedOver(n int64, err error) error {
	return fmt.Errorf("%w; %d bytes passed over", err, n)
}

type brokenReader struct{ err error }

func (b brokenReader) Read([]byte) (int, error) { return 0, b.err }

type eofReader struct{}

func (eofReader) Read([]byte) (int, error) { return 0, io.EOF }

// goTo begins the member at an offset of the file, and for a plain one sets the next byte.
func (m *members) goTo(offset int64) error {
	if err := m.rewind(offset); err != nil {
		return err
	}
	m.ended = false
	if m.kind != plain {
		m.begun = false
		return m.next()
	}
	m.start, m.inner, m.begun, m.from = 0, offset, true, m.raw
	m.buf.Reset(m)
	return nil
}

// discard passes over n bytes of the member.
func (m *members) discard(n int64) error {
	_, err := io.CopyN(io.Discard, m.buf, n)
	return err
}
