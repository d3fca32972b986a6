package stream

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

	"github.com/lshclust/lshclust/crawl/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// Members reads an input as a sequence of members: the members of a gzip file, the frames of a zstd file, or one
// member for the whole of anything else. Within a member, buf gives the uncompressed bytes and io.EOF at its end, by which time
// the checksum was compared.
type Members struct {
	*Input
	Buf    *bufio.Reader
	Start  int64     // offset in the file of the current member
	inner  int64     // uncompressed bytes of the member taken into buf, less than what buf has where bytes were put back
	before memberEnd // of the member before
	begun  bool
	count  int64 // members of gzip, frames of zstd that were begun
	Ended  bool  // what is behind cannot be read: the file itself gives an error

	Kind  Compression
	utf16 encoding.Encoding // of a text that is decoded
	from  io.Reader         // decompressor of the current member
	gz    gzip.Reader
	zst   *zstd.Decoder
	dict  []byte // of zstd

	memory int64 // Options.Memory
	frame  zstdFrame
	test   gzip.Reader // for looking at candidates after damage
}

// Compression is a way in which a file is compressed.
type Compression int

const (
	// Plain and the others are the ways in which a file can be compressed.
	Plain Compression = iota
	Gzip
	Zstd
)

const (
	BufferSize = 64 << 10
	maxWindow  = 128 << 20 // of zstd: what "zstd --long" needs
	MaxRescan  = 64 << 20  // compressed bytes that are read again after damage
	MaxLook    = 4 << 10   // content from which a member is judged after damage
)

// NewMembers finds the compression. Call next or head to begin.
func NewMembers(in *Input, memory int64) (*Members, error) {
	m := &Members{Input: in, memory: memory}
	m.Buf = bufio.NewReaderSize(m, BufferSize)
	head, err := in.Raw.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, in.Skip(record.ReasonUnreadableFile, err)
	}
	switch {
	case bytes.HasPrefix(head, payload.GzipMagic):
		m.Kind = Gzip
	case IsZstd(head):
		m.Kind = Zstd
	}
	return m, nil
}

// NewMembersLike reads another input of the same file, which is compressed as like is and has its dictionary.
func NewMembersLike(in *Input, like *Members, memory int64) *Members {
	m := &Members{Input: in, Kind: like.Kind, dict: like.dict, memory: memory}
	m.Buf = bufio.NewReaderSize(m, BufferSize)
	return m
}

// Read takes uncompressed bytes of the current member; only buf calls it.
func (m *Members) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.inner += int64(n)
	return n, err
}

// DecodeUTF16 makes UTF-8 of a list or a table that begins with a byte order mark of UTF-16, as Excel writes it. head is
// the start of the first member; that of the text is returned.
func (m *Members) DecodeUTF16(head []byte, isText func(head []byte) bool) []byte {
	enc, n, _ := payload.ByteOrderMark(head)
	if n == 0 || enc == nil {
		return head
	}
	if !isText(new(payload.Room).DecodeWith(head[:len(head)&^1], enc, math.MaxInt64)) {
		return head
	}
	m.utf16 = enc
	rest, _ := m.Buf.Peek(m.Buf.Buffered())
	m.from = transform.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(rest)), m.from), enc.NewDecoder())
	m.inner = 0
	m.Buf.Reset(m)
	head, _ = m.Buf.Peek(payload.SniffLen)
	return head
}

// Next begins the next member; io.EOF when there is none, and then the place is the end of the last. What was left of the
// current one must have been read or given up.
func (m *Members) Next() error {
	last, begun := memberEnd{m.Start, m.inner}, m.begun
	err := m.beginNext()
	switch {
	case !begun:
	case errors.Is(err, io.EOF):
		m.Start, m.inner = last.start, last.inner
	default:
		m.before = last
	}
	return err
}

// memberEnd is where a member ends: begun at this offset of the file, with so many uncompressed bytes.
type memberEnd struct{ start, inner int64 }

