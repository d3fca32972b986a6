package text

import (
	"unicode"
	"unicode/utf8"
)

// Splitter cuts running text into words.
//
// A word is a maximal run of letters, digits and combining marks; an apostrophe between two letters belongs to the
// word ("don't"). Scripts that are written without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) have no such runs:
// there every character but the last of a run begins a word of two characters, the usual bigrams of retrieval in
// these languages, and a run of one character is one word.
//
// The zero value is ready to use. A Splitter is not safe for concurrent use.
type Splitter struct {
	lower []byte
}

// class of an ASCII byte: 0 separator, 1 digit or lower-case letter, 2 upper-case letter.
var asciiClass = func() (t [utf8.RuneSelf]uint8) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z':
			t[c] = 1
		case 'A' <= c && c <= 'Z':
			t[c] = 2
		}
	}
	return t
}()

// Split calls word for every word of s in order, with its place s[from:to] and its lower-case form. The lower-case
// form is valid only during the call.
func (p *Splitter) Split(s []byte, word func(from, to int, lower []byte)) {
	i := 0
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if asciiClass[c] == 0 {
				i++
				continue
			}
			i = p.run(s, i, word)
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		switch {
		case unspaced(r):
			i = p.bigrams(s, i, word)
		case inWord(r):
			i = p.run(s, i, word)
		default:
			i += n
		}
	}
}

// run reports the word that begins at from and returns the place behind it.
func (p *Splitter) run(s []byte, from int, word func(from, to int, lower []byte)) int {
	low := p.lower[:0]
	i := from
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			k := asciiClass[c]
			if k == 0 {
				if c != '\'' || !joins(s, i) {
					break
				}
			}
			if k == 2 {
				c += 'a' - 'A'
			}
			low = append(low, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		if r == '’' && joins(s, i) {
			low = append(low, '\'')
			i += n
			continue
		}
		if !inWord(r) || unspaced(r) {
			break
		}
		low = utf8.AppendRune(low, unicode.ToLower(r))
		i += n
	}
	p.lower = low
	word(from, i, low)
	return i
}

// joins tells whether the apostrophe at s[i] stands between two letters.
func joins(s []byte, i int) bool {
	before, _ := utf8.DecodeLastRune(s[:i])
	_, n := utf8.DecodeRune(s[i:])
	after, _ := utf8.DecodeRune(s[i+n:])
	return unicode.IsLetter(before) && unicode.IsLetter(after)
}

// bigrams reports the two-character words of a run in a script without spaces and returns the place behind the run.
func (p *Splitter) bigrams(s []byte, from int, word func(from, to int, lower []byte)) int {
	_, n := utf8.DecodeRune(s[from:])
	prev, i := from, from+n
	first := true
	for i < len(s) {
		r, n := utf8.DecodeRune(s[i:])
		if !unspaced(r) && !(r >= utf8.RuneSelf && unicode.IsMark(r)) {
			break
		}
		word(prev, i+n, s[prev:i+n])
		prev, i, first = i, i+n, false
	}
	if first {
		word(from, i, s[from:i])
	}
	return i
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// unspaced tells whether r belongs to a script whose text has no spaces between words.
func unspaced(r rune) bool {
	if r < 0x0E00 {
		return false
	}
	switch {
	case r <= 0x0EFF: // Thai, Lao
		return unicode.IsLetter(r) || unicode.IsMark(r)
	case r <= 0x0FFF: // Tibetan separates syllables by marks
		return false
	case r <= 0x109F: // Myanmar
		return unicode.IsLetter(r) || unicode.IsMark(r)
	case r >= 0x1780 && r <= 0x17FF: // Khmer
		return unicode.IsLetter(r) || unicode.IsMark(r)
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
