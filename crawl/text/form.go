package text

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/lshclust/lshclust/internal/scratch"
)

// Form returns a text in the form in which words are compared, s itself if it has that form: composed (NFC), with
// full-width and half-width characters, ligatures and other presentation forms as plain characters, and without zero
// width spaces between letters of scripts that are written with spaces.
func Form(s []byte) []byte {
	if !mayChange(s) {
		return s
	}
	return appendForm(nil, s)
}

// unify puts the text from an offset on into one form; see [Form].
func (p *Parser) unify(from int) {
	if s := p.doc.Text[from:]; mayChange(s) {
		p.formed = appendForm(scratch.Grow(p.room, p.formed[:0], len(s)+len(s)/2), s)
		p.doc.Text = scratch.Append(p.room, p.doc.Text[:from], p.formed...)
	}
}

var zeroWidthSpace = []byte("\u200B")

// mayChange reports whether Form may change a text.
func mayChange(s []byte) bool {
	return aboveLatin(s) && (bytes.IndexByte(s, 0xEF) >= 0 || bytes.Contains(s, zeroWidthSpace) || !norm.NFC.IsNormal(s))
}

// aboveLatin reports whether a text has a character from U+0300 on, whose first byte is 0xCC or more. Characters below
// are in form.
func aboveLatin(s []byte) bool {
	for ; len(s) >= 8; s = s[8:] {
		if x := binary.LittleEndian.Uint64(s); x&highBits != 0 && isAboveLatin(x) {
			return true
		}
	}
	return isAboveLatin(load(s, 0))
}

// isAboveLatin is aboveLatin for the eight bytes of x.
func isAboveLatin(x uint64) bool { return x&(x<<1)&(x<<2|x<<3|x<<4&(x<<5))&highBits != 0 }

// appendForm appends the form of a text to dst.
func appendForm(dst, s []byte) []byte {
	from := len(dst)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRune(s[i:])
		switch {
		case presents(r):
			dst = append(dst, norm.NFKC.Bytes(s[i:i+n])...)
		case r == '\u200B' && isLetter(utf8.DecodeLastRune(dst[from:])) && isLetter(utf8.DecodeRune(s[i+n:])):
		default:
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
	if norm.NFC.IsNormal(dst[from:]) {
		return dst
	}
	return append(dst[:from], norm.NFC.Bytes(dst[from:])...)
}

// presents reports whether a character is only another presentation of others: a ligature, an Arabic form by position,
// a full-width or half-width character.
func presents(r rune) bool {
	return 0xFB00 <= r && r <= 0xFB17 || 0xFB50 <= r && r <= 0xFDFF || 0xFE70 <= r && r < 0xFEFF || 0xFF00 <= r && r <= 0xFFEF
}

// isLetter reports whether a character is a letter, or a mark on one, of a script with spaces.
func isLetter(r rune, _ int) bool {
	c := classOf(r)
	return c == letter || c == mark
}

// Plain returns a word in lower case without accents, points and other signs by which some spell it differently, for
// searches: "malmo" for "malmö", "strasse" for "straße", "احمد" for "أحمد".
func Plain(word string) string {
	if !strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return word
	}
	apart := norm.NFD.String(word)
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if 0x300 <= r && r <= 0x36F || 0x653 <= r && r <= 0x655 || r == 0x640 || unicode.Is(vowels, r) {
			return -1
		}
		return r
	}, plainLetters.Replace(apart)))
}

// plainLetters replaces letters that have no accents to take off.
var plainLetters = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ħ", "h", "ı", "i", "ŋ", "n",
	"ς", "σ", "ґ", "г", "ٱ", "ا", "ى", "ي", "ی", "ي", "ک", "ك", "ة", "ه", "’", "'")
