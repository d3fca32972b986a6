package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes text from pages fit for a terminal: control characters become spaces.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || dropControl(r) == r {
			return r
		}
		return ' '
	}, s)
}

// dropControl maps control characters, and those that turn the direction of writing, to a space.
func dropControl(r rune) rune {
	if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar {
		return ' '
	}
	return r
}

// escapeControl writes the characters that a terminal obeys and that encoding/json leaves as they are (DEL, C1, those
// that turn the direction of writing) as \u escapes: the value is the same, and harmless.
func escapeControl(encoded []byte) []byte {
	out := encoded[:0:0]
	done := 0
	for i, r := range string(encoded) {
		if r < 0x7f || r == unicode.ReplacementChar || dropControl(r) == r {
			continue
		}
		out = fmt.Appendf(append(out, encoded[done:i]...), "\\u%04x", r)
		done = i + utf8.RuneLen(r)
	}
	if done == 0 {
		return encoded
	}
	return append(out, encoded[done:]...)
}
