package table

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// featureBytes is the approximate memory of a feature without its text.
const featureBytes = 64

// PageOf returns the page of a row or an object. rows says whether it describes a page or a link.
func PageOf(r *record.Record, v *Values, rows meaning) (record.Page, error) {
	if rows == linkRows {
		return linkOf(r, v)
	}
	p := record.Page{Pos: r.Pos, URL: cmp.Or(string(v.url(fieldURL)), string(v.url(fieldID))), Charset: "utf-8", Time: v.time(), Warnings: r.Notes}
	content := v.Of[fieldContent]
	switch looksHTML := payload.SniffHTML(content[:min(len(content), payload.SniffLen)]); {
	case v.has(fieldHTML):
		p.HTML = r.Cut(&p, r.Room.Valid(v.Of[fieldHTML], r.Opts.MaxPage))
	case looksHTML && !v.has(fieldText):
		p.HTML = r.Cut(&p, r.Room.Valid(content, r.Opts.MaxPage))
	case v.has(fieldText), v.has(fieldContent):
		text := v.Of[fieldText]
		if len(text) == 0 {
			text = content
		}
		p.Text, p.Title = r.Cut(&p, r.Room.Valid(text, r.Opts.MaxPage)), payload.Folded(v.first(fieldTitle))
	case v.has(fieldFeatures):
		list := v.Of[fieldFeatures]
		if err := r.Opts.Needs(4*int64(len(list))+featureBytes*int64(bytes.Count(list, []byte(","))), r.Pos, "a list of features"); err != nil {
			return record.Page{}, r.Skip(record.ReasonBadJSON, p.URL, err)
		}
		var err error
		if p.Features, err = parseFeatures(v.Of[fieldFeatures]); err != nil {
			return record.Page{}, r.Skip(record.ReasonBadJSON, p.URL, err)
		}
	case v.has(fieldRedirect):
		return record.Page{}, r.Redirected(p.URL, payload.Trimmed(v.url(fieldRedirect)), p.Time, record.ReasonEmptyPage, "redirect")
	default:
		return record.Page{}, r.Skip(record.ReasonEmptyPage, p.URL, nil)
	}
	return r.IdentifyAny(p)
}

// linkOf turns a link row into the page that contains the link. The page has only this link.
func linkOf(r *record.Record, v *Values) (record.Page, error) {
	source, target := payload.Trimmed(v.url(FieldSource)), payload.Trimmed(v.url(FieldTarget))
	kind := payload.Trimmed(v.url(fieldType))
	if !isHyperlink(kind) && !isRedirectRow(kind) {
		return record.Page{}, r.Skip(record.ReasonNotLink, target, fmt.Errorf("type %q", record.Clip(kind, 40)))
	}
	if source == "" || target == "" {
		return record.Page{}, r.Skip(record.ReasonNoURL, cmp.Or(source, target), errors.New("a link needs a source and a target"))
	}
	if url := withScheme(source); url != source {
		source, target = url, withScheme(target)
	}
	if isRedirectRow(kind) {
		return record.Page{}, r.Redirected(source, target, v.time(), record.ReasonNotLink, record.Clip(kind, 40))
	}
	anchor := v.first(FieldAnchor)
	if len(bytes.TrimSpace(anchor)) == 0 {
		anchor = v.first(fieldAlt)
	}
	before := v.Of[fieldBefore]
	before = before[max(0, len(before)-payload.MaxAside):]
	l := record.Link{Target: target, Anchor: payload.ValidString(anchor), Before: payload.ValidString(before), After: payload.ValidString(v.first(fieldAfter)), Rel: payload.ValidString(v.first(fieldRel))}
	if isFalse(v.Of[fieldFollow]) || isTrue(v.Of[fieldNoFollow]) {
		l.Rel = strings.TrimSpace(l.Rel + " nofollow")
	}
	return r.IdentifyAny(record.Page{Pos: r.Pos, URL: source, Time: v.time(), Charset: "utf-8", Links: []record.Link{l}, Part: true, Warnings: r.Notes})
}

// isHyperlink reports whether a row is about a link. Tables of SEO crawlers also have rows about images, style sheets,
// scripts and redirects.
func isHyperlink(kind string) bool {
	switch strings.ToLower(kind) {
	case "", "hyperlink", "href", "ahref", "a", "link", "text":
		return true
	}
	return false
}

// isRedirectRow reports whether a row is about a redirect.
func isRedirectRow(kind string) bool {
	switch strings.ToLower(kind) {
	case "http redirect", "meta refresh", "javascript redirect", "hsts policy", "redirect":
		return true
	}
	return false
}

// withScheme adds a scheme to a URL that begins with its host, which is common in link data.
func withScheme(s string) string {
	host, _, _ := strings.Cut(s, "/")
	if !urls.IsHostName(host) {
		return s
	}
	return "https://" + s
}

func isFalse(b []byte) bool { return strings.EqualFold(payload.Trimmed(b), "false") }
func isTrue(b []byte) bool  { return strings.EqualFold(payload.Trimmed(b), "true") }
