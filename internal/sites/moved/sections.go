package moved

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// Section is the part of a page from one heading to the next. The part before the first heading has no heading.
type Section struct {
	IDs     []string // ids of the section that a link can point at, that of its heading first
	Made    bool     // the markup has no id: the first ids are those that generators make of the heading
	Heading string   // its words, in lower case
	made    int      // number of ids made from the heading
	text    []uint64 // hashes of its shingles
}

// sectionShingle is the number of words in a shingle of a section.
const sectionShingle = 4

// seed makes the hashes of shingles, which never leave the process.
var seed = maphash.MakeSeed()

// Sections divides a page at its headings. An id between two texts belongs to the heading that immediately follows it,
// and otherwise to the section that contains it.
func Sections(page []byte) []Section { return sections(page, true) }

// Anchors is like [Sections] without the texts, which takes less time: it is enough for [Has].
func Anchors(page []byte) []Section { return sections(page, false) }

func sections(page []byte, texts bool) []Section {
	s := sectioner{tokens: html.NewTokenizer(bytes.NewReader(page)), texts: texts, out: make([]Section, 1), made: map[string]int{}}
	for s.next() {
	}
	s.close()
	s.settle()
	s.flush()
	s.settleMade()
	return s.out
}

// settleMade removes the ids made from headings if other headings of the page have ids in the markup: then the
// generator of the page makes no other ids, and the headings without ids are titles of side bars.
func (s *sectioner) settleMade() {
	if !slices.ContainsFunc(s.out, func(x Section) bool { return x.Heading != "" && !x.Made && len(x.IDs) > 0 }) {
		return
	}
	for i := range s.out {
		if at := &s.out[i]; at.Made {
			at.IDs, at.Made = at.IDs[at.made:], false
		}
	}
}

// sectioner is the state of Sections.
type sectioner struct {
	tokens  *html.Tokenizer
	texts   bool // whether the texts of sections are wanted
	out     []Section
	words   []string        // of the section so far
	heading []string        // words of the heading that is open
	slug    strings.Builder // the id made of them
	open    string          // name of the heading element that is open
	waiting []string        // ids after which no text has come yet
	hidden  string          // name of the open element whose text is not shown
	made    map[string]int  // ids made from headings, with the number last appended to each
}

func (s *sectioner) next() bool {
	switch s.tokens.Next() {
	case html.ErrorToken:
		return false
	case html.StartTagToken, html.SelfClosingTagToken:
		t := s.tokens.Token()
		if s.hidden == "" {
			s.element(t)
		}
	case html.EndTagToken:
		switch name := s.tokens.Token().Data; name {
		case s.hidden:
			s.hidden = ""
		case s.open:
			s.close()
		}
	case html.TextToken:
		if s.hidden == "" {
			s.text(string(s.tokens.Text()))
		}
	}
	return true
}

func (s *sectioner) element(t html.Token) {
	for _, a := range t.Attr {
		if a.Val != "" && (a.Key == "id" || a.Key == "name" && t.Data == "a") {
			s.waiting = append(s.waiting, a.Val)
		}
	}
	switch t.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		s.close()
		s.flush()
		s.out = append(s.out, Section{})
		s.open = t.Data
	case "script", "style", "title", "template", "noscript":
		if t.Type == html.StartTagToken {
			s.hidden = t.Data
		}
	}
}

func (s *sectioner) text(text string) {
	switch {
	case s.open != "":
		s.heading = append(s.heading, wordsInOrder(text)...)
		s.slug.WriteString(text)
	case !strings.ContainsFunc(text, inWord):
	case s.texts:
		s.words = append(s.words, wordsInOrder(text)...)
		fallthrough
	default:
		s.settle()
	}
}

// inWord reports whether a character belongs to a word.
func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// settle adds the waiting ids to the section.
func (s *sectioner) settle() {
	at := &s.out[len(s.out)-1]
	at.IDs = append(at.IDs, s.waiting...)
	s.waiting = s.waiting[:0]
}

// close ends the open heading.
func (s *sectioner) close() {
	if s.open == "" {
		return
	}
	at := &s.out[len(s.out)-1]
	s.open, at.Heading = "", strings.Join(s.heading, " ")
	s.settle()
	if slug := slugOf(s.slug.String()); len(at.IDs) == 0 && slug != "" {
		at.IDs, at.Made = s.unique(slug), true
		at.made = len(at.IDs)
	}
	s.heading = s.heading[:0]
	s.slug.Reset()
}

// unique returns the ids of a heading whose words make an id. If an earlier heading has that id, GitHub and Hugo append
// -1, -2 and so on, and MkDocs _1, _2.
func (s *sectioner) unique(slug string) []string {
	out, n := slug, s.made[slug]
	for {
		if _, taken := s.made[out]; !taken {
			break
		}
		n++
		out = slug + "-" + strconv.Itoa(n)
	}
	s.made[slug], s.made[out] = n, 0
	if out == slug {
		return []string{slug}
	}
	return []string{out, slug + "_" + strconv.Itoa(n)}
}

// flush ends the section.
func (s *sectioner) flush() {
	at := &s.out[len(s.out)-1]
	for i := 0; i < len(s.words); i++ {
		if i+sectionShingle > len(s.words) && i > 0 {
			break
		}
		at.text = append(at.text, maphash.String(seed, strings.Join(s.words[i:min(i+sectionShingle, len(s.words))], " ")))
	}
	slices.Sort(at.text)
	at.text = slices.Compact(at.text)
	s.words = s.words[:0]
}

// slugOf returns the id that GitHub, Hugo and others make from a heading: in lower case, with hyphens for spaces and
// without punctuation.
func slugOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, strings.TrimSpace(heading))
}

// wordsInOrder returns the words of a text in lower case.
func wordsInOrder(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !inWord(r) })
}
