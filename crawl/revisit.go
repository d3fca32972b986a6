package crawl

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Revisit is a capture of a URL whose content equals that of an earlier capture, its original, and is not stored again.
// The original may be a capture of another URL, stand before or behind the revisit, or in another file; so a source
// gives out the revisit as it stands, and who has seen all inputs can put the two together: see [Fetcher].
type Revisit struct {
	URL       string    // as the input gave it
	Canonical string    // the page's identity
	Time      time.Time // of this capture
	Digest    string    // WARC-Payload-Digest, which the original has as well; may be empty
	RefersURL string    // canonical URL of the original, if the revisit names it
	RefersTo  time.Time // when the original was fetched, if the revisit says so
}

// Original tells what a revisit must say to mean this record: its URL, time and digest. It is false for records that no
// revisit can mean.
func (r *Record) Original() (v Revisit, ok bool) {
	p, err := r.identify(Page{URL: r.url})
	if err != nil || r.kind != "response" && (r.kind != "resource" || r.rendered != NotRendered) {
		return v, false
	}
	return Revisit{URL: p.URL, Canonical: p.Canonical, Time: r.time, Digest: r.digest}, true
}

// Revisit tells whether the record is a revisit, and of what. For these, Page gives a *Skip with ReasonRecordType.
// One of a time that is not wanted is none, nor is one of a redirect, which says itself where it leads.
func (r *Record) Revisit() (v Revisit, ok bool) {
	if r.kind != "revisit" || !r.opts.Select.wantsTime(r.time) {
		return v, false
	}
	if head, _ := parseHead(r.data); isRedirect(head.status) {
		return v, false
	}
	p, err := r.identify(Page{URL: r.url})
	if err != nil {
		return v, false
	}
	v = Revisit{URL: p.URL, Canonical: p.Canonical, Time: r.time, Digest: r.digest, RefersTo: r.refersTime}
	if p, err = r.identify(Page{URL: r.refersURL}); err == nil {
		v.RefersURL = p.Canonical
	}
	return v, true
}

// decodeRevisit finds no page, but the redirect of a response that was sent on as before.
func decodeRevisit(r *Record) (Page, error) {
	if head, _ := parseHead(r.data); isRedirect(head.status) {
		return Page{}, r.unwanted(head)
	}
	return Page{}, r.skip(ReasonRecordType("revisit"), r.url, nil)
}

// Rendering says at which moment a browser showed the text of a page.
type Rendering int

// Text that browsertrix saves: a text/plain resource urn:text:URL for the page as loaded, and urn:textFinal:URL after
// scripts have scrolled and clicked, if that differs.
const (
	NotRendered Rendering = iota
	RenderedLoaded
	RenderedFinal
)

// rendering finds out whether a resource is the rendered text of a page; then the record has the URL of the page.
func (r *Record) rendering() {
	for prefix, at := range map[string]Rendering{"urn:text:": RenderedLoaded, "urn:textFinal:": RenderedFinal} {
		if url, ok := strings.CutPrefix(r.url, prefix); ok && mediaType(r.contentType) == "text/plain" {
			r.url, r.rendered = url, at
			r.decode = decodeRendered
		}
	}
}

func decodeRendered(r *Record) (Page, error) {
	p, err := r.identify(Page{Pos: r.Pos, URL: r.url, Time: r.time, ContentType: r.contentType, Digest: r.digest, Rendered: r.rendered, Warnings: r.notes})
	if err != nil {
		return Page{}, err
	}
	if len(bytes.TrimSpace(r.data)) == 0 {
		return Page{}, r.skip(ReasonEmptyPage, r.url, nil)
	}
	text, name := r.room.toUTF8(r.data, r.contentType, r.opts.MaxPage)
	p.Charset, p.Text = name, r.cut(&p, text)
	return p, nil
}

// Fetcher reads single records again, by their positions. The zero value with Options is ready; Close it. Positions in
// ascending order cost least: within one member it reads on from where it is. It is used by one goroutine.
type Fetcher struct {
	Options Options

	src *archiveSource
}

var errNotThere = errors.New("no record there")

// Record reads the record at a position that a source of WARC or ARC gave for it.
func (f *Fetcher) Record(pos Position) (*Record, error) {
	if err := f.goTo(pos); err != nil {
		return nil, fmt.Errorf("%v: %w", pos, err)
	}
	rec, err := f.src.record()
	if err == nil && (rec.Pos.Offset != pos.Offset || rec.Pos.Inner != pos.Inner) {
		err = errNotThere
	}
	if err != nil {
		return nil, fmt.Errorf("%v: %w", pos, err)
	}
	rec.Pos.Record = pos.Record
	return rec, nil
}

// goTo moves to a position, opening the file if need be.
func (f *Fetcher) goTo(pos Position) error {
	if f.src == nil || f.src.name != pos.File {
		f.Close()
		o := f.Options
		o.Workers = 0
		open := func() (Source, error) { return Open(pos.File, o) }
		if strings.Contains(pos.File, zipMark) {
			open = func() (Source, error) { return openEntry(pos.File, o.withDefaults()) }
		}
		src, err := open()
		if err != nil {
			return err
		}
		archive, ok := src.(*archiveSource)
		if !ok || archive.seek == nil {
			src.Close()
			return errNotThere
		}
		f.src = archive
	}
	f.src.pending = nil
	if f.src.kind == plain || f.src.start != pos.Offset || f.src.at() > pos.Inner {
		if err := f.src.goTo(pos.Offset); err != nil {
			return err
		}
	}
	if f.src.kind == plain {
		return nil
	}
	if n := pos.Inner - f.src.at(); n > 0 {
		return f.src.discard(n)
	}
	return nil
}

// Close closes the file that was read last.
func (f *Fetcher) Close() {
	if f.src != nil {
		f.src.Close()
		f.src = nil
	}
}
