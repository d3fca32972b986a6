package shingles

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// What a rune does to the token that is being read. Any entry above classMark
// is the lower-case form of a letter or digit.
const (
	classBreak  = iota // ends the token: space, control, anything unknown
	classPunct         // ends the token; a token of its own if punctuation is kept
	classSolo          // ends the token and starts one of its own: scripts without spaces
	classSkip          // is left out without ending the token: soft hyphen, joiners
	classMark          // belongs to the token before it, whatever that is
	classLetter        // the lowest lower-case form is '0'
)

// soloScripts are written without spaces between words; each letter, with the
// marks upon it, is a token, so that w letters make a shingle.
var soloScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// asciiLower holds the lower-case form of ASCII letters and digits, else 0;
// asciiOther the class of the others.
var asciiLower, asciiOther = asciiTables()

func asciiTables() (lower, other [utf8.RuneSelf]byte) {
	for c := range lower {
		if class := classify(rune(c)); class >= classLetter {
			lower[c] = byte(class)
		} else {
			other[c] = byte(class)
		}
	}
	return lower, other
}

// planeZero holds classify of every rune below 65,536; 128 KiB, made when the
// first text that is not ASCII comes (about 20 ms).
var planeZero = sync.OnceValue(func() *[1 << 16]uint16 {
	table := new([1 << 16]uint16)
	for r := range table {
		table[r] = uint16(classify(rune(r)))
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
