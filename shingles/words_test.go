package shingles

import (
	"bytes"
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

func TestUnits(t *testing.T) {
	got := Units(nil, []byte("internationally"), true)
	want := []uint64{0x696e7465726e6174, 0x696f6e616c6c7900}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := Units(nil, []byte("a"), true); got[0] != 0x61<<56 {
		t.Errorf("a is %#x", got[0])
	}
	one, two := Units(nil, []byte("internationally"), false), Units(nil, []byte("internationalls"), false)
	if len(one) != 1 || len(two) != 1 || one[0] == two[0] {
		t.Errorf("one unit each: %#x, %#x", one, two)
	}
}

// slowTokens is the definition: words, then units.
func slowTokens(text []byte, punct, split bool) []uint64 {
	var units []uint64
	for _, w := range Words(text, punct) {
		units = Units(units, w, split)
	}
	return units
}

// fastTokens reads the text in pieces of at most the given size.
func fastTokens(t *Tokenizer, text []byte, piece, room int) []uint64 {
	var units []uint64
	dst := make([]uint64, room)
	for len(text) > 0 {
		part := text[:min(piece, len(text))]
		text = text[len(part):]
		for len(part) > 0 {
			n, read := t.Next(dst, part)
			units = append(units, dst[:n]...)
			part = part[read:]
		}
	}
	n := t.End(dst)
	return append(units, dst[:n]...)
}

// pieces of text from which the tests make hard ones.
var morsels = []string{
	"a", "Rose", "is", "internationally", "12345678", "abcdefgh", "0", "Zz9", " ", "  ", "\n\n", ", ", ".", "-", "_", "@", "[", "`", "{", "/", ":",
	"é", "É", "ß", "Ж", "ж", "e\u0301", "\u0301", "\u00ad", "\u200d", "我", "们", "の", "ー", "ที่", "ထ", "한", "\U00020000", "\U0001F600", "€",
	"\xff", "\x80", "\xe4\xb8", "\xc3", "\xf0\x9f", "\xed\xa0\x80", "\x00", "\x7f",
}

func drawText(t *rapid.T) []byte {
	parts := rapid.SliceOfN(rapid.SampledFrom(morsels), 0, 60).Draw(t, "parts")
	return []byte(strings.Join(parts, ""))
}

func TestTokenizerEqualsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		if rapid.Bool().Draw(t, "noise") {
			text = rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		}
		tok := Tokenizer{Punct: rapid.Bool().Draw(t, "punct"), Split: rapid.Bool().Draw(t, "split")}
		piece := rapid.IntRange(1, 100).Draw(t, "piece")
		room := rapid.IntRange(8, 20).Draw(t, "room")
		want := slowTokens(text, tok.Punct, tok.Split)
		for range 2 { // a second document must find nothing of the first
			if d := cmp.Diff(want, fastTokens(&tok, text, piece, room)); d != "" {
				t.Fatalf("%q: %s", text, d)
			}
		}
	})
}

func TestTokenizerWithoutRoom(t *testing.T) {
	var tok Tokenizer
	if n, read := tok.Next(make([]uint64, 7), []byte("rose")); n != 0 || read != 0 {
		t.Errorf("%d tokens, %d bytes", n, read)
	}
	tok.Next(make([]uint64, 8), []byte("rose"))
	if n := tok.End(nil); n != 0 {
		t.Errorf("%d tokens", n)
	}
	if got := fastTokens(&tok, []byte("is"), 2, 8); len(got) != 1 || got[0] != 0x6973<<48 {
		t.Errorf("after a lost token: %x", got)
	}
}

func FuzzTokenizer(f *testing.F) {
	for i := range morsels {
		f.Add([]byte(strings.Join(morsels[i:], "")), byte(i))
	}
	f.Fuzz(func(t *testing.T, text []byte, how byte) {
		tok := Tokenizer{Punct: how&1 == 1, Split: how&2 == 2}
		want := slowTokens(text, tok.Punct, tok.Split)
		got := fastTokens(&tok, text, 1+int(how>>2), 8)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%q: %s", text, d)
		}
	})
}

func TestCanonicalIsItsOwnCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, punct := drawText(t), rapid.Bool().Draw(t, "punct")
		once := Canonical(nil, text, punct)
		if twice := Canonical(nil, once, punct); !bytes.Equal(once, twice) {
			t.Fatalf("%q: %q, then %q", text, once, twice)
		}
	})
}
