package label

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/zeebo/xxh3"
)

// none is the number of a word that is not a term of the bags.
const none = ^uint32(0)

// passage is a text cut into words: a title, an anchor, or the text on one side of an anchor.
type passage struct {
	member int32
	place  int32
	source uint64
	text   []byte
	words  []word

	of          *Headings // of a heading
	own, ownEnd int       // the words of a heading from one to before the other name its site; -1 for none
}

// word is a word of a passage.
type word struct {
	term        uint32    // number in the crawl, or none
	hash        bags.Term // 0 for a stop word
	from, to    int32     // place in the text
	parted      bool      // a sign before it ends a phrase
	mute        bool      // a number, or a word that means nothing by itself
	binds       bool      // a stop word that may be inside a phrase
	generic     bool      // it says nothing about a subject
	glued       bool      // part of a name such as "snake_case", or its end as in "Node.js"
	opens, ends bool      // no hyphen or underscore joins it to the previous word, or to the next
}

// meaning is what a Labeller knows of a word in a language.
type meaning struct {
	term                 uint32
	hash                 bags.Term
	number, noise, binds bool
	generic              bool // it says nothing about a subject
}

// mostMeanings is the largest number of meanings that are kept.
const mostMeanings = 1 << 17

// read collects the words of the members.
func (l *Labeller) read(members []Member) {
	l.cluster++
	l.members, l.terms, l.texts, l.heads, l.urls, l.sets = len(members), l.terms[:0], l.texts[:0], l.heads[:0], l.urls[:0], l.sets[:0]
	clear(l.headAt)
	for i, m := range members {
		for j, t := range m.Bag.Terms {
			if int64(t) >= int64(len(l.crawl.DF)) {
				continue
			}
			e := l.evidence(l.word(t))
			if e.last != int32(i) { // the bag may have the word around links and in the content
				e.held++
			}
			e.count += int32(m.Bag.Counts[j])
			e.see(int32(i), inBag)
		}
		l.urls = append(l.urls, m.URL)
		c := m.Cut
		if c == nil {
			c = &Cut{}
		}
		if c.texts == nil {
			l.cut(m.Texts, c)
		}
		for _, p := range c.texts {
			p.member = int32(i)
			for _, w := range p.words {
				if w.term != none {
					l.evidence(w.term).see(int32(i), p.place)
				}
			}
			l.texts = append(l.texts, p)
		}
		for _, h := range c.heads {
			l.under(h, i)
		}
	}
}

// under notes that a member has a link under some headings.
func (l *Labeller) under(h *Headings, member int) {
	at, ok := l.headAt[h.Place]
	if !ok {
		at = len(l.heads)
		l.headAt[h.Place], l.heads = at, append(l.heads, headed{h, l.empty()})
	}
	l.heads[at].in.add(int32(member))
}

// Cut keeps the words of the texts of a member that is in several clusters.
type Cut struct {
	texts []passage
	heads []*Headings
}

// cut cuts the texts of a member into words.
func (l *Labeller) cut(texts []Text, to *Cut) {
	to.texts = make([]passage, 0, 3*len(texts))
	for _, t := range texts {
		for i, s := range [...][]byte{t.Name, t.Before, t.After} {
			if len(s) > 0 {
				to.texts = append(to.texts, passage{source: t.Source, text: s, words: l.words(t.Language, s), place: [...]int32{inName, inText, inText}[i]})
			}
		}
		if h := t.Heads; h != nil && len(h.Texts) > 0 {
			for _, s := range h.Texts[len(h.cut):] {
				p := passage{of: h, text: []byte(s)}
				if !isAddress(s) {
					p.words = l.words(t.Language, p.text)
					p.findOwn(h.Site)
				}
				h.cut = append(h.cut, p)
			}
			to.heads = append(to.heads, h)
		}
	}
}

// evidence returns the counts of a term so far. The pointer is valid until the next call.
func (l *Labeller) evidence(t uint32) *evidence {
	at := &l.at[t]
	if at.cluster != l.cluster {
		*at = seen{l.cluster, int32(len(l.terms))}
		l.terms = append(l.terms, evidence{term: t, last: -1})
	}
	return &l.terms[at.index]
}

// see counts a place in which a term occurs. Only the best place of each member counts; members come one after another.
func (e *evidence) see(member, place int32) {
	if e.last != member {
		e.last, e.place = member, 0
	}
	if place <= e.place {
		return
	}
	if e.place < inText && place >= inText {
		e.said++
	}
	e.value += place - e.place
	e.place = place
}

// words cuts a text into words.
func (l *Labeller) words(language string, s []byte) (out []word) {
	out, end, seed := make([]word, 0, len(s)/6+1), 0, xxh3.HashString(language)
	l.split.Split(s, func(from, to int, lower []byte) {
		m := l.meaning(seed, language, lower)
		w := word{
			term: m.term, hash: m.hash, from: int32(from), to: int32(to), binds: m.binds, generic: m.generic,
			parted: parts(s[min(from, end):from]), // words of two characters in scripts without spaces overlap
			opens:  from == 0 || !ties(s[from-1]), ends: to == len(s) || !ties(s[to]),
			glued: from > 0 && s[from-1] == '_' || to < len(s) && s[to] == '_' || from > 1 && s[from-1] == '.' && isWord(s[from-2]),
			mute:  m.number || string(s[from:to]) == "VI" || m.noise && !(to+1 < len(s) && s[to] == '.' && isWord(s[to+1])),
		}
		end = to
		out = append(out, w)
	})
	return out
}

