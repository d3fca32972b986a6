package shingles

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// hashesOf returns the hashes of the words of a text that a cutter finds.
func hashesOf(text []byte, punct bool) (hashes []uint64) {
	c := cutter{words: make([]uint64, batch), punct: punct}
	c.full = func() {
		hashes = append(hashes, c.words[:c.n]...)
		c.n = 0
	}
	c.add(text)
	c.full()
	return hashes
}

// checkCutter compares a cutter with the definition of words and hashes.
func checkCutter(t interface{ Fatalf(string, ...any) }, text []byte, punct bool) {
	if got, want := hashesOf(text, punct), slowHashes(text, punct); !slices.Equal(got, want) {
		t.Fatalf("%q, %t: %x, want %x", text, punct, got, want)
	}
}

func TestCutterEqualsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		if rapid.Bool().Draw(t, "noise") {
			text = rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		}
		checkCutter(t, text, rapid.Bool().Draw(t, "punct"))
	})
}

// Runes at the start of a word, within it, after a letter that takes only marks, and after separators, so that every
// class of rune occurs in every state.
func TestCutterOfRunes(t *testing.T) {
	cutRunes(t, func(r rune) bool { return r < 0x700 || r%17 == 0 })
}

func TestLongCutterOfRunes(t *testing.T) {
	cutRunes(t, func(r rune) bool { return r >= 0x700 && r%17 != 0 })
}

func cutRunes(t *testing.T, wanted func(r rune) bool) {
	for r := rune(0); r <= 0x10FFFF; r++ {
		if r >= 0x30000 && r < 0xE0000 || !wanted(r) { // the first are unassigned
			continue
		}
		c := string(r)
		text := []byte(c + "a" + c + "b我" + c + "x " + c + c + ", é" + c + ", ascii text")
		checkCutter(t, text, false)
		checkCutter(t, text, true)
	}
}

// A text of many pieces, with words, runes and separators across their borders.
func TestCutterOfManyPieces(t *testing.T) {
	for _, part := range []string{"a", "Rose is. ", " ", "!", "我", "é", "Ⱥ", "a\u0301", "\xff", "\U0001D400 ", "12345678", "x" + strings.Repeat("é", 4), "Internationally, é "} {
		for shift := range 17 {
			text := []byte(strings.Repeat("x", shift) + strings.Repeat(part, 3*canonicalPiece/len(part)))
			checkCutter(t, text, false)
			checkCutter(t, text, true)
		}
	}
}

func FuzzCutter(f *testing.F) {
	for i := range morsels {
		f.Add([]byte(strings.Join(morsels[i:], "")), i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, text []byte, punct bool) { checkCutter(t, text, punct) })
}

func TestSpreaderSorts(t *testing.T) {
	var s spreader
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 64).Draw(t, "bits")
		one := rapid.Uint64Range(0, ^uint64(0)>>(64-width))
		if rapid.Bool().Draw(t, "crowded") {
			one = rapid.OneOf(one, rapid.Uint64Range(0, 3), rapid.Just(^uint64(0)>>(64-width)))
		}
		values := rapid.SliceOfN(one, 0, 600).Draw(t, "values")
		if rapid.Bool().Draw(t, "many") { // on both sides of the bounds
			values = append(values, randomValues(7, 0, rapid.SampledFrom([]int{minSpread, 1000, maxSpread}).Draw(t, "n"))...)
		}
		want := slices.Sorted(slices.Values(values))
		if s.sort(values); !slices.Equal(values, want) {
			t.Fatalf("%d values of %d bits are not in order", len(want), width)
		}
	})
}
