package warc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// Source reads WARC 0.17 to 1.1, and ARC (see arc.go). A WARC record is
//
//	WARC/1.0 CRLF  (Name: value CRLF)*  CRLF  block of Content-Length bytes  CRLF CRLF
//
// In a .warc.gz file, every record should be a separate gzip member. Source also accepts bare LF, missing or extra
// blank lines, several records in one member, and a record that extends over several members.
//
// Damage affects only the record in which it occurs. Where no record begins, the source skips everything up to the next
// line that begins one. If no record follows a block, its Content-Length was wrong, and the source looks in the block
// for a record that it contains by mistake. If a gzip member is broken, the search continues after its first byte. If
// the file ends within a page, the source keeps the start of the page.
type Source struct {
	*stream.Members
	*syntax
	opts    *record.Options
	records int64
	begun   int64        // members that began with a record
	Version string       // WARC version of the last record
	fresh   bool         // no record has been read in this member
	posted  string       // ID of the last record if that is a request that sent a form
	limit   int64        // offset at which a range ends; 0 for none
	limited bool         // reading stopped at limit
	scratch []byte       // block of a record that is not wanted
	room    payload.Room // holds scratch
	pending error        // a *Skip for what follows the record returned last
}

// syntax describes how to recognize and parse the records of one archive format.
type syntax struct {
	format string
	look   int                 // number of bytes that begins needs
	begins func(b []byte) bool // reports whether a record begins with b
	find   func(b []byte) int  // returns the offset in b, after a line ending, of the first record; -1 if there is none
	keep   int                 // find may need more data to recognize a record in this many bytes at the end of b
	header func(s *Source) (archiveHeader, error)
}

var warcSyntax = syntax{
	format: "warc", look: len("WARC/"), begins: func(b []byte) bool { return bytes.HasPrefix(b, []byte("WARC/")) },
	find: Find, keep: warcLook + len("WARC/"), header: (*Source).warcHeader,
}

// Sniff reports whether head is the beginning of a WARC file.
func Sniff(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, "\r\n"), []byte("WARC/"))
}

// Open reads the members as a WARC file.
func Open(m *stream.Members, o *record.Options) record.Source {
	return &Source{Members: m, syntax: &warcSyntax, opts: o, room: o.NewRoom()}
}

// Format implements record.Source.
func (s *Source) Format() string { return s.format }

// Close implements record.Source.
func (s *Source) Close() error {
	s.room.Free()
	return s.Members.Close()
}

// Records implements record.Source.
func (s *Source) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return record.Iterate(ctx, func() (*record.Record, error) {
		rec, err := s.record()
		if errors.Is(err, io.EOF) {
			if skip := oneMember(s.Name(), s.Kind, s.begun, s.records); skip != nil {
				s.begun = 0 // said once
				return nil, skip
			}
		}
		return rec, err
	})
}

// record reads one record. It returns a record that may hold a page, a *Skip, or io.EOF at the end.
func (s *Source) record() (*record.Record, error) {
	if err := s.pending; err != nil {
		s.pending = nil
		return nil, err
	}
	if err := s.blankLines(); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, s.broken(s.here(), err)
	}
	if s.atLimit() {
		return nil, io.EOF
	}
	pos := s.here()
	if head, err := s.Buf.Peek(s.look); !s.begins(head) {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, s.broken(pos, err)
		}
		return nil, s.garbage(pos, errors.New("no record begins here"))
	}
	s.records++
	pos.Record = s.records
	if s.fresh {
		s.begun++
	}
	h, err := s.header(s)
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &record.Skip{Pos: pos, Reason: record.ReasonTruncatedRecord, Err: errors.New("ends in the header")}
		}
		if s.isDamage(err) {
			return nil, s.broken(pos, err)
		}
		return nil, s.garbage(pos, err)
	}
	h.post = h.concurrent != "" && h.concurrent == s.posted
	s.posted = s.postRequest(h)
	return s.block(pos, h)
}

// here returns the position of the next byte. A record that begins there has not been counted yet.
func (s *Source) here() record.Position {
	p := s.Place()
	p.Record = s.records
	return p
}

// oneMember returns a warning if an archive turns out to be compressed as a whole. Call it at the end of the file.
func oneMember(name string, kind stream.Compression, begun, records int64) error {
	if kind == stream.Plain || begun != 1 || records < 2 {
		return nil
	}
	return &record.Skip{Pos: record.Position{File: name}, Reason: record.ReasonOneMember, Err: fmt.Errorf(
		"%d records in one member: every record should be a member of its own, so that the file can be read from several places", records)}
}

