package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/lshclust/lshclust/internal/sets"
)

// Splitter cuts text into words by Unicode's rules for word boundaries (UAX 29). It makes five exceptions, because
// these rules join what people search for as several words, and find no words in scripts without spaces.
//
//   - Points, commas, colons and underscores end a word: "example.com", "3.14", "snake_case" are two words each.
//   - Han, hiragana, Thai, Lao, Khmer, Myanmar and other scripts that are written without spaces are cut into overlapping
//     words of two characters, the bigrams that are usual in retrieval for these languages. A single character between
//     others is one word. Marks belong to their character. A run of katakana is one word, mostly a borrowed one.
//   - The apostrophe after an elided article or pronoun ends a word: "l'eau", "dell'acqua" are two words each.
//   - Quotation marks at the end of a Hebrew word are not part of it.
//   - A sequence without letters and digits, such as an emoji, is not a word.
//
// So a word is a sequence of letters, digits and the marks on them. An apostrophe, a middle dot or a gershayim between
// two letters belongs to it ("don't", "col·lecció", "צה״ל"). Soft hyphens, joiners, direction marks, tatweel
// and the points of Arabic and Hebrew may be inside a word but are not in its lower-case form. The Splitter does not
// normalize that form; see [Form].
//
// The zero value is ready to use. A Splitter is not safe for concurrent use.
type Splitter struct {
	lower []byte
	runes runes
}

// plain maps ASCII letters and digits to their lower-case forms, all other bytes to 0.
var plain = func() (t [256]byte) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z':
			t[c] = byte(c)
		case 'A' <= c && c <= 'Z':
			t[c] = byte(c) + 'a' - 'A'
		}
	}
	return t
}()

// Split calls word for each word of s in order, with its place s[from:to] and its lower-case form, which is valid only
// during the call.
func (p *Splitter) Split(s []byte, word func(from, to int, lower []byte)) {
	for i := 0; i < len(s); {
		if plain[s[i]] != 0 || s[i] >= utf8.RuneSelf {
			i = p.one(s, i, word)
		} else {
			i++
		}
	}
}

// one reports the words of the sequence that begins at i, and returns their end.
func (p *Splitter) one(s []byte, i int, word func(from, to int, lower []byte)) int {
	r, n := utf8.DecodeRune(s[i:])
	switch c := p.runes.of(r).class; c {
	case glyph, hiragana, katakana:
		return p.unspaced(s, i, c, word)
	case letter, digit:
		return p.sequence(s, i, word)
	}
	return i + n
}

// sequence reports the word that begins at from and returns its end.
func (p *Splitter) sequence(s []byte, from int, word func(from, to int, lower []byte)) int {
	low := p.lower[:0]
	i := from
loop:
	for i < len(s) {
		if l := plain[s[i]]; l != 0 {
			low = append(low, l)
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		f := p.runes.of(r)
		switch f.class {
		case letter, digit:
			low = utf8.AppendRune(low, f.lower)
		case mark:
			low = utf8.AppendRune(low, r)
		case ignored:
		case joint:
			if !joins(low, r, s[i+n:]) || elided(low, r) {
				break loop
			}
			low = utf8.AppendRune(low, jointForm(r))
		default:
			break loop
		}
		i += n
	}
	p.lower = low
	word(from, i, low)
	return i
}

// joins reports whether r is between two letters or, if it is a quotation mark, between two Hebrew letters.
func joins(before []byte, r rune, after []byte) bool {
	a, n := utf8.DecodeLastRune(before)
	for classOf(a) == mark {
		before = before[:len(before)-n]
		a, n = utf8.DecodeLastRune(before)
	}
	b, n := utf8.DecodeRune(after)
	for classOf(b) == mark || classOf(b) == ignored {
		after = after[n:]
		b, n = utf8.DecodeRune(after)
	}
	if r == '"' && !(unicode.Is(unicode.Hebrew, a) && unicode.Is(unicode.Hebrew, b)) {
		return false
	}
	return classOf(a) == letter && classOf(b) == letter
}

// elided reports whether an apostrophe ends a word of French, Italian or Catalan that lost its last vowel. It does in
// all languages, because a word is cut before the language is known.
func elided(before []byte, r rune) bool { return jointForm(r) == '\'' && elisions[string(before)] }

var elisions = sets.OfWords(`l d j m n s t c qu jusqu lorsqu puisqu quoiqu quelqu presqu un dell all nell dall sull coll quest quell bell cos dov`)

// jointForm returns one form for all characters used as an apostrophe, a middle dot or a gershayim.
func jointForm(r rune) rune {
	switch r {
	case '‘', '’', '＇', geresh:
		return '\''
	case gershayim:
		return '"'
	case '\u0387', '\u2027':
		return '·'
	}
	return r
}

// unspaced reports the words of a sequence of characters of one kind in a script without spaces and returns its end.
func (p *Splitter) unspaced(s []byte, from int, kind class, word func(from, to int, lower []byte)) int {
	prev, last, i := from, from, from // the starts of the last two characters; at first both are the same
	for i < len(s) {
		r, n := utf8.DecodeRune(s[i:])
		c := p.runes.of(r).class
		switch {
		case c == mark || c == ignored || c == katakana && kind == katakana:
		case c != kind:
			word(prev, i, s[prev:i])
			return i
		case i > from:
			if last > from {
				word(prev, i, s[prev:i])
			}
			prev, last = last, i
		}
		i += n
	}
	word(prev, i, s[prev:i])
	return i
}
