package text

import (
	"encoding/binary"
	"math/bits"
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
	short [32]byte
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

// Split calls word for every word of s in order, with its place s[from:to] and its lower-case form. The lower-case
// form is valid only during the call.
func (p *Splitter) Split(s []byte, word func(from, to int, lower []byte)) {
	i := 0
	for i < len(s) {
		c := s[i]
		if plain[c] != 0 {
			i = p.ascii(s, i, word)
			continue
		}
		if c < utf8.RuneSelf {
			i++
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

// ascii does what run does for the word that most words are: not long, and of nothing but ASCII letters and digits. It
// takes eight bytes at a time.
func (p *Splitter) ascii(s []byte, from int, word func(from, to int, lower []byte)) int {
	n := 0
	for n < len(p.short)-8 && from+n+8 <= len(s) {
		x := binary.LittleEndian.Uint64(s[from+n:])
		binary.LittleEndian.PutUint64(p.short[n:], x|0x2020202020202020)
		k := plainPrefix(x)
		n += k
		if k < 8 {
			break
		}
	}
	for n < len(p.short) && from+n < len(s) && plain[s[from+n]] != 0 {
		p.short[n] = plain[s[from+n]]
		n++
	}
	to := from + n
	if to < len(s) && (n == len(p.short) || s[to] == '\'' || s[to] >= utf8.RuneSelf) {
		return p.run(s, from, word)
	}
	word(from, to, p.short[:n])
	return to
}

// plainPrefix is how many of the eight bytes of x, from the lowest, are ASCII letters and digits before one that is not.
func plainPrefix(x uint64) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	low := x &^ high
	letter := low | 0x20*ones
	letters := (letter + (0x80-'a')*ones) &^ (letter + (0x7f-'z')*ones)
	digits := (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones)
	return bits.TrailingZeros64(^(letters|digits)&high|x&high) / 8
}

// run reports the word that begins at from and returns the place behind it.
func (p *Splitter) run(s []byte, from int, word func(from, to int, lower []byte)) int {
	low := p.lower[:0]
	i := from
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if l := plain[c]; l != 0 {
				c = l
			} else if c != '\'' || !joins(s, i) {
				break
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