// blankLines skips line endings, also across ends of members. It then sets fresh if nothing but line endings precedes
// the next byte in its member.
func (s *Source) blankLines() error {
	s.fresh = s.At() == 0
	for {
		b, err := s.Buf.Peek(1)
		switch {
		case err == nil && (b[0] == '\r' || b[0] == '\n'):
			_, _ = s.Buf.Discard(1)
		case err == nil:
			return nil
		case !errors.Is(err, io.EOF):
			return err
		default:
			if err := s.Next(); err != nil {
				return err
			}
			s.fresh = true
		}
	}
}

// block reads the block of a record and checks that the record ends where its header says.
func (s *Source) block(pos record.Position, h archiveHeader) (*record.Record, error) {
	keep := h.mayBePage()
	data, m, err := s.readBlock(h.length, keep)
	rec, err := s.judge(pos, h, data, err)
	if rec != nil {
		rec.Room = m
	} else if keep {
		m.Free()
	}
	return rec, err
}

// judge returns the record of a block if the block ends where its header says. err is the error of reading the block.
func (s *Source) judge(pos record.Position, h archiveHeader, data []byte, err error) (*record.Record, error) {
	keep := h.mayBePage()
	var blank []byte
	if err == nil {
		blank, err = s.atBoundary(int64(len(data)) < h.length)
	}
	if errors.Is(err, errNoBoundary) || errors.Is(err, io.EOF) {
		i := s.find(data)
		if i < 0 && int64(len(data)) == h.length {
			i = s.findAcross(data, blank)
		}
		if i >= 0 {
			s.unread(data[i:], blank)
			return s.part(pos, h, data[:i:i], &record.Skip{Pos: pos, Reason: record.ReasonBadRecord, URL: record.Clip(h.uri, 200),
				Err: fmt.Errorf("Content-Length %d is too long, another record begins after %d", h.length, i), Passed: int64(i)})
		}
	}
	if errors.Is(err, errNoBoundary) { // the Content-Length is too short, or the data is damaged
		s.pending = s.garbage(s.here(), err)
		if !errors.Is(s.pending, record.ReasonBadRecord) {
			err, s.pending = s.pending, nil
			return nil, err
		}
		err = nil
	}
	switch {
	case errors.Is(err, io.EOF):
		return s.part(pos, h, data, &record.Skip{Pos: pos, Reason: record.ReasonTruncatedRecord, URL: record.Clip(h.uri, 200),
			Err: fmt.Errorf("%d of %d bytes", len(data), h.length), Passed: int64(len(data))})
	case errors.Is(err, io.ErrUnexpectedEOF): // if no member follows, the file ends here, and what was read is intact
		skip := s.broken(pos, err)
		skip.URL = record.Clip(h.uri, 200)
		if !s.Ended {
			return nil, skip
		}
		return s.part(pos, h, data, skip)
	case err != nil:
		return nil, s.broken(pos, err)
	case !keep:
		return nil, &record.Skip{Pos: pos, Reason: record.ReasonRecordType(h.kind), URL: record.Clip(h.uri, 200)}
	}
	h.post = h.post || s.followedByPost(h, data)
	return s.wrap(pos, h, data), nil
}

func (s *Source) wrap(pos record.Position, h archiveHeader, data []byte) *record.Record {
	m := &meta{archiveHeader: h}
	rec := &record.Record{Pos: pos, Data: data, URL: h.uri, Fetchable: s.CanSeek(), Opts: s.opts, Decode: m.page, Archive: m}
	rec.Time = rec.ParseTime(h.uri, h.date)
	switch h.kind {
	case "resource":
		m.rendering(rec)
	case "revisit":
		m.refersTime, rec.Decode = record.ParseTime(h.refersDate), m.revisit
	}
	if h.truncated != "" {
		rec.Notes = append(rec.Notes, rec.Skip(record.ReasonTruncated, h.uri, errors.New(record.Clip(h.truncated, 40))))
	}
	if int64(len(data)) < h.length {
		rec.Notes = append(rec.Notes, rec.Skip(record.ReasonPageTooBig, h.uri, fmt.Errorf("record of %d bytes cut to %d", h.length, len(data))))
	}
	return rec
}

// part returns a record for the start of a record that ends early. If a page can be decoded from it, skip becomes a
// warning of the page; otherwise Decode returns skip.
func (s *Source) part(pos record.Position, h archiveHeader, data []byte, skip *record.Skip) (*record.Record, error) {
	if len(data) == 0 || h.kind != "response" && h.kind != "resource" && h.kind != "conversion" {
		return nil, skip
	}
	h.length = int64(len(data))
	rec := s.wrap(pos, h, data)
	rec.Notes = append(rec.Notes, skip)
	whole := rec.Decode
	rec.Decode = func(r *record.Record) (record.Page, error) {
		p, err := whole(r)
		if err == nil {
			return p, nil
		}
		lost, leads := *skip, (*record.Skip)(nil)
		if errors.As(err, &leads) && headEnds(r.Data) {
			lost.Redirect = leads.Redirect
		}
		return record.Page{}, &lost
	}
	return rec, nil
}

