package text

import "unicode"

// class says how a Splitter treats a character.
type class uint8

const (
	outside class = iota // separates words
	letter
	digit
	mark    // belongs to the character before it
	ignored // the same, but not part of the lower-case form
	joint   // belongs to a word if letters are on both sides
	glyph   // character of a script without spaces, except kana
	hiragana
	katakana
)

const geresh, gershayim = '\u05F3', '\u05F4' // of Hebrew

// form holds the properties of a character that matter for words.
type form struct {
	lower rune
	class class
}

// runes caches the forms of characters in blocks of 256. The tables of Unicode take two to three times as long.
type runes [256]*[256]form

func (t *runes) of(r rune) form {
	if r >= 1<<16 {
		return formOf(r)
	}
	block := t[r>>8]
	if block == nil {
		block = new([256]form)
		for i := range block {
			block[i] = formOf(r&^0xFF | rune(i))
		}
		t[r>>8] = block
	}
	return block[r&0xFF]
}

func formOf(r rune) form { return form{unicode.ToLower(r), classOf(r)} }

func classOf(r rune) class {
	switch {
	case unicode.IsLetter(r):
		return classOfLetter(r)
	case r < 0x80:
		return classOfASCII(r)
	case unicode.IsMark(r):
		if unicode.In(r, unicode.Variation_Selector, vowels) {
			return ignored
		}
		return mark
	case unicode.IsDigit(r):
		return digit
	case unicode.In(r, unicode.Nl, unicode.Han):
		if unicode.In(r, unspacedScripts...) {
			return glyph
		}
		return letter
	}
	return classOfSign(r)
}

// vowels are the points of Hebrew and Arabic, which most texts leave out.
var vowels = &unicode.RangeTable{R16: []unicode.Range16{
	{0x0591, 0x05BD, 1}, {0x05BF, 0x05BF, 1}, {0x05C1, 0x05C2, 1}, {0x05C4, 0x05C5, 1}, {0x05C7, 0x05C7, 1},
	{0x0610, 0x061A, 1}, {0x064B, 0x0652, 1}, {0x0670, 0x0670, 1}, {0x06D6, 0x06DC, 1}, {0x06DF, 0x06E4, 1}, {0x06E7, 0x06E8, 1}, {0x06EA, 0x06ED, 1},
}}

func classOfASCII(r rune) class {
	switch {
	case '0' <= r && r <= '9':
		return digit
	case r == '\'' || r == '"':
		return joint
	}
	return outside
}

func classOfLetter(r rune) class {
	switch {
	case r == '\u0640': // tatweel
		return ignored
	case r < 0x0E00:
		return letter
	case r == 'ー' || r == '\uFF70' || 0x3031 <= r && r <= 0x3035 || r == '\uFF9E' || r == '\uFF9F': // long vowels, repetition, and voiced sounds of kana
		return mark
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	case unicode.Is(unicode.Katakana, r):
		return katakana
	case unicode.In(r, unspacedScripts...):
		return glyph
	}
	return letter
}

// classOfSign returns the class of a character that is neither letter, mark nor digit.
func classOfSign(r rune) class {
	switch r {
	case '‘', '’', '＇', '·', '\u0387', '\u2027', geresh, gershayim:
		return joint
	case '\u200B': // zero width space
		return outside
	}
	switch {
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return outside
	case unicode.Is(unicode.Cf, r): // soft hyphen, joiners, direction marks
		return ignored
	case 0x1F3FB <= r && r <= 0x1F3FF: // skin tones
		return ignored
	}
	return outside
}

// unspacedScripts are the scripts whose text has no spaces between words, except kana.
var unspacedScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Ideographic, unicode.Thai, unicode.Lao, unicode.Myanmar, unicode.Khmer,
	unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet, unicode.Ahom,
}
