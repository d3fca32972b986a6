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

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// Members reads an input as a sequence of members: the members of a gzip file, the frames of a zstd file, or one member
// for the whole of any other file. Buf returns the uncompressed bytes of a member and, after verifying the checksum,
// io.EOF at its end.
type Members struct {
	*Input
	Buf    *bufio.Reader
	Start  int64     // offset of the current member in the file
	inner  int64     // uncompressed bytes of the member read into Buf; less than Buf holds if bytes were put back
	before memberEnd // end of the previous member
	begun  bool
	count  int64 // gzip members or zstd frames begun
	Ended  bool  // the rest cannot be read because the file itself returns an error

	Kind  Compression
	utf16 encoding.Encoding // source encoding of a text that is being decoded; nil for none
	from  io.Reader         // decompressor of the current member
	gz    gzip.Reader
	zst   *zstd.Decoder
	dict  []byte // zstd dictionary

	memory int64 // Options.Memory
	frame  zstdFrame
	test   gzip.Reader // of MemberIn, as is probe
	probe  *Members
}

// Compression is the compression format of a file.
type Compression int

// The compression formats.
const (
	Plain Compression = iota
	Gzip
	Zstd
	Bzip2
	Xz
	LZ4
	Snappy
	Brotli // by name only, because it has no magic number
)

// Sizes and limits in bytes.
const (
	BufferSize = 64 << 10
	maxWindow  = 128 << 20 // for zstd, which needs it with --long
	MaxRescan  = 64 << 20  // compressed bytes to read again after damage
	MaxLook    = 4 << 10   // uncompressed bytes by which a member is judged after damage
)

// NewMembers recognizes the compression of an input. Call Next or Head to begin the first member.
func NewMembers(in *Input, memory int64) (*Members, error) {
	m := &Members{Input: in, memory: memory}
	m.Buf = bufio.NewReaderSize(m, BufferSize)
	head, err := in.Raw.Peek(maxMagic)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, in.Skip(record.ReasonUnreadableFile, err)
	}
	m.Kind = kindOf(head)
	return m, nil
}

// NewMembersLike returns the members of another input of the same file. It takes the compression and the dictionary
// from like.
func NewMembersLike(in *Input, like *Members, memory int64) *Members {
	m := &Members{Input: in, Kind: like.Kind, dict: like.dict, memory: memory}
	m.Buf = bufio.NewReaderSize(m, BufferSize)
	return m
}

// Read reads uncompressed bytes of the current member. Only Buf calls it.
func (m *Members) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.inner += int64(n)
	return n, err
}

// DecodeUTF16 decodes a list or a table that begins with a UTF-16 byte order mark, as Excel writes it, to UTF-8. head
// is the start of the first member. DecodeUTF16 returns the start of the decoded text, or head if there is nothing to
// decode.
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

// Next begins the next member. Call it at the end of the current member, or when the rest of it is not needed. If there
// is no further member, the error is io.EOF and the position is the end of the last member.
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

// memberEnd locates the end of a member: the offset in the file at which the member began, and its uncompressed length.
type memberEnd struct{ start, inner int64 }

func (m *Members) beginNext() error {
	m.Start = m.RawOffset()
	if m.Ended {
		m.from = brokenReader{io.EOF}
		return io.EOF
	}
	defer func() { m.inner, m.begun = 0, true; m.Buf.Reset(m) }()
	var err error
	switch {
	case m.Kind == Zstd:
		err = m.nextFrame()
	case m.Kind != Plain:
		err = m.nextStream()
	case m.begun:
		err = io.EOF
	default:
		m.from = m.Raw
	}
	if err != nil {
		m.from = brokenReader{err} // for a caller that reads on after Head
	}
	return err
}

// decoded returns a reader of a new member that decodes UTF-16, if the text is in it.
func (m *Members) decoded(r io.Reader) io.Reader {
	if m.utf16 != nil {
		return transform.NewReader(r, m.utf16.NewDecoder())
	}
	return r
}

// Close frees the decompressor and closes the file.
func (m *Members) Close() error {
	if m.zst != nil {
		m.zst.Close()
	}
	if m.probe != nil && m.probe.zst != nil {
		m.probe.zst.Close()
	}
	return m.Input.Close()
}

// onlyPadding skips zeros after a member, as gzip does, and reports whether the file ends there.
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

// At returns the offset of the next byte of Buf in the uncompressed member.
func (m *Members) At() int64 { return m.inner - int64(m.Buf.Buffered()) }

// Place returns the position of the next byte of Buf.
func (m *Members) Place() record.Position {
	p := record.Position{File: m.Name(), Offset: m.Start}
	switch at := m.At(); {
	case m.Kind == Plain:
		p.Offset = at
	case at >= 0:
		p.Inner = at
	default: // the byte was put back and is in the previous member
		p.Offset, p.Inner = m.before.start, max(0, m.before.inner+at)
	}
	return p
}

// PutBack puts back the last n bytes that were read, which front returns again, before the rest of the member.
func (m *Members) PutBack(n int, front io.Reader) {
	rest, _ := m.Buf.Peek(m.Buf.Buffered())
	rest = bytes.Clone(rest)
	m.inner -= int64(n + len(rest))
	m.from = io.MultiReader(front, bytes.NewReader(rest), m.from)
	m.Buf.Reset(m)
}

