package shingles

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// slowCanonical is the definition: the words with a space between them.
func slowCanonical(text []byte, punct bool) []byte {
	var words [][]byte
	for _, w := range Words(text, punct) {
		words = append(words, bytes.Clone(w))
	}
	return bytes.Join(words, []byte(" "))
}

// checkCanonical compares Canonical with its definition: in a buffer that has to grow, and after other bytes in one
// that is large enough. Canonical must not write beyond the bound.
func checkCanonical(t interface{ Fatalf(string, ...any) }, text []byte, punct bool) {
	want := slowCanonical(text, punct)
	if got := Canonical(nil, text, punct); !bytes.Equal(got, want) {
		t.Fatalf("Canonical(%q, %t) = %q, want %q", text, punct, got, want)
	}
	if again := Canonical(nil, want, punct); !bytes.Equal(again, want) {
		t.Fatalf("Canonical(%q, %t) = %q, not the same", want, punct, again)
	}
	if len(want) > 2*len(text) {
		t.Fatalf("Canonical(%q, %t) has %d bytes, more than twice %d", text, punct, len(want), len(text))
	}
	for _, before := range []string{"", " ", "x", "x "} {
		dst := append(make([]byte, 0, 2*len(text)+100), before...)
		if got := Canonical(dst, text, punct); string(got) != before+string(want) {
			t.Fatalf("Canonical behind %q: of %q, %t: %q, want %q", before, text, punct, got, before+string(want))
		}
	}
}

func TestCanonicalEqualsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		if rapid.Bool().Draw(t, "noise") {
			text = rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		}
		checkCanonical(t, text, rapid.Bool().Draw(t, "punct"))
	})
}

// Runes at the start of a word, within it, after a letter that takes only marks, and after separators, so that every
// class of rune occurs in every state.
func TestCanonicalOfRunes(t *testing.T) {
	canonicalOfRunes(t, func(r rune) bool { return r < 0x700 || r%17 == 0 })
}

func TestLongCanonicalOfRunes(t *testing.T) {
	canonicalOfRunes(t, func(r rune) bool { return r >= 0x700 && r%17 != 0 })
}

func canonicalOfRunes(t *testing.T, wanted func(r rune) bool) {
	for r := rune(0); r <= 0x10FFFF; r++ {
		if r >= 0x30000 && r < 0xE0000 || !wanted(r) { // the first are unassigned
			continue
		}
		c := string(r)
		text := []byte(c + "a" + c + "b我" + c + "x " + c + c + ", é" + c + ", ascii text")
		for _, punct := range []bool{false, true} {
			if got, want := Canonical(nil, text, punct), slowCanonical(text, punct); !bytes.Equal(got, want) {
				t.Fatalf("%U, %t: %q, want %q", r, punct, got, want)
			}
		}
	}
}

// A text of many pieces, with words, runes and separators across their borders.
func TestCanonicalOfManyPieces(t *testing.T) {
	for _, part := range []string{"a", "Rose is. ", " ", "!", "我", "é", "Ⱥ", "a\u0301", "\xff", "\U0001D400 ", "12345678", "x" + strings.Repeat("é", 4)} {
		for shift := range 9 {
			text := []byte(strings.Repeat("x", shift) + strings.Repeat(part, 3*canonicalPiece/len(part)))
			checkCanonical(t, text, false)
			checkCanonical(t, text, true)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for i := range morsels {
		f.Add([]byte(strings.Join(morsels[i:], "")), i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, text []byte, punct bool) { checkCanonical(t, text, punct) })
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
