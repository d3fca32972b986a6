package shingles

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func wordsOf(text string, punct bool) []string {
	var words []string
	for _, w := range Words([]byte(text), punct) {
		words = append(words, string(w))
	}
	return words
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		text  string
		punct bool
		want  string // words with | between
	}{
		{"", false, ""},
		{" \n\t ", false, ""},
		{"A Rose is a ROSE.", false, "a|rose|is|a|rose"},
		{"A Rose, is", true, "a|rose|,|is"},
		{"x2 = 3.14 €", true, "x2|=|3|.|14|€"},
		{"don't snake_case", false, "don|t|snake|case"},
		{"Ĉu ÉTÉ Straße ΣΊΣΥΦΟΣ", false, "ĉu|été|straße|σίσυφοσ"},
		{"e\u0301te\u0301", false, "e\u0301te\u0301"},
		{"co\u00adope\u200drate", false, "cooperate"},
		{"☎\ufe0e a\ufe0fb \u200exy\u202c \U000e0100", false, "ab|xy"}, // selectors of variants, marks of direction
		{"我爱 Go1语言。", false, "我|爱|go1|语|言"},
		{"カタカナー", false, "カ|タ|カ|ナ|ー"},
		{"ที่นี่", false, "ที่|นี่"},
		{"abc中x", false, "abc|中|x"},
		{"a\xff\xfeb\xc3", false, "a|b"},
		{"a\x00b", false, "a|b"},
		{"\U00020000\U0001F600x", true, "\U00020000|\U0001F600|x"},
		{"한국어 텍스트", false, "한국어|텍스트"},
		{"١٢٣ अनुच्छेद", false, "١٢٣|अनुच्छेद"},
	} {
		if got := strings.Join(wordsOf(c.text, c.punct), "|"); got != c.want {
			t.Errorf("Words(%q, %t) = %s, want %s", c.text, c.punct, got, c.want)
		}
	}
}

func TestSpansCoverWords(t *testing.T) {
	text := []byte("  Ünder the\u00ad Bridge, 我们")
	var got []string
	for s := range Words(text, false) {
		got = append(got, string(text[s.Start:s.End]))
	}
	want := []string{"Ünder", "the", "Bridge", "我", "们"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// slowHashes is the definition: words, then their hashes.
func slowHashes(text []byte, punct bool) []uint64 {
	var out []uint64
	for _, w := range Words(text, punct) {
		out = append(out, hashRest(0, w, 0, len(w), 0))
	}
	return out
}

// morsels are pieces of text from which the tests make hard ones.
var morsels = []string{
	"a", "Rose", "is", "internationally", "12345678", "abcdefgh", "0", "Zz9", " ", "  ", "\n\n", ", ", ".", "-", "_", "@", "[", "`", "{", "/", ":",
	"é", "É", "ß", "Ж", "ж", "e\u0301", "\u0301", "\u00ad", "\u200d", "我", "们", "の", "ー", "ที่", "ထ", "한", "\U00020000", "\U0001F600", "€",
	"\xff", "\x80", "\xe4\xb8", "\xc3", "\xf0\x9f", "\xed\xa0\x80", "\x00", "\x7f",
}

func drawText(t *rapid.T) []byte {
	parts := rapid.SliceOfN(rapid.SampledFrom(morsels), 0, 60).Draw(t, "parts")
	return []byte(strings.Join(parts, ""))
}
