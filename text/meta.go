package text

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Meta is what a page says of itself to programs. It is evidence, not truth: pages name themselves wrongly.
type Meta struct {
	Lang       string      // <html lang>, raw
	Canonical  string      // first <link rel=canonical href>, raw
	Alternates []Alternate // <link rel=alternate hreflang href>, at most MaxAlternates
	NoIndex    bool        // <meta name=robots content=noindex> or none
}

// Alternate is the same page in another language.
type Alternate struct{ Lang, Href string }

// MaxAlternates bounds what is kept.
const MaxAlternates = 100

// read takes one html, meta or link element.
func (m *Meta) read(tag atom.Atom, z *html.Tokenizer) {
	at := map[string]string{}
	for more := true; more; {
		var key, val []byte
		key, val, more = z.TagAttr()
		if _, ok := at[string(key)]; !ok {
			at[string(key)] = string(val)
		}
	}
	switch tag {
	case atom.Html:
		m.Lang = first(m.Lang, []byte(at["lang"]))
	case atom.Link:
		m.link(at)
	case atom.Meta:
		if strings.EqualFold(at["name"], "robots") {
			m.NoIndex = m.NoIndex || NoIndex(at["content"])
		}
	}
}

func (m *Meta) link(at map[string]string) {
	for rel := range strings.FieldsSeq(strings.ToLower(at["rel"])) {
		switch {
		case at["href"] == "":
		case rel == "canonical" && m.Canonical == "":
			m.Canonical = at["href"]
		case rel == "alternate" && at["hreflang"] != "" && len(m.Alternates) < MaxAlternates:
			m.Alternates = append(m.Alternates, Alternate{at["hreflang"], at["href"]})
		}
	}
}

// NoIndex tells whether the directives of a robots meta element or header ask that a page be left out of indexes.
func NoIndex(directives string) bool {
	for d := range strings.SplitSeq(strings.ToLower(directives), ",") {
		if d = strings.TrimSpace(d); d == "noindex" || d == "none" {
			return true
		}
	}
	return false
}