var errNoBoundary = errors.New("no record follows the block")

// findAcross finds a record that begins within a block and continues after it because the Content-Length is a few bytes
// too long. blank is what was read after the block. It returns -1 if there is none.
func (s *Source) findAcross(block, blank []byte) int {
	from := max(0, len(block)-s.keep)
	next, _ := s.Buf.Peek(s.keep)
	if i := s.find(slices.Concat(block[from:], blank, next)); i >= 0 && from+i < len(block) {
		return from + i
	}
	return -1
}

// atBoundary checks that a record or the end of the member follows. It returns the line endings before that point.
// Reading to the end of the member also verifies its checksum.
func (s *Source) atBoundary(cut bool) (blank []byte, err error) {
	for {
		b, err := s.Buf.Peek(s.look)
		switch {
		case len(b) == 0 && errors.Is(err, io.EOF):
			return blank, nil
		case err != nil && !errors.Is(err, io.EOF):
			return blank, err
		case b[0] == '\r' || b[0] == '\n':
			if len(blank) < stream.MaxLook {
				blank = append(blank, b[0])
			}
			_, _ = s.Buf.Discard(1)
		case s.begins(b) || cut:
			return blank, nil
		default:
			return blank, errNoBoundary
		}
	}
}

// Find returns the offset of a record that begins inside a block, or -1. A record begins at the start of a line.
// Because the preceding line ending may be damaged, Find accepts any offset at which a whole version line and the name
// of a field follow.
func Find(b []byte) int {
	for from := 0; ; {
		i := bytes.Index(b[from:], []byte("WARC/"))
		if i < 0 {
			return -1
		}
		i += from
		v := b[i+len("WARC/"):]
		if len(v) > 1 && (v[0] == '0' || v[0] == '1') && v[1] == '.' && (i > 0 && b[i-1] == '\n' || isVersionLine(v)) {
			return i
		}
		from = i + 1
	}
}

// isVersionLine reports whether v begins with a version such as "1.0", a line ending, and the name of a field.
func isVersionLine(v []byte) bool {
	line, rest, ok := payload.CutLine(v[:min(len(v), warcLook)])
	name, _, field := bytes.Cut(rest, []byte(":"))
	return ok && len(line) <= len("0.17") && field && !bytes.ContainsAny(name, " \r\n")
}

const warcLook = 64

// unread puts the rest of a block, and the bytes that were read after it, back in front of the rest of the member.
func (s *Source) unread(block, behind []byte) {
	m := s.opts.NewRoom()
	block = m.Append(nil, block)
	s.PutBack(len(block)+len(behind), io.MultiReader(&blockReader{block, m}, bytes.NewReader(behind)))
}

// blockReader reads a block and frees its memory at the end.
type blockReader struct {
	rest []byte
	room payload.Room
}

// Read implements io.Reader.
func (b *blockReader) Read(p []byte) (int, error) {
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	if n == 0 && len(p) > 0 {
		b.rest = nil
		b.room.Free()
		return 0, io.EOF
	}
	return n, nil
}

// garbage skips data that is not a record, up to the next record or the end of the member.
func (s *Source) garbage(pos record.Position, why error) error {
	var n int64
	for {
		b, err := s.Buf.Peek(stream.BufferSize)
		if i := s.find(b); i >= 0 {
			_, _ = s.Buf.Discard(i)
			return &record.Skip{Pos: pos, Reason: record.ReasonBadRecord, Err: stream.PassedOver(n+int64(i), why), Passed: n + int64(i)}
		}
		m := len(b)
		if err == nil {
			m -= s.keep
		}
		_, _ = s.Buf.Discard(m)
		n += int64(m)
		if errors.Is(err, io.EOF) {
			return &record.Skip{Pos: pos, Reason: record.ReasonBadRecord, Err: stream.PassedOver(n, why), Passed: n}
		}
		if err != nil {
			return s.broken(pos, err)
		}
	}
}

// broken reports an error of decompression or of the file, and moves to the next member that begins with a record.
func (s *Source) broken(pos record.Position, err error) *record.Skip {
	skip := s.Damaged(err)
	skip.Pos = pos
	passed, rerr := s.Resync(s.fits)
	if rerr != nil && !errors.Is(rerr, io.EOF) {
		err = fmt.Errorf("%w; then %w", err, rerr)
	}
	skip.Err, skip.Passed = stream.PassedOver(passed, err), passed
	return skip
}

// fits reports whether the content of a member begins with a record.
func (s *Source) fits(head []byte) bool { return s.begins(bytes.TrimLeft(head, "\r\n")) }
