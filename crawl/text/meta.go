package text

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// Meta is what a page says about itself to programs. It is evidence rather than fact, since many pages are wrong about
// themselves.
type Meta struct {
	Lang       string      // <html lang>, raw
	Canonical  string      // first <link rel=canonical href>, raw
	Alternates []Alternate // <link rel=alternate hreflang href>, at most MaxAlternates
	NoIndex    bool        // <meta name=robots content=noindex> or none
	NoSnippet  bool        // <meta name=robots content=nosnippet> or max-snippet:0
	Title      string      // <meta property=og:title>
	Refresh    string      // URL of a <meta http-equiv=refresh> of at most RefreshSeconds, raw
}

// Alternate links to the same page in another language.
type Alternate struct{ Lang, Href string }

// Bounds of the values that the parser accepts and keeps.
const (
	MaxAlternates  = 100
	RefreshSeconds = 5 // a page that is shown for longer is meant to be read
)

// read reads an html, meta or link element from its start tag.
func (m *Meta) read(k kind, s *scanner) {
	switch k {
	case root:
		if m.Lang == "" {
			m.Lang, _ = s.attribute("lang")
		}
	case link:
		m.link(s)
	case meta:
		name, _ := s.attribute("name")
		equiv, _ := s.attribute("http-equiv")
		content, _ := s.attribute("content")
		property, _ := s.attribute("property")
		switch {
		case m.Title == "" && (strings.EqualFold(property, "og:title") || strings.EqualFold(name, "og:title")):
			m.Title = content
		case strings.EqualFold(name, "robots"):
			m.NoIndex = m.NoIndex || NoIndex(content)
			m.NoSnippet = m.NoSnippet || NoSnippet(content)
		case strings.EqualFold(equiv, "refresh") && m.Refresh == "":
			m.Refresh = Refresh(content)
		}
	}
}

func (m *Meta) link(s *scanner) {
	rels, _ := s.attribute("rel")
	for rel := range strings.FieldsSeq(strings.ToLower(rels)) {
		if rel != "canonical" && rel != "alternate" {
			continue
		}
		href, _ := s.attribute("href")
		lang, _ := s.attribute("hreflang")
		switch {
		case href == "":
		case rel == "canonical" && m.Canonical == "":
			m.Canonical = href
		case rel == "alternate" && lang != "" && len(m.Alternates) < MaxAlternates:
			m.Alternates = append(m.Alternates, Alternate{lang, href})
		}
	}
}

// NoIndex reports whether the directives of a robots meta element or header ask to leave a page out of indexes.
func NoIndex(directives string) bool { return hasDirective(directives, "noindex", "none") }

// NoSnippet reports whether they ask not to show text of the page elsewhere.
func NoSnippet(directives string) bool { return hasDirective(directives, "nosnippet", "max-snippet:0") }

// hasDirective reports whether the directives of a robots meta element or header include one of some.
func hasDirective(directives string, some ...string) bool {
	for d := range strings.SplitSeq(strings.ToLower(directives), ",") {
		if slices.Contains(some, strings.ReplaceAll(strings.TrimSpace(d), " ", "")) {
			return true
		}
	}
	return false
}

// Refresh returns the URL of "5; url='…'". It returns "" if there is none or if the page is shown for more than
// RefreshSeconds.
func Refresh(content string) string {
	i := strings.IndexAny(content, ";,")
	if i < 0 {
		return ""
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(content[:i]), 64)
	if err != nil || !(seconds >= 0 && seconds <= RefreshSeconds) {
		return ""
	}
	url := strings.TrimSpace(content[i+1:])
	if len(url) >= 3 && strings.EqualFold(url[:3], "url") {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(url[3:]), "="); ok {
			url = strings.TrimSpace(rest)
		}
	}
	return strings.Trim(url, `'"`)
}

// An XHTML page is XML: <title/> and <script/> are empty elements, and the content of a CDATA section is text. A page is
// read so if its media type says it (see Parser.XHTML), or if it begins with an XML declaration and has the namespace. The
// rest is read as HTML, so that damaged pages are read too.

const xhtmlNamespace = "http://www.w3.org/1999/xhtml"

// isXHTML reports whether a page begins with an XML declaration and has the namespace of XHTML.
func isXHTML(page []byte) bool {
	page = bytes.TrimLeft(page[:min(len(page), 1024)], "\ufeff \t\r\n")
	return bytes.HasPrefix(page, []byte("<?xml")) && bytes.Contains(page, []byte(xhtmlNamespace))
}

// empty handles an empty element of XHTML. Only those that hide what follows in HTML differ from start tags.
func (p *Parser) empty(tag *element) {
	p.scan.NextIsNotRawText()
	if p.skip > 0 || tag.kind == hidden && tag != inFrame || tag.kind == title {
		return
	}
	if tag == inFrame {
		p.bareLink("src")
		return
	}
	p.start(tag, true)
	p.skip = 0
}
