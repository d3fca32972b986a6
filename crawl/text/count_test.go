package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/internal/ascii"
)

// sameCount fails if Count finds another number of words or another language than Plain.
func sameCount(t rapid.TB, s string) {
	t.Helper()
	for _, guessing := range []bool{true, false} {
		plain, counting := Parser{Guessing: guessing}, Parser{Guessing: guessing}
		want, got := plain.Plain([]byte(s)), counting.Count([]byte(s))
		if n := len(got.Words) + got.Counted; n != len(want.Words) || got.CutWords != want.CutWords || got.Language != want.Language {
			t.Fatalf("%q: %d words and %d more in %q, want %d, %d and %q", s, n, got.CutWords, got.Language, len(want.Words), want.CutWords, want.Language)
		}
		folded := func(text []byte) []string {
			return strings.FieldsFunc(string(text), func(c rune) bool { return c <= ' ' })
		}
		if d := cmp.Diff(folded(want.Text), folded(got.Text)); d != "" {
			t.Fatalf("%q: %s", s, d)
		}
		if plain.guess.words != counting.guess.words || !slices.Equal(plain.guess.found, counting.guess.found) {
			t.Fatalf("%q: the guesser met %d words, want %d", s, counting.guess.words, plain.guess.words)
		}
	}
}

func TestCount(t *testing.T) {
	for _, s := range []string{
		"", " ", "a", "The words of it, don't", "it's the cat's 'quoted' o'clock' 'x", "a1'b 1'2 x'1", "abcdefgh'i abcdefgh' abcdefghi'jk",
		strings.Repeat("x", MaxWord) + " " + strings.Repeat("x", MaxWord+1) + " of the", "of\x01the\x7fin\tto", "a\x00b of the", "été of the", "of the\xff",
		"one\n\ntwo\n\n\nthree", strings.Repeat("the quick brown fox of it ", 40),
	} {
		for from := range min(len(s), 9) {
			sameCount(t, s[from:])
		}
	}
	for w := range strings.FieldsSeq(languageWords) { // all function words, and words that begin with one
		if ascii.Is(w) {
			sameCount(t, w+" "+w+"s "+strings.ToUpper(w)+"-"+w+"somewhat")
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{"of", "the", "Abcdefg", "abcdefgh", "abcdefghij", "7", "'", "’", " ", "  ", ", ", "\n\n", "\x00", "é", "_", "~~~~~~~~~"}))
		sameCount(t, strings.Join(pieces.Draw(t, "pieces"), ""))
	})
}

// A text with more words than a Doc may have is counted only up to that number.
func TestCountTooManyWords(t *testing.T) {
	var p Parser
	if d := p.Count([]byte(strings.Repeat("a ", MaxWords+7))); d.Counted != MaxWords || d.CutWords != 7 || len(d.Words) != 0 {
		t.Errorf("%d words and %d more, %d of them listed", d.Counted, d.CutWords, len(d.Words))
	}
}
