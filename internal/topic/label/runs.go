package label

import (
	"unicode"
	"unicode/utf8"
)

// longestRun is the number of characters by which wholeRuns widens a phrase on one side.
const longestRun = 12

// wholeRuns widens text[from:to] so that it neither begins nor ends inside a run of katakana, and so that no single Han
// character at an end is without its neighbours: words of two characters overlap, so they cut Japanese anywhere.
func wholeRuns(text []byte, from, to int32) (int32, int32) {
	first, n := utf8.DecodeRune(text[from:to])
	second, _ := utf8.DecodeRune(text[from+int32(n) : to])
	for i := 0; i < longestRun; i++ {
		before, size := utf8.DecodeLastRune(text[:from])
		if !runsOn(before, first, second) {
			break
		}
		from -= int32(size)
	}
	last, n := utf8.DecodeLastRune(text[from:to])
	prior, _ := utf8.DecodeLastRune(text[from : to-int32(n)])
	for i := 0; i < longestRun; i++ {
		after, size := utf8.DecodeRune(text[to:])
		if !runsOn(after, last, prior) {
			break
		}
		to += int32(size)
	}
	return from, to
}

// runsOn reports whether a character outside a phrase belongs to the one at its end, given that one's neighbour inside.
func runsOn(outside, end, inside rune) bool {
	if isKatakana(end) {
		return isKatakana(outside)
	}
	return isKatakana(inside) && unicode.Is(unicode.Han, end) && unicode.Is(unicode.Han, outside)
}

func isKatakana(r rune) bool { return r == 'ー' || unicode.Is(unicode.Katakana, r) }

// isCut reports whether a word is two characters of katakana, which are rarely a word.
func isCut(word string) bool {
	for _, r := range word {
		if !isKatakana(r) {
			return false
		}
	}
	return utf8.RuneCountInString(word) == 2
}
