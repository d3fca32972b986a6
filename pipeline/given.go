package pipeline

import (
	"strings"

	"github.com/lshclust/lshclust/anchors"
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

// partCapture marks the number of a capture that comes in parts. The rows of a source that have one time, or none, are
// one capture wherever in the input they stand, so that its number follows from both.
const partCapture = 1 << 63

// given makes the fragments of a page of which the input gives the links alone.
func (r *pageReader) given(p *crawl.Page, capture uint64) error {
	if !p.Part {
		if err := r.claim(&claim{hash: tables.Hash(p.Canonical), millis: millis(p.Time)}); err != nil {
			return err
		}
	}
	r.parser.Language = r.guess(p)
	defer func() { r.parser.Language = "" }()
	p.Canonical = r.config.Name(p)
	at := source{tables.Hash(p.Canonical), millis(p.Time)}
	if p.Part {
		capture = xxh3.HashStringSeed(p.Canonical, uint64(at.millis)) | partCapture
	}
	r.rec = anchors.Record{
		Kind: anchors.OfSource, Capture: capture, Source: at.hash, Host: xxh3.HashString(crawl.Host(p.Canonical)),
		Page: anchors.Page{Title: []byte(p.Title), Time: at.millis},
	}
	if !p.Part || at != r.part { // rows of a source mostly follow one another
		if err := r.source(p); err != nil {
			return err
		}
	}
	if p.Part {
		r.part = at
	}
	if err := r.givenLinks(p); err != nil {
		return err
	}
	if r.parser.Vocabulary.Full() {
		return r.words.drain(r.parser.Vocabulary)
	}
	return nil
}

// source writes what the input says of the page itself. Its captures compete among themselves, not with those of pages.
func (r *pageReader) source(p *crawl.Page) error {
	choice := ^uint64(0)
	if !p.Part {
		choice = min(linksDigest(p), choice-1)
	}
	r.key = captureRecord(r.key[:0], ^r.rec.Source, r.rec.Page.Time, choice, r.rec.Capture)
	if err := r.capture.Append(r.key); err != nil {
		return err
	}
	r.rec.TargetHash, r.rec.Target = r.rec.Source, []byte(p.Canonical)
	if r.config.Title && r.config.Bags == "anchors" && !r.namesItself(p, r.rec.Page.Title) {
		doc := r.parser.Plain(nil)
		doc.Title = append(doc.Title, p.Title...)
		r.rec.Terms = r.extract.Own(r.parser.TitleWords())
	}
	return r.out.add(r.rec.TargetHash, r.rec.Append)
}

// linksDigest is a hash of all that is given of a page.
func linksDigest(p *crawl.Page) uint64 {
	h := xxh3.HashStringSeed(p.Title, xxh3.HashString(p.URL))
	for _, l := range p.Links {
		for _, s := range [...]string{l.Target, l.Anchor, l.Before, l.After, l.Rel} {
			h = xxh3.HashStringSeed(s, h)
		}
	}
	return h
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
	r.rec.Kind = anchors.OfGiven
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
