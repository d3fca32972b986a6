// Package harmless makes text from outside (pages, headers, file names, golds) safe to print.
//
// Terminals obey control characters, and marks that change the direction of writing reorder text. Spreadsheets run
// cells that look like formulas. Everything that comes from outside must pass through Line or Cell before it is
// printed, or, once it is encoded as JSON, through JSON.
package harmless

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// clean is a mapping for strings.Map. Control characters become spaces, and invisible characters are removed. The
// joiners U+200C and U+200D stay, because words of Persian and Hindi are spelt with them.
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

// Line returns s as one line, with one space between words.
func Line(s string) string { return strings.Join(strings.Fields(Cell(s)), " ") }

// mostMarks is the number of marks on one letter that are kept. No language needs more, and a hundred of them draw over
// the lines above and below.
const mostMarks = 6

// Cell returns s as one line, with its spaces.
func Cell(s string) string {
	marks := 0
	return strings.Map(func(r rune) rune {
		if r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me) {
			if marks++; marks > mostMarks {
				return -1
			}
		} else {
			marks = 0
		}
		return clean(r)
	}, s)
}

// JSON replaces by \u escapes the characters that Cell changes in any place and that encoding/json leaves as they are. The
// value stays the same.
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

// formulas are the characters that begin a formula in a spreadsheet, in their wide forms too.
const formulas = "=+-@＝＋－＠"

// Formula puts an apostrophe in front of a cell that a spreadsheet would run.
func Formula(cell string) string {
	if i := strings.IndexAny(strings.TrimLeft(cell, " \t\r\n"), formulas); i == 0 {
		return "'" + cell
	}
	return cell
}
