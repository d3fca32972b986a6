package pipeline

import (
	"errors"
	"strings"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/zeebo/xxh3"
)

// Links can be given without the page that they stand on: rows of a links table, records of a WAT file. Such a source is
// a document that was not crawled, and its links count as those of a page do, with what is given around them for a
// window.
//
// A source may be in the input as a page too (WET beside WAT, a links table beside the crawl). Then the newest of its
// pages and the newest of what is given of it both count, and of a link that both have that of the page.

// source tells one capture of a source from others.
type source struct {
	hash   uint64 // of the URL
	millis int64
}

// part is a capture that comes in rows. The rows of a source that have one time, or none, are one capture wherever in the
// input they stand: its number follows from source and time, and it stands where the last of them does.
type part struct {
	source
	number uint64
	last   recordNumber
	begun  bool
}

// given makes the fragments of a page of which the input gives the links alone.
func (r *pageReader) given(p *crawl.Page, record recordNumber) error {
	if !p.Part {
		if err := r.claim(&claim{hash: tables.Hash(p.Canonical), order: captureOrder{millis(p.Time), record}}); err != nil {
			return err
		}
	}
	r.parser.Language = r.guess(p)
	defer func() { r.parser.Language = "" }()
	p.Canonical = r.name(p)
	at := source{tables.Hash(p.Canonical), millis(p.Time)}
	number := uint64(record) | givenCapture
	if p.Part {
		number = xxh3.HashStringSeed(p.Canonical, uint64(at.millis)) | givenCapture | partCapture
	}
	r.rec = anchors.Record{
		Kind: anchors.OfSource, Capture: number, Source: at.hash, Host: xxh3.HashString(crawl.Host(p.Canonical)),
		Page: anchors.Page{Title: []byte(p.Title), Time: at.millis},
	}
	if err := r.givenBy(p, at, record); err != nil {
		return err
	}
	if err := r.givenLinks(p); err != nil {
		return err
	}
	return r.drain()
}

// givenBy notes the capture at hand and what it says of its source. The rows of a capture mostly follow one another, so
// that this is done once for all of them.
func (r *pageReader) givenBy(p *crawl.Page, at source, record recordNumber) error {
	if !p.Part {
		return errors.Join(r.note(at, record, r.rec.Capture), r.source(p))
	}
	if r.part.begun && r.part.source == at {
		r.part.last = max(r.part.last, record)
		return nil
	}
	err := r.endPart()
	r.part = part{source: at, number: r.rec.Capture, last: record, begun: true}
	return errors.Join(err, r.source(p))
}

// endPart notes the capture to which the last rows belong.
func (r *pageReader) endPart() error {
	if !r.part.begun {
		return nil
	}
	p := r.part
	r.part = part{}
	return r.note(p.source, p.last, p.number)
}

// note writes the record of a capture. Captures of links compete among themselves, not with those of pages.
func (r *pageReader) note(at source, record recordNumber, number uint64) error {
	r.key = captureRecord(r.key[:0], at.hash, captureOrder{at.millis, record}, number)
	return r.capture.Append(r.key)
}

// source writes what the input says of the page itself.
func (r *pageReader) source(p *crawl.Page) error {
	r.rec.TargetHash, r.rec.Target = r.rec.Source, []byte(p.Canonical)
	if r.config.Title && r.config.Bags == config.FromAnchors && !r.namesItself(p, r.rec.Page.Title) {
		doc := r.parser.Plain(nil)
		doc.Title = append(doc.Title, p.Title...)
		r.rec.Terms = r.extract.Own(r.parser.TitleWords())
	}
	return r.out.add(r.rec.TargetHash, r.rec.Bound(), r.rec.Append)
}

// guess is the language of all that is given of a page, unless that is one row of a table.
func (r *pageReader) guess(p *crawl.Page) string {
	if p.Part {
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

// guessBytes is about how much of the text around links is looked at to guess its language.
const guessBytes = 64 << 10

// givenLinks writes a fragment for each link. Those of one source and one target are put together with the target.
func (r *pageReader) givenLinks(p *crawl.Page) error {
	base, err := crawl.Base(p.URL, "")
	if err != nil { // the source is a name: its links must be whole
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
			r.bare++
		default:
			r.surrounded++
		}
	}
	return nil
}
