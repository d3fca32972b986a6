package shingles

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// What a rune does to the token that is being read, ordered so that comparisons
// serve the hot loop. For classify, anything above classMark is the lower-case
// form of a letter or digit.
const (
	classBreak  = iota // ends the token: space, control, anything unknown
	classPunct         // ends the token; a token of its own if punctuation is kept
	classSkip          // is left out without ending the token: soft hyphen, joiners
	classSolo          // ends the token and starts one of its own: scripts without spaces
	classMark          // belongs to the token before it, whatever that is
	classLetter        // the lowest lower-case form is '0'
)

// soloScripts are written without spaces between words; each letter, with the
// marks upon it, is a token, so that w letters make a shingle.
var soloScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// A glyph is all that the hot loop needs to know of a rune, in 32 bits: from the
// top 3 bytes of UTF-8 of its lower-case form, the first byte highest; their
// number in 4 bits; and its class in 4 bits.
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

// top returns the bytes as the beginning of a unit.
func (g glyph) top() uint64 { return uint64(g>>8) << 40 }

// glyphs holds every rune below 65,536: 256 KiB, made when the first text comes
// (5 ms).
var glyphs = sync.OnceValue(func() *[1 << 16]glyph {
	table := new([1 << 16]glyph)
	for r := range table {
		table[r] = newGlyph(rune(r))
	}
	return table
})

// classify gives the class of r, or its lower-case form if it is a letter or
// digit. It says what a token is; the tables only remember it.
func classify(r rune) rune {
	switch {
	case r == 0x00AD, r == 0x200C, r == 0x200D, r == 0x2060, r == 0xFEFF:
		return classSkip
	case r == 0x30FC, r == 0xFF70: // long vowel of kana: in no script's table
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
