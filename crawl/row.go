package crawl

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// featureBytes is about what a feature takes in memory, beside its text.
const featureBytes = 64

// pageOf makes the page of a row or an object that is about pages or links.
func (r *Record) pageOf(v *values, rows meaning) (Page, error) {
	if rows == linkRows {
		return r.linkOf(v)
	}
	p := Page{Pos: r.Pos, URL: cmp.Or(string(v.url(fieldURL)), string(v.url(fieldID))), Charset: "utf-8", Time: v.time(), Warnings: r.notes}
	content := v.of[fieldContent]
	switch looksHTML := sniffHTML(content[:min(len(content), sniffLen)]); {
	case v.has(fieldHTML):
		p.HTML = r.cut(&p, r.room.valid(v.of[fieldHTML], r.opts.MaxPage))
	case looksHTML && !v.has(fieldText):
		p.HTML = r.cut(&p, r.room.valid(content, r.opts.MaxPage))
	case v.has(fieldText), v.has(fieldContent):
		text := v.of[fieldText]
		if len(text) == 0 {
			text = content
		}
		p.Text, p.Title = r.cut(&p, r.room.valid(text, r.opts.MaxPage)), folded(v.first(fieldTitle))
	case v.has(fieldFeatures):
		list := v.of[fieldFeatures]
		if err := r.opts.needs(4*int64(len(list))+featureBytes*int64(bytes.Count(list, []byte(","))), r.Pos, "a list of features"); err != nil {
			return Page{}, r.skip(ReasonBadJSON, p.URL, err)
		}
		var err error
		if p.Features, err = parseFeatures(v.of[fieldFeatures]); err != nil {
			return Page{}, r.skip(ReasonBadJSON, p.URL, err)
		}
	case v.has(fieldRedirect):
		return Page{}, r.redirected(p.URL, trimmed(v.url(fieldRedirect)), p.Time, ReasonEmptyPage, "redirect")
	default:
		return Page{}, r.skip(ReasonEmptyPage, p.URL, nil)
	}
	return r.identifyAny(p)
}

// linkOf makes of a row of a links table the page that the link stands on, with this one link.
func (r *Record) linkOf(v *values) (Page, error) {
	source, target := trimmed(v.url(fieldSource)), trimmed(v.url(fieldTarget))
	kind := trimmed(v.url(fieldType))
	if !isHyperlink(kind) && !leadsOn(kind) {
		return Page{}, r.skip(ReasonNotLink, target, fmt.Errorf("type %q", clip(kind, 40)))
	}
	if source == "" || target == "" {
		return Page{}, r.skip(ReasonNoURL, cmp.Or(source, target), errors.New("a link needs a source and a target"))
	}
	if url := withScheme(source); url != source {
		source, target = url, withScheme(target)
	}
	if leadsOn(kind) {
		return Page{}, r.redirected(source, target, v.time(), ReasonNotLink, clip(kind, 40))
	}
	anchor := v.first(fieldAnchor)
	if len(bytes.TrimSpace(anchor)) == 0 {
		anchor = v.first(fieldAlt)
	}
	before := v.of[fieldBefore]
	before = before[max(0, len(before)-maxAside):]
	l := Link{Target: target, Anchor: valid(anchor), Before: valid(before), After: valid(v.first(fieldAfter)), Rel: valid(v.first(fieldRel))}
	if isFalse(v.of[fieldFollow]) || isTrue(v.of[fieldNoFollow]) {
		l.Rel = strings.TrimSpace(l.Rel + " nofollow")
	}
	return r.identifyAny(Page{Pos: r.Pos, URL: source, Time: v.time(), Charset: "utf-8", Links: []Link{l}, Part: true, Warnings: r.notes})
}

// isHyperlink tells the rows about links from those about images, style sheets, scripts and redirects, in tables of SEO
// crawlers that have all of them.
func isHyperlink(kind string) bool {
	switch strings.ToLower(kind) {
	case "", "hyperlink", "href", "ahref", "a", "link", "text":
		return true
	}
	return false
}

// leadsOn tells the rows about redirects.
func leadsOn(kind string) bool {
	switch strings.ToLower(kind) {
	case "http redirect", "meta refresh", "javascript redirect", "hsts policy", "redirect":
		return true
	}
	return false
}

// withScheme completes a URL that begins with its host, as link data often has them.
func withScheme(s string) string {
	host, _, _ := strings.Cut(s, "/")
	if !isHostName(host) {
		return s
	}
	return "https://" + s
}

func trimmed(b []byte) string { return string(bytes.TrimSpace(b)) }
func valid(b []byte) string   { return string(validUTF8(b)) }

// folded is text with its white space as single spaces.
func folded(b []byte) string { return strings.Join(strings.Fields(valid(b)), " ") }

func isFalse(b []byte) bool { return strings.EqualFold(trimmed(b), "false") }
func isTrue(b []byte) bool  { return strings.EqualFold(trimmed(b), "true") }
