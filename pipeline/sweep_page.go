package pipeline

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/sweep"
	"github.com/lshclust/lshclust/text"
)

// pageSweeper looks up what an earlier run made of a page, and keeps what this run makes of a page that is new. The
// record of a page is all that the page adds to the file of a part, except the number and the time of the capture. It
// has these fields (see package codec), or only the first of a page that is too long: the name of the document; uvarints
// of the number of bytes of the page, of its fragments and of its links to other languages; the links that were left
// out, as their number of reasons, and for each of them its name and a count; the redirect; 1 and the hash of the text
// (8 bytes) of a page that is short, otherwise 0; the record of the shingles, empty without the syntactic view; the
// counts of the words (see text.Tally), whose letters and terms the records of a worker have in common; and the
// fragments.
type pageSweeper struct {
	r       *pageReader
	fetch   *sweep.Fetcher // nil without an earlier run
	earlier *sweep.Store
	counts  earlierWords // of pages that the earlier run has read
	write   *sweep.Writer
	entries streamWriter
	part    uint32
	buf     []byte

	digest    sweep.Digester
	field     func([]byte) // adds a field to digest
	raw       sweep.Key    // raw key of the page that comes next; zero: none
	tally     text.Tally
	words     []byte       // of the tally
	left      crawl.Ledger // links of the page that were left out
	most      int          // bytes of fragments and of shingles that a record may have
	fragments []byte       // of the page
	long      bool         // the page is too long to be kept
	record    []byte       // the name of the document; read adds counts and encode the rest unless the page is long
}

// From a size in bytes of the fragments of a page or of its shingles, the record of the page is its name alone: it is
// known when the page is gone, but each run reads the page again. So it is with too many words (see text.Tally). The size
// is the share of a buffer of a page, within these limits. In an unchanged sweep over a quarter of the directory set,
// reading the pages with more than a megabyte of fragments again took a fifth of the time.
const (
	lowestRecord  = 1 << 20
	highestRecord = 4 << 20
)

func newPageSweeper(b *build, r *pageReader) *pageSweeper {
	s := &pageSweeper{r: r, earlier: b.earlier, entries: b.streamWriter(sweepStream)}
	s.most = int(min(max(b.share(), lowestRecord), highestRecord))
	s.field = s.digest.Add
	s.write = sweep.NewWriter(s.entry)
	if s.earlier != nil {
		s.fetch = s.earlier.Fetcher()
		s.counts = earlierWords{fetch: s.fetch, to: r.write.words}
	}
	return s
}

// begin begins a part.
func (s *pageSweeper) begin(out *partOutput) {
	s.entries.to, s.part = out.Streams, uint32(out.number)
	s.write.Use(out.kept)
}

// flush writes what is still in memory.
func (s *pageSweeper) flush() error {
	return errors.Join(s.counts.flush(), s.forgetWords(), s.entries.flush())
}

// forgetWords writes the words of the records since the last call, and gives words new numbers from now on.
func (s *pageSweeper) forgetWords() error {
	s.words = s.tally.AppendWords(s.words[:0])
	s.tally.Forget()
	return s.write.Common(s.words)
}

// entry writes an entry.
func (s *pageSweeper) entry(e sweep.Entry) error {
	s.buf = e.Append(s.buf[:0])
	return s.entries.append(s.buf)
}

// unchanged takes the page of a record from the earlier run if that had the same record, apart from its time. The page
// need not be decoded then. Otherwise page must follow if the record has a page.
func (s *pageSweeper) unchanged(rec *crawl.Record, number capture.Number) (done bool, err error) {
	at, ok := s.rawKey(rec)
	if !ok || s.earlier == nil {
		return false, nil
	}
	e, ok := s.earlier.FindRaw(s.raw)
	if !ok {
		return false, s.earlier.Err()
	}
	e.State, e.Millis = sweep.Again, capture.Millis(at)
	known, err := s.again(&crawl.Page{Time: at}, e, number)
	if !known {
		return false, err
	}
	return true, errors.Join(err, s.r.notes.original(rec, number), s.entry(e))
}

