package site

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/sets"
)

// MissingLink is a link that a page might have: its text has words with which other pages link to the target, or the
// title of the target, is not called so itself, and neither page links to the other.
type MissingLink struct {
	From, To              uint32
	Score                 float64    // estimated probability that a page with this mention links
	Figures               [5]float64 // what MissingWeights weigh
	Before, Anchor, After string     // the sentence with the mention

	mention
}

// mention is a place in the text of a page where another one is named.
type mention struct {
	phrase   uint64
	from, to uint32
	word     uint32 // first word
}

// phrase is a text by which pages are called.
type phrase struct {
	words  int
	to     []called // most often called first
	linked int      // links with it
	plain  int      // pages that have it outside of links
}

// called is a page with the number of pages that link to it by a phrase; none if the phrase is only its title.
type called struct {
	id uint32
	n  int
}

const (
	maxPhrase   = 8  // words
	maxCalled   = 4  // pages with the same phrase that are tried
	maxMentions = 64 // of a page, the first ones
)

// Missing returns the links that the pages might have, with a score of at least least and at most most of each page,
// sorted by source, the best first. It reads the inputs twice more.
func (s *Audit) Missing(ctx context.Context, most int, least float64) ([]MissingLink, error) {
	m, err := s.phrases()
	if err != nil {
		return nil, err
	}
	var found []mention
	err = s.eachPage(ctx, func(id uint32) bool { return s.size[s.hosts[id]] > 1 }, func(id uint32, _ *crawl.Page, doc *text.Doc) error {
		found = m.append(found, id, doc)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var first []MissingLink
	for of := range sets.Runs(found, func(a, b mention) bool { return a.from == b.from }) {
		first = append(first, m.best(of, most, least)...)
	}
	slices.SortStableFunc(first, func(a, b MissingLink) int { return cmp.Compare(a.From, b.From) })
	of := map[uint32][]int{}
	for i, x := range first {
		of[x.From] = append(of[x.From], i)
	}
	return first, s.eachPage(ctx, func(id uint32) bool { return of[id] != nil }, func(id uint32, _ *crawl.Page, doc *text.Doc) error {
		for _, i := range of[id] {
			x := &first[i]
			before, anchor, after := anchors.Sentence(doc.Text, doc.Words[x.word].From, doc.Words[int(x.word)+m.names[x.phrase].words-1].To)
			x.Before, x.Anchor, x.After = string(before), string(anchor), string(after)
		}
		return nil
	})
}

// missingLinks returns all missing links with a score of at least least, and perhaps others. The best of a page come first.
func (s *Audit) missingLinks(ctx context.Context, least float64) ([]MissingLink, error) {
	if s.named != nil && least >= s.least {
		return s.named, nil
	}
	found, err := s.Missing(ctx, maxMentions, min(least, leastMention))
	if err == nil {
		s.named, s.least = append([]MissingLink{}, found...), min(least, leastMention)
	}
	return found, err
}

// best returns the best links of the mentions in one page, each target once.
func (m *mentions) best(found []mention, most int, least float64) (out []MissingLink) {
	all := make([]MissingLink, len(found))
	for i, x := range found {
		score, figures := m.score(x)
		all[i] = MissingLink{From: x.from, To: x.to, Score: score, Figures: figures, mention: x}
	}
	slices.SortFunc(all, func(a, b MissingLink) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.To, b.To), cmp.Compare(a.word, b.word))
	})
	for _, x := range all {
		if x.Score >= least && len(out) < most && !slices.ContainsFunc(out, func(y MissingLink) bool { return x.To == y.To }) {
			out = append(out, x)
		}
	}
	return out
}

// mentions finds mentions of pages.
type mentions struct {
	s      *Audit
	names  map[uint64]*phrase
	starts map[bags.Term]int // words of the longest phrase that begins with a term
	parser *text.Parser
	taken  []bool // words in links, headings and code
}

// phrases returns what pages are called: the texts of the links outside of menus, and titles.
func (s *Audit) phrases() (*mentions, error) {
	parser, err := s.r.Parser()
	m := &mentions{s: s, names: map[uint64]*phrase{}, starts: map[bags.Term]int{}, parser: parser}
	if err != nil {
		return nil, err
	}
	for same := range s.byTarget() {
		if l := same[0]; !l.menu && l.text != 0 {
			m.call(s.texts[l.text], l.to, len(same))
		}
	}
	for _, id := range s.pages {
		m.call(headOf(s.r.Docs.Title(id)), id, 0)
	}
	for _, p := range m.names {
		slices.SortFunc(p.to, func(a, b called) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.id, b.id)) })
	}
	return m, nil
}

// noVersion matches numbers of versions, and of chapters of one of several books, which name no page.
var noVersion = regexp.MustCompile(`(?i)\b(?:v|version|release|chapter|part|section|appendix|step|lesson)?\.?[ #]*\d+(?:\.(?:\d+|x))*(?:-?(?:alpha|beta|rc)\.?\d*)?\b`)

