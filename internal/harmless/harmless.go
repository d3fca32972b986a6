// Package harmless makes text from outside (pages, headers, names of files, golds) fit to be shown.
//
// A terminal obeys control characters, and draws text in another order behind marks that turn the direction of writing;
// a spreadsheet runs cells that begin like a formula. The one rule: whatever comes from outside goes through Line
// or Cell before it is printed, or through JSON once it is encoded.
package harmless

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// clean is for strings.Map: characters that are obeyed and not drawn become spaces, those that take no room are left out.
// The joiners U+200C and U+200D stay, since words of Persian and Hindi are spelt with them.
func clean(r rune) rune {
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\u2028', r == '\u2029', r == unicode.ReplacementChar:
		return ' '
	case r == '\u200b', r == '\ufeff', r == '\u180e', r >= '\u2060' && r <= '\u206f', r >= '\ufff9' && r <= '\ufffb',
		r >= 0xe0000 && r <= 0xe007f:
		return -1
	}
	return r
}

// Line is s on one line, with one space between words.
func Line(s string) string { return strings.Join(strings.Fields(Cell(s)), " ") }

// Cell is s on one line, with its spaces.
func Cell(s string) string { return strings.Map(clean, s) }

// JSON writes what Cell changes, and encoding/json leaves as it is, as \u escapes: the value stays the same.
func JSON(encoded []byte) []byte {
	out := encoded[:0:0]
	done := 0
	for i, r := range string(encoded) {
		if r < 0x7f || r == unicode.ReplacementChar || clean(r) == r {
			continue
		}
		out = append(out, encoded[done:i]...)
		for _, unit := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, "\\u%04x", unit)
		}
		done = i + utf8.RuneLen(r)
	}
	if done == 0 {
		return encoded
	}
	return append(out, encoded[done:]...)
}

// formulas are what cells begin with that spreadsheets run, the wide forms too.
const formulas = "=+-@＝＋－＠"

// Formula puts an apostrophe before a cell that a spreadsheet would run.
func Formula(cell string) string {
	if text := strings.TrimLeft(cell, " \t\r\n"); text != "" && strings.ContainsRune(formulas, firstRune(text)) {
		return "'" + cell
	}
	return cell
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