// rawKey sets the raw key, which all that the page of a record is made from decides, and the size to which pages are
// cut, and returns the time of the page.
func (s *pageSweeper) rawKey(rec *crawl.Record) (at time.Time, ok bool) {
	s.digest.Reset()
	if at, ok = rec.Undecoded(s.field); !ok {
		s.raw = sweep.Key{}
		return at, false
	}
	s.digest.Number(uint64(rec.Opts.MaxPage))
	if s.r.config.Captures == config.CapturesAll { // the time is in the name
		s.digest.Number(uint64(capture.Millis(at)))
	}
	s.raw = s.digest.Key()
	return at, true
}

// page takes a page from the earlier run, or reads it and keeps what was read.
func (s *pageSweeper) page(p *crawl.Page, number capture.Number) error {
	raw := s.raw
	if s.raw = (sweep.Key{}); len(p.Warnings) > 0 {
		raw = s.raw
	}
	key := s.key(p)
	if s.earlier != nil {
		if e, ok := s.earlier.Find(key); ok {
			e.State, e.Millis = sweep.Again, capture.Millis(p.Time)
			known, err := s.again(p, e, number)
			if known {
				e.Raw = raw
			} else if err == nil {
				err = s.r.parse(p, number)
			}
			return errors.Join(err, s.entry(e))
		}
		if err := s.earlier.Err(); err != nil {
			return err
		}
	}
	if s.tally.Large() {
		if err := s.forgetWords(); err != nil {
			return err
		}
	}
	if err := s.read(p, number); err != nil {
		return err
	}
	e := sweep.Entry{Key: key, Hash: capture.Hash(p.Canonical), Millis: capture.Millis(p.Time), Segment: s.part}
	if !s.long { // a long page must be decoded, so that its record is not to be found by the raw key
		e.Raw = raw
		s.encode(p)
	}
	return s.write.Add(e, s.record)
}

// key returns the key of a page, which all that the record of the page is made from decides, except the configuration.
func (s *pageSweeper) key(p *crawl.Page) sweep.Key {
	d := &s.digest
	d.Reset()
	for _, field := range [...]string{p.URL, p.Canonical, p.Title, p.Robots, p.Refresh} {
		d.String(field)
	}
	d.Number(uint64(p.Rendered))
	if s.r.config.Captures == config.CapturesAll { // the time is in the name
		d.Number(uint64(capture.Millis(p.Time)))
	}
	switch {
	case p.HTML != nil:
		d.Number(0)
		d.Add(p.HTML)
	case p.Text != nil:
		d.Number(1)
		d.Add(p.Text)
	default:
		d.Number(2)
		for _, f := range p.Features {
			d.String(f)
		}
	}
	return d.Key()
}

// read reads a page and collects what encode needs.
func (s *pageSweeper) read(p *crawl.Page, number capture.Number) error {
	r := s.r
	s.tally.Reset()
	s.left, s.fragments, s.long = crawl.Ledger{}, s.fragments[:0], false
	dropped, emit := r.read.Dropped, r.read.Emit
	r.read.Dropped, r.read.Emit = &s.left, s.emit
	if v := r.read.Vocabulary(); v != nil {
		v.Keep(&s.tally)
		defer v.Keep(nil)
	}
	bytes, links, alternates := r.count.Bytes, r.read.Links, r.read.Alternates
	err := r.parse(p, number)
	r.read.Dropped, r.read.Emit = dropped, emit
	dropped.Merge(&s.left)
	s.record = codec.AppendBytes(s.record[:0], []byte(p.Canonical))
	if s.long = s.long || s.tally.Full() || r.shingle != nil && len(r.shingle.body) > s.most; s.long {
		s.tally.Drop()
		return err
	}
	for _, n := range [...]int64{r.count.Bytes - bytes, r.read.Links - links, r.read.Alternates - alternates} {
		s.record = binary.AppendUvarint(s.record, uint64(n))
	}
	return err
}

