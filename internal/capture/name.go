package capture

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/text"
)

// TimeLayout is the layout of the time that distinguishes the captures of a URL, in UTC.
const TimeLayout = "20060102150405"

// mark is what follows the # in the name of a capture: a time or a digest.
var mark = regexp.MustCompile("^([0-9]{14}|[0-9a-f]{16})$")

// Name returns the name of a page in a run. It is the canonical URL and, if the run holds all captures of a URL, also
// the time of the capture, or the digest of its content if it has no time.
func Name(p *crawl.Page, all bool) string {
	switch {
	case !all, p.OnlyLinks() && p.Time.IsZero():
		return p.Canonical
	case p.Time.IsZero():
		return fmt.Sprintf("%s#%016x", p.Canonical, Digest(p))
	}
	return p.Canonical + p.Time.UTC().Format("#"+TimeLayout)
}

// Cut splits a name that [Name] made with all captures into the URL and the mark that distinguishes the capture. It
// returns false for a name without a mark.
func Cut(name string) (url, captureMark string, ok bool) {
	i := strings.LastIndexByte(name, '#')
	if i < 0 || !mark.MatchString(name[i+1:]) {
		return "", "", false
	}
	return name[:i], name[i+1:], true
}

// Hash returns the hash of a name or a canonical URL, which determines the number of its document.
func Hash(name string) uint64 { return xxh3.HashString(name) }

func hashSeed(s string, seed uint64) uint64 { return xxh3.HashStringSeed(s, seed) }

// Digest returns the hash of the content of a page.
func Digest(p *crawl.Page) uint64 { return xxh3.Hash(Content(p)) }

// Content returns the content of a page: its HTML, or else its text, or else its features one after another.
func Content(p *crawl.Page) []byte {
	switch {
	case p.HTML != nil:
		return p.HTML
	case p.Text != nil:
		return p.Text
	}
	return []byte(strings.Join(p.Features, "\x00"))
}

// Parse returns the flat form of a page: the visible text of its HTML, or else its text under its title. It is empty
// for a page given by its features. It is valid until the parser's next page.
func Parse(parser *text.Parser, p *crawl.Page) *text.Doc {
	if p.HTML != nil {
		parser.XHTML = record.IsHTML(record.MediaType(p.ContentType)) && record.MediaType(p.ContentType) != "text/html"
		return parser.HTML(p.HTML)
	}
	doc := parser.Plain(p.Text)
	if p.Text != nil {
		doc.Title = append(doc.Title, p.Title...)
	}
	return doc
}