// Damaged returns the skip for an error of the decompressor or of the file in the current member.
func (m *Members) Damaged(err error) *record.Skip {
	s := &record.Skip{Pos: record.Position{File: m.Name(), Offset: m.Start}, Reason: record.ReasonUnreadableFile, Err: err}
	switch not := Unsupported(""); {
	case errors.As(err, &not):
		s.Reason = record.ReasonUnsupportedFormat
	case !m.Kind.Splits():
		s.Reason, s.Pos.Offset = record.ReasonBadCompression, m.RawOffset()
		s.Err = fmt.Errorf("%s: %w", packings[m.Kind].name, err)
	case m.Kind == Zstd:
		s.Reason = record.ReasonBadZstd
	case m.Kind == Gzip && errors.Is(err, io.ErrUnexpectedEOF), m.Kind == Gzip && errors.Is(err, io.EOF):
		s.Reason = record.ReasonTruncatedGzip
	case m.Kind == Gzip:
		s.Reason = record.ReasonBadGzip
	}
	return s
}

// Resync looks for a member after the current one, which is damaged, and begins it. fits judges the first bytes of a
// candidate. Resync returns the number of compressed bytes that it skipped, counted from the start of the damaged
// member. The error is io.EOF if no member follows.
func (m *Members) Resync(fits func(head []byte) bool) (skipped int64, err error) {
	damagedAt, at := m.Start, m.RawOffset()
	if m.Kind == Plain {
		m.from = brokenReader{io.EOF}
		m.Buf.Reset(m)
		return at - damagedAt, io.EOF
	}
	if at-damagedAt < MaxRescan && m.Kind.Splits() { // a codec has decoded everything up to the damage
		if err := m.Rewind(damagedAt + 1); err != nil {
			return 0, err
		}
	}
	err = m.FindMember(fits, math.MaxInt64)
	skipped = m.RawOffset() - damagedAt
	if err != nil {
		m.from, m.Ended = brokenReader{io.EOF}, true
		m.Buf.Reset(m)
		return skipped, err
	}
	return skipped, m.Next()
}

// FindMember moves Raw to the next offset before limit at which a member begins whose content fits. The error is io.EOF
// if there is none.
func (m *Members) FindMember(fits func(head []byte) bool, limit int64) error {
	magic, inflates := payload.GzipMagic, m.inflates
	switch {
	case m.Kind == Zstd:
		magic = payload.ZstdMagic
	case m.Kind == Brotli:
		return io.EOF
	case !m.Kind.Splits():
		magic, inflates = []byte(packings[m.Kind].magics[0]), func(b []byte, _ func([]byte) bool) bool { return kindOf(b) == m.Kind }
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

// MemberIn returns a reader of the gzip member or the zstd frame that b begins with, or nil if there is none. It is valid
// until the next call.
func (m *Members) MemberIn(b []byte) io.Reader {
	switch m.Kind {
	case Gzip:
		if m.test.Reset(bytes.NewReader(b)) == nil {
			m.test.Multistream(false)
			return &m.test
		}
	case Zstd:
		if m.probe == nil {
			m.probe = &Members{Input: &Input{Raw: bufio.NewReaderSize(nil, 4<<10)}, dict: m.dict}
		}
		m.probe.Raw.Reset(bytes.NewReader(b))
		if bytes.HasPrefix(b, payload.ZstdMagic) && m.probe.openFrame() == nil {
			return m.probe.from
		}
	}
	return nil
}

// inflates reports whether b begins with a member whose content fits. It does not recognize a zstd frame whose first block
// is not complete in b.
func (m *Members) inflates(b []byte, fits func(head []byte) bool) bool {
	r := m.MemberIn(b)
	if r == nil {
		return false
	}
	var head [MaxLook + 4]byte // the content and some line endings before it
	n, err := io.ReadFull(r, head[:])
	return n > 0 && fits(head[:n]) && (err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF))
}

// PassedOver adds to err the number of bytes skipped.
func PassedOver(n int64, err error) error {
	return fmt.Errorf("%w; %d bytes passed over", err, n)
}

// brokenReader is at an error, or at the end.
type brokenReader struct{ err error }

func (b brokenReader) Read([]byte) (int, error) { return 0, b.err }

// All returns a reader of the rest of the current member and of all members after it.
func (m *Members) All() io.Reader { return allReader{m} }

type allReader struct{ m *Members }

// Read implements io.Reader.
func (a allReader) Read(p []byte) (int, error) {
	for {
		n, err := a.m.Buf.Read(p)
		if n > 0 || !errors.Is(err, io.EOF) {
			return n, err
		}
		if err := a.m.Next(); err != nil {
			return 0, err
		}
	}
}

// GoTo begins the member at an offset of the file. In an uncompressed file, it moves to the byte at that offset.
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

// Discard skips n bytes of the member.
func (m *Members) Discard(n int64) error {
	_, err := io.CopyN(io.Discard, m.Buf, n)
	return err
}
