package capture

import (
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/config"
)

// An input may give links without the pages that contain them: as rows of a table of links, or as records of a WAT
// file. The source of a link row is a document that was not crawled. The link contributes a fragment like a link on a
// page, with the words around it in the input as its window.
//
// The inputs may also hold the source as a page: WET files next to WAT files, or a crawl next to a table of links. Then
// the newest page and the newest links of the source both contribute. If both have a link, the page's version counts.

// DescribeLinks sets p.Canonical to the name of the source of some links and returns the record that describes the
// source.
func (r *Reader) DescribeLinks(p *crawl.Page, number Number) *anchors.Record {
	p.Canonical = r.Name(p)
	at := Millis(p.Time)
	number = number.OfLinks()
	if p.Part {
		number = RowsNumber(p.Canonical, at)
	}
	r.rec = anchors.Record{
		Kind: anchors.OfSource, Capture: uint64(number), Source: Hash(p.Canonical), Host: xxh3.HashString(urls.Host(p.Canonical)),
		Page: anchors.Page{Title: []byte(p.Title), Time: at},
	}
	return &r.rec
}

// LinkFragments emits a record for each link of a source that DescribeLinks has named and, if own is true, also what
// the input says about the source itself. The records of a source and a target are united later, with the others of the
// target.
func (r *Reader) LinkFragments(p *crawl.Page, own bool) error {
	r.parser.Language = r.guess(p)
	defer func() { r.parser.Language = "" }()
	if own {
		if err := r.ofSource(p); err != nil {
			return err
		}
	}
	base, err := urls.Base(p.URL, "")
	if err != nil { // the source is only a name, so its links must be absolute
		base = nil
	}
	r.rec.Kind = anchors.OfLinkRow
	r.targets = append(r.targets[:0], "")
	for i := range p.Links {
		l := &p.Links[i]
		if r.targets[0], err = r.target(p, base, l.Target, l.Rel); err != nil {
			return err
		}
		doc := r.parser.Link(l.Before, l.Anchor, l.After)
		if err := r.extract.Links(doc, r.targets, r.fragment); err != nil {
			return err
		}
		switch {
		case r.targets[0] == "":
		case l.Before == "" && l.After == "":
			r.Bare++
		default:
			r.Surrounded++
		}
	}
	return nil
}

// ofSource emits what the input says about the source itself.
func (r *Reader) ofSource(p *crawl.Page) error {
	r.rec.TargetHash, r.rec.Target = r.rec.Source, []byte(p.Canonical)
	if r.Vocabulary() != nil && r.config.Title && r.config.Bags != config.FromContent && !r.namesItself(p, r.rec.Page.Title) {
		doc := r.parser.Plain(nil)
		doc.Title = append(doc.Title, p.Title...)
		r.rec.Terms = r.title()
	}
	return r.Emit(&r.rec)
}

// guessBytes is about how much of the text around links guess examines.
const guessBytes = 64 << 10

// guess returns the language of the text around the links of a source, or "" for a single row of a table. Only terms
// depend on it.
func (r *Reader) guess(p *crawl.Page) string {
	if p.Part || r.Vocabulary() == nil {
		return ""
	}
	var text strings.Builder
	text.WriteString(p.Title)
	for i := 0; i < len(p.Links) && text.Len() < guessBytes; i++ {
		for _, s := range [...]string{p.Links[i].Before, p.Links[i].Anchor, p.Links[i].After} {
			text.WriteByte('\n')
			text.WriteString(s)
		}
	}
	return r.parser.Guess([]byte(text.String()))
}

// Rows distinguishes the captures that come as rows of a table of links. The rows of one capture mostly follow one
// another, so that Rows makes one note of a capture for all consecutive rows. The zero value is ready to use.
type Rows struct {
	begun  bool
	source uint64 // hash of its name
	order  Order
	number Number
}

// Next takes the description of the source of the next row. If the row begins another capture than the previous row,
// Next returns true and appends the note of the capture that ended, if any, to dst.
func (s *Rows) Next(dst []byte, rec *anchors.Record, record Number) (note []byte, first bool) {
	if s.begun && s.source == rec.Source && s.order.Millis == rec.Page.Time {
		s.order.Record = max(s.order.Record, record)
		return dst, false
	}
	dst = s.End(dst)
	*s = Rows{begun: true, source: rec.Source, order: Order{rec.Page.Time, record}, number: Number(rec.Capture)}
	return dst, true
}

// End ends the capture of the last rows and appends its note to dst. If there is no such capture, it returns dst
// unchanged.
func (s *Rows) End(dst []byte) []byte {
	if !s.begun {
		return dst
	}
	s.begun = false
	return AppendNote(dst, s.source, s.order, s.number, Tells{})
}