// meaning returns the meaning of a word. seed is the hash of its language.
func (l *Labeller) meaning(seed uint64, language string, lower []byte) meaning {
	key := xxh3.HashSeed(lower, seed)
	m, ok := l.meanings[key]
	if ok {
		return m
	}
	if len(l.meanings) >= mostMeanings {
		clear(l.meanings)
	}
	if l.vocabulary.Full() {
		_ = l.vocabulary.Drain(func(bags.Term, string, uint64) error { return nil })
	}
	m = meaning{hash: l.vocabulary.TermIn(language, lower), number: isNumber(lower), noise: noise[string(lower)], binds: binding[string(lower)], generic: generic[string(lower)]}
	if l.guesses && language == "" && text.IsFunctionWord(string(lower), "") {
		m.hash = 0
	}
	m.term = l.number(m.hash)
	l.meanings[key] = m
	return m
}

// Words yields the number of each word of a bag, once, even if the word is both around links and in the content. A
// Labeller asks a Contrast for the same numbers.
func (l *Labeller) Words(bag bags.Bag) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, t := range bag.Terms {
			if int64(t) >= int64(len(l.crawl.DF)) {
				continue
			}
			word := l.word(t)
			if word != t {
				if _, twice := slices.BinarySearch(bag.Terms, word); twice {
					continue
				}
			}
			if !yield(word) {
				return
			}
		}
	}
}

// word returns the number of the word of a term: that of its term around links or, if no bag has it, that of the term
// itself.
func (l *Labeller) word(term uint32) uint32 {
	if term >= l.content {
		return l.other(term)
	}
	return term
}

// other returns the number of the same word in the other field of bags, or of the term itself if no bag has it there.
func (l *Labeller) other(term uint32) uint32 {
	k := &l.known[term]
	if k.other == 0 {
		k.other = 1 + term
		t := bags.Term(l.crawl.Hash[term])
		other := t.OfContent()
		if t.IsContent() {
			other = t.OfLinks()
		}
		if i, ok := slices.BinarySearch(l.crawl.Hash, uint64(other)); ok {
			k.other = 1 + uint32(i)
		}
	}
	return k.other - 1
}

// number returns the number of a word in the crawl, given its term around links: that of this term or, if no bag has
// it, that of the word in contents.
func (l *Labeller) number(t bags.Term) uint32 {
	if t == 0 {
		return none
	}
	for _, t := range [...]bags.Term{t, t.OfContent()} {
		if i, ok := slices.BinarySearch(l.crawl.Hash, uint64(t)); ok {
			return uint32(i)
		}
	}
	return none
}

// parts reports whether the text between two words ends a phrase. A blank does not, nor does a sign inside a name, as
// in "Node.js", "snake_case" or "TCP/IP".
func parts(gap []byte) bool {
	gap = bytes.TrimLeft(gap, "+#") // of C++ and C#
	if len(gap) == 0 {
		return false
	}
	return len(gap) > 1 || !strings.ContainsRune(" -._/&'", rune(gap[0]))
}

// ties reports whether a sign joins two words into one name.
func ties(c byte) bool { return c == '-' || c == '_' }

// isWord reports whether a byte is part of a word.
func isWord(c byte) bool {
	return c >= utf8.RuneSelf || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}

// isNumber reports whether a word is a number, an ordinal ("2nd"), a version ("v7") or the Roman number of a chapter.
// "I", "V" and "vi" may be words, so words mutes "VI" in capitals alone.
func isNumber(lower []byte) bool {
	if len(lower) > 1 && lower[0] == 'v' {
		lower = lower[1:]
	}
	digits := 0
	for digits < len(lower) && '0' <= lower[digits] && lower[digits] <= '9' {
		digits++
	}
	switch rest := string(lower[digits:]); rest {
	case "", "st", "nd", "rd", "th":
		return digits > 0
	case "ii", "iii", "iv", "vii", "viii", "ix", "xi", "xii", "xiii", "xiv", "xv", "xvi", "xvii", "xviii", "xix", "xx":
		return digits == 0
	}
	return false
}

// binding are the stop words that may be inside a phrase, as in "Ruby on Rails" and "proof of concept".
var binding = words("of on and for in the")

// mute are words about the way to a page rather than its subject, in any crawl. They are not shown alone. Noise words
// are in no phrase; the others may be, as in "Home Assistant".
var (
	noise = words(`http https www com org io html htm php href url urls link links linked v id click here prev previous next chapter see
		awesome comments logo hn ycombinator lobsters lobste`)
	mute = words(`home homepage website site webpage page pages contents content item items watch read more github download downloads
		section repository also use used using without around like ask code misc including`)
)

// languages are those that have one letter for a name.
var languages = words("C D R")

// shows reports whether a word may be shown alone.
func shows(word string) bool {
	low := strings.ToLower(word)
	return !isNumber([]byte(low)) && !noise[low] && !mute[low] && (utf8.RuneCountInString(word) > 1 || languages[word])
}

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}
