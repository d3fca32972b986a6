package shingles

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// The classes of runes, by the effect of a rune on the current token. They are ordered for the comparisons in the hot
// loop. A result of classify above classMark is the lower-case form of a letter or digit.
const (
	classBreak  = iota // ends the token: space, control, anything unknown
	classPunct         // ends the token; is a token itself if punctuation is kept
	classSkip          // left out without ending the token: soft hyphen, joiners, selectors of variants, marks of direction, points of Hebrew and Arabic
	classSolo          // ends the token and starts another: scripts without spaces
	classMark          // belongs to any token before it
	classLetter        // the lowest lower-case form is '0'
)

// soloScripts are the scripts that are written without spaces between words. Each letter, with its marks, is a token,
// so that w letters make a shingle.
var soloScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// vowels are the points of Hebrew and Arabic, which most texts leave out.
var vowels = &unicode.RangeTable{R16: []unicode.Range16{
	{0x0591, 0x05BD, 1}, {0x05BF, 0x05BF, 1}, {0x05C1, 0x05C2, 1}, {0x05C4, 0x05C5, 1}, {0x05C7, 0x05C7, 1},
	{0x0610, 0x061A, 1}, {0x064B, 0x0652, 1}, {0x0670, 0x0670, 1}, {0x06D6, 0x06DC, 1}, {0x06DF, 0x06E4, 1}, {0x06E7, 0x06E8, 1}, {0x06EA, 0x06ED, 1},
}}

// A glyph is all that the hot loop needs to know about a rune, in 32 bits. From the top: 3 bytes for the UTF-8 of its
// lower-case form, the first byte highest; 4 bits for the length of that form; 4 bits for its class.
type glyph uint32

func newGlyph(r rune) glyph {
	class := classify(r)
	if class >= classLetter {
		r, class = class, classLetter
	}
	var utf [utf8.UTFMax]byte
	n := utf8.EncodeRune(utf[:], r)
	return glyph(uint32(utf[0])<<24 | uint32(utf[1])<<16 | uint32(utf[2])<<8 | uint32(n)<<4 | uint32(class))
}

func (g glyph) class() uint32 { return uint32(g) & 15 }
func (g glyph) size() uint    { return uint(g) >> 4 & 15 }

// glyphs returns the glyph of every rune below 65,536. The table takes 256 KiB and is made for the first text, in 5 ms.
var glyphs = sync.OnceValue(func() *[1 << 16]glyph {
	table := new([1 << 16]glyph)
	for r := range table {
		table[r] = newGlyph(rune(r))
	}
	return table
})

// classify returns the class of r, or the lower-case form of r if it is a letter or digit. It defines what a token is;
// the tables only cache its results.
func classify(r rune) rune {
	switch {
	case r == 0x00AD, r == 0x2060, r == 0xFEFF, r == 0x0640, unicode.Is(vowels, r), unicode.In(r, unicode.Variation_Selector, unicode.Join_Control, unicode.Bidi_Control):
		return classSkip
	case r == 0x30FC, r == 0xFF70: // long vowel of kana, in no script's table
		return classSolo
	case unicode.Is(unicode.M, r):
		return classMark
	case unicode.IsDigit(r):
		return r
	case unicode.IsLetter(r) || unicode.Is(unicode.Han, r):
		if unicode.In(r, soloScripts...) {
			return classSolo
		}
		return unicode.ToLower(r)
	case unicode.IsPunct(r) || unicode.IsSymbol(r):
		return classPunct
	}
	return classBreak
}