// emit writes a fragment and collects it.
func (s *pageSweeper) emit(rec *anchors.Record) error {
	if s.long = s.long || len(s.fragments)+rec.Bound() > s.most; !s.long {
		s.fragments = rec.Append(s.fragments)
	}
	return s.r.write.add(rec)
}

// encode completes the record of a page that was read.
func (s *pageSweeper) encode(p *crawl.Page) {
	left := s.left.Tallies()
	s.record = binary.AppendUvarint(s.record, uint64(len(left)))
	for _, t := range left {
		s.record = binary.AppendUvarint(codec.AppendBytes(s.record, []byte(t.Reason)), uint64(t.Count))
	}
	s.record = s.r.notes.last.redirect.Append(s.record)
	if s.r.notes.last.short {
		s.record = binary.LittleEndian.AppendUint64(append(s.record, 1), s.r.notes.last.text)
	} else {
		s.record = append(s.record, 0)
	}
	var shingles []byte
	if s.r.shingle != nil {
		shingles = s.r.shingle.body
	}
	s.record = codec.AppendBytes(s.record, shingles)
	s.record = append(s.tally.AppendCounts(s.record), s.fragments...)
}

// again adds a page that an earlier run has read. It reports false and does nothing if the page was too long to be kept.
func (s *pageSweeper) again(p *crawl.Page, e sweep.Entry, number capture.Number) (known bool, err error) {
	record, words, err := s.fetch.Record(e)
	if err != nil {
		return false, err
	}
	d := &codec.Decoder{B: record}
	name := d.Bytes()
	if len(d.B) == 0 {
		return false, d.Err
	}
	p.Canonical = string(name)
	return true, s.decode(p, d, words, e, number)
}

// decode adds a page whose record it decodes, after the name.
func (s *pageSweeper) decode(p *crawl.Page, d *codec.Decoder, words sweep.Shared, e sweep.Entry, number capture.Number) error {
	r := s.r
	r.count.Pages++
	r.count.Bytes += int64(d.Uvarint())
	r.read.Links += int64(d.Uvarint())
	r.read.Alternates += int64(d.Uvarint())
	for range d.Uvarint() {
		reason := crawl.Reason(d.Bytes())
		if d.Err != nil {
			return d.Err
		}
		r.dropped.Ledger.AddReason(reason, int64(d.Uvarint()))
	}
	redirect, err := capture.DecodeRedirect(d.Bytes())
	if err != nil {
		return err
	}
	redirect.Order = capture.Order{Millis: e.Millis, Record: number}
	text, short := uint64(0), d.U8() == 1
	if short {
		text = d.U64()
	}
	if err := errors.Join(d.Err, r.notes.redirect(redirect), r.notes.again(p, e, number, short, text)); err != nil {
		return err
	}
	if err := s.shingles(d.Bytes(), e, number); err != nil {
		return err
	}
	return errors.Join(s.counts.add(d, words), s.links(d.B, e, number))
}

// shingles adds the record of the shingles of a page.
func (s *pageSweeper) shingles(body []byte, e sweep.Entry, number capture.Number) error {
	if s.r.shingle == nil {
		return nil
	}
	if len(body) < 24 {
		return codec.ErrMalformed
	}
	binary.LittleEndian.PutUint64(body[8:], uint64(number))
	binary.LittleEndian.PutUint64(body[16:], uint64(e.Millis))
	return s.r.shingle.out.add(e.Hash, binary.MaxVarintLen64+len(body), func(dst []byte) []byte { return codec.AppendBytes(dst, body) })
}

// links adds the fragments of a page.
func (s *pageSweeper) links(fragments []byte, e sweep.Entry, number capture.Number) error {
	for len(fragments) > 0 {
		body, rest, err := codec.Next(fragments)
		switch {
		case err != nil:
			return err
		case anchors.Renew(body, uint64(number), e.Millis) != nil:
			return codec.ErrMalformed
		}
		fragments = rest
		err = s.r.write.out.add(anchors.TargetHash(body), binary.MaxVarintLen64+len(body), func(dst []byte) []byte { return codec.AppendBytes(dst, body) })
		if err != nil {
			return err
		}
	}
	return nil
}
