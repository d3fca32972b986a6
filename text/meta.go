package text

import (
	"strconv"
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
	Refresh    string      // URL of a <meta http-equiv=refresh> of at most RefreshSeconds, raw
}

// Alternate is the same page in another language.
type Alternate struct{ Lang, Href string }

// Bounds of what is believed and kept.
const (
	MaxAlternates  = 100
	RefreshSeconds = 5 // a page that stays longer is there to be read
)

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
		switch {
		case strings.EqualFold(at["name"], "robots"):
			m.NoIndex = m.NoIndex || NoIndex(at["content"])
		case strings.EqualFold(at["http-equiv"], "refresh") && m.Refresh == "":
			m.Refresh = Refresh(at["content"])
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

// Refresh is the URL of "5; url='…'", "" where there is none or the page stays for longer.
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