func (m *Members) beginNext() error {
	m.Start = m.RawOffset()
	if m.Ended {
		m.from = eofReader{}
		return io.EOF
	}
	defer func() { m.inner, m.begun = 0, true; m.Buf.Reset(m) }()
	if m.Kind == Zstd {
		return m.nextFrame()
	}
	if m.Kind == Plain {
		if m.from = m.Raw; m.begun {
			m.from = eofReader{}
			return io.EOF
		}
		return nil
	}
	m.from = eofReader{}
	if m.begun && m.onlyPadding() {
		return io.EOF
	}
	if err := m.openGzip(); err != nil {
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

// openGzip begins the member at the next byte of Raw; io.EOF means that there are no more bytes.
func (m *Members) openGzip() error {
	if _, err := m.Raw.Peek(1); err != nil {
		return err
	}
	err := m.gz.Reset(m.Raw)
	m.gz.Multistream(false)
	return NoEOF(err) // the library gives io.EOF within the name in a header, too
}

// Close frees the decompressor and closes the file.
func (m *Members) Close() error {
	if m.zst != nil {
		m.zst.Close()
	}
	return m.Input.Close()
}

// onlyPadding consumes zeros after a member, as gzip does, and reports whether the file ends there.
func (m *Members) onlyPadding() bool {
	for {
		b, err := m.Raw.Peek(1)
		if err != nil {
			return errors.Is(err, io.EOF)
		}
		if b[0] != 0 {
			return false
		}
		if _, err := m.Raw.Discard(1); err != nil {
			return false
		}
		m.Start++
	}
}

// Head begins the first member that is not empty and returns up to n of its bytes without consuming them.
func (m *Members) Head(n int) ([]byte, error) {
	for {
		if err := m.Next(); err != nil {
			return nil, err
		}
		b, err := m.Buf.Peek(n)
		if len(b) > 0 || !errors.Is(err, io.EOF) {
			return b, err
		}
	}
}

// At is the offset of the next byte of buf in the uncompressed member.
func (m *Members) At() int64 { return m.inner - int64(m.Buf.Buffered()) }

// Place is the position of the next byte of buf.
func (m *Members) Place() record.Position {
	p := record.Position{File: m.Name(), Offset: m.Start}
	switch at := m.At(); {
	case m.Kind == Plain:
		p.Offset = at
	case at >= 0:
		p.Inner = at
	default: // put back, from the member before
		p.Offset, p.Inner = m.before.start, max(0, m.before.inner+at)
	}
	return p
}

// PutBack puts n bytes that were read, which front gives, in front of the rest of the member.
func (m *Members) PutBack(n int, front io.Reader) {
	rest, _ := m.Buf.Peek(m.Buf.Buffered())
	rest = bytes.Clone(rest)
	m.inner -= int64(n + len(rest))
	m.from = io.MultiReader(front, bytes.NewReader(rest), m.from)
	m.Buf.Reset(m)
}

// Damaged describes an error of the decompressor or the file at the current member.
func (m *Members) Damaged(err error) *record.Skip {
	s := &record.Skip{Pos: record.Position{File: m.Name(), Offset: m.Start}, Reason: record.ReasonUnreadableFile, Err: err}
	switch {
	case m.Kind == Zstd:
		s.Reason = record.ReasonBadZstd
	case m.Kind == Gzip && errors.Is(err, io.ErrUnexpectedEOF), m.Kind == Gzip && errors.Is(err, io.EOF):
		s.Reason = record.ReasonTruncatedGzip
	case m.Kind == Gzip:
		s.Reason = record.ReasonBadGzip
	}
	return s
}

// Resync looks for a member after the damaged current one and begins it. It returns the compressed bytes
// that were passed over, from the start of the damaged member, and io.EOF when no member follows.
// fits judges the first bytes of a candidate.
func (m *Members) Resync(fits func(head []byte) bool) (skipped int64, err error) {
	damagedAt, at := m.Start, m.RawOffset()
	if m.Kind == Plain {
		m.from = eofReader{}
		m.Buf.Reset(m)
		return at - damagedAt, io.EOF
	}
	if at-damagedAt < MaxRescan {
		if err := m.Rewind(damagedAt + 1); err != nil {
			return 0, err
		}
	}
	err = m.FindMember(fits, math.MaxInt64)
	skipped = m.RawOffset() - damagedAt
	if err != nil {
		m.from, m.Ended = eofReader{}, true
		m.Buf.Reset(m)
		return skipped, err
	}
	return skipped, m.Next()
}

// FindMember moves raw to the next place before limit where a member begins whose content fits; io.EOF if there is none.
func (m *Members) FindMember(fits func(head []byte) bool, limit int64) error {
	magic, inflates := payload.GzipMagic, m.Inflates
	if m.Kind == Zstd {
		magic, inflates = payload.ZstdMagic, m.InflatesFrame
	}
	for m.RawOffset() < limit {
		b, err := m.Raw.Peek(RawSize / 2)
		if len(b) < len(magic) {
			_, _ = m.Raw.Discard(len(b))
			if err == nil || errors.Is(err, io.EOF) {
				return io.EOF
			}
			return err
		}
		i := bytes.Index(b, magic)
		if i < 0 {
			_, _ = m.Raw.Discard(len(b) - len(magic) + 1)
			continue
		}
		_, _ = m.Raw.Discard(i)
		b, _ = m.Raw.Peek(RawSize)
		if m.RawOffset() < limit && inflates(b, fits) {
			return nil
		}
		_, _ = m.Raw.Discard(1)
	}
	return io.EOF
}

// Inflates reports whether a gzip member whose content fits begins with b.
func (m *Members) Inflates(b []byte, fits func(head []byte) bool) bool {
	if err := m.test.Reset(bytes.NewReader(b)); err != nil {
		return false
	}
	m.test.Multistream(false)
	var head [MaxLook + 4]byte // with some line ends before it
	n, err := io.ReadFull(&m.test, head[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	return fits(head[:n])
}

// PassedOver adds to err how many bytes were skipped.
func PassedOver(n int64, err error) error {
	return fmt.Errorf("%w; %d bytes passed over", err, n)
}

type brokenReader struct{ err error }

func (b brokenReader) Read([]byte) (int, error) { return 0, b.err }

type eofReader struct{}

func (eofReader) Read([]byte) (int, error) { return 0, io.EOF }

// GoTo begins the member at an offset of the file, and for a plain one sets the next byte.
func (m *Members) GoTo(offset int64) error {
	if err := m.Rewind(offset); err != nil {
		return err
	}
	m.Ended = false
	if m.Kind != Plain {
		m.begun = false
		return m.Next()
	}
	m.Start, m.inner, m.begun, m.from = 0, offset, true, m.Raw
	m.Buf.Reset(m)
	return nil
}

// Discard passes over n bytes of the member.
func (m *Members) Discard(n int64) error {
	_, err := io.CopyN(io.Discard, m.Buf, n)
	return err
}