// call adds a phrase by which a page is called in n links.
func (m *mentions) call(words string, id uint32, n int) {
	list := m.parser.Plain([]byte(words)).Words
	if len(list) == 0 || len(list) > maxPhrase || !strings.ContainsFunc(noVersion.ReplaceAllString(words, ""), unicode.IsLetter) {
		return
	}
	begin, language := strings.Fields(strings.ToLower(words))[0], text.LanguageName(m.s.r.Docs.Language(id))
	if n > 0 && text.IsFunctionWord(begin, language) { // "in this document" is no name
		return
	}
	h, first := phraseOf(list), list[0].Term
	p := m.names[h]
	if p == nil {
		p = &phrase{words: len(list)}
		m.names[h] = p
		m.starts[first] = max(m.starts[first], len(list))
	}
	p.linked += n
	if i := slices.IndexFunc(p.to, func(c called) bool { return c.id == id }); i >= 0 {
		p.to[i].n += n
	} else {
		p.to = append(p.to, called{id, n})
	}
}

// headOf returns the first part of a title, without the number of a chapter.
func headOf(title string) string {
	for _, end := range []string{" — ", " | ", " – ", " - ", " :: "} {
		title, _, _ = strings.Cut(title, end)
	}
	title = strings.TrimSpace(title)
	number, rest, ok := strings.Cut(title, ". ")
	kind, n, two := strings.Cut(number, " ")
	if named := !two || kind == "Chapter" || kind == "Appendix" || kind == "Part"; ok && named && len(number) < 14 && !strings.Contains(n, " ") {
		return rest
	}
	return title
}

// append appends the mentions of other pages in a page.
func (m *mentions) append(out []mention, id uint32, doc *text.Doc) []mention {
	m.taken = append(m.taken[:0], make([]bool, len(doc.Words))...)
	for _, l := range doc.Links {
		for i := l.From; i < l.To; i++ {
			m.taken[i] = true
		}
	}
	for _, h := range slices.Concat(doc.Heads, doc.Code) {
		for i := h.From; i < h.To; i++ {
			m.taken[i] = true
		}
	}
	seen, from := map[uint64]bool{}, len(out)
	for i := 0; i < len(doc.Words); i++ {
		h, p := m.longest(doc, i)
		if p == nil {
			continue
		}
		if own := slices.ContainsFunc(p.to, func(c called) bool { return c.id == id }); !own && !seen[h] {
			seen[h] = true
			p.plain++
			for _, c := range p.to[:min(len(p.to), maxCalled)] {
				if len(out)-from < maxMentions && m.s.Unlinked(id, c.id) {
					out = append(out, mention{h, id, c.id, uint32(i)})
				}
			}
		}
		i += p.words - 1
	}
	return out
}

// longest returns the longest phrase that begins at a word.
func (m *mentions) longest(doc *text.Doc, i int) (hash uint64, longest *phrase) {
	h, end := uint64(0), min(len(doc.Words), i+m.starts[doc.Words[i].Term])
	for j := i; j < end && !m.taken[j] && doc.Words[j].Block == doc.Words[i].Block; j++ {
		h = doc.Words[j].Term.AddTo(h)
		if p := m.names[h]; p != nil && p.words == j-i+1 {
			hash, longest = h, p
		}
	}
	return hash, longest
}

// Unlinked reports whether both documents are pages of one host, and no link outside of a menu leads from one to the
// other.
func (s *Audit) Unlinked(from, to uint32) bool {
	a, ok := s.hosts[from]
	b, known := s.hosts[to]
	return from != to && ok && known && a == b && !s.r.Docs.Labelled(to) && !s.out[pairOf(from, to)] && !s.out[pairOf(to, from)]
}

// score estimates the probability that a mention should be a link, by a logistic regression on links that were taken
// away from half of three sites (lab/quality.md). Its figures are 1 and the logarithms of the share of the links with this phrase that lead to the
// target, the share of the pages with this phrase that link with it, the number of its words, and how similar the
// contents of both pages are.
func (m *mentions) score(x mention) (score float64, figures [5]float64) {
	p := m.names[x.phrase]
	n := p.to[slices.IndexFunc(p.to, func(c called) bool { return c.id == x.to })].n
	to := 0.3
	if n > 0 {
		to = (float64(n) + 0.5) / float64(p.linked+1)
	}
	linked := (float64(p.linked) + 0.5) / float64(p.linked+p.plain+1)
	similar := 0.05
	if m.s.r.Bags != nil {
		_, content := topics.Fields(m.s.r, x.from, x.to)
		similar = content.Similarity
	}
	figures = [5]float64{1, math.Log(to), math.Log(linked), math.Log(float64(p.words)), math.Log(similar + 0.01)}
	for i, x := range figures {
		score += MissingWeights[i] * x
	}
	return 1 / (1 + math.Exp(-score)), figures
}

// MissingWeights are the weights of [MissingLink.Figures], as lab links -fit finds them.
var MissingWeights = [5]float64{3.57, 0.94, 1.04, 1.41, 0.94}
