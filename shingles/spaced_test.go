package shingles

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The shingles of a canonical text are those of the text.
func TestSketchCanonical(t *testing.T) {
	long := strings.Repeat("longer", 1000)
	words := []string{
		"a", "word", "seventh", "eighteen", "ninetieth", "sixteen letters.", "größer", "Čísla", "日本語", "ไทย", "ab\u00adcd", "\xff", "e\u0301", "\u0301",
		"don't", "1,234", "𝒳yz", "İstanbul", "...", long, "\x00", "über-mäßig-lange-Wörter-mit-Umlauten", strings.Repeat("x", 4096),
	}
	for _, c := range []Config{{W: 3}, {W: 1}, {W: 2, Punct: true}, {W: 3, Option: OptionA}, {W: 700}} {
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		var canonical []byte
		check := func(t interface{ Fatalf(string, ...any) }, text []byte) {
			var want, got collector
			for v := range s.Locate(text) {
				want = append(want, v)
			}
			canonical = Canonical(canonical[:0], text, c.Punct)
			if m := s.SketchCanonical(&got, canonical); m != len(want) || !slices.Equal(got, want) {
				t.Fatalf("%+v, %q: %d shingles, want %d, or others", c, text, m, len(want))
			}
		}
		rapid.Check(t, func(t *rapid.T) {
			list := rapid.SliceOfN(rapid.SampledFrom(words), 0, 40).Draw(t, "words")
			check(t, []byte(strings.Join(list, rapid.SampledFrom([]string{" ", "", "  \n", ", "}).Draw(t, "between"))))
			check(t, rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		})
		check(t, bytes.Repeat([]byte("A few words, and more of them than a batch holds. "), 300))
		check(t, mixedProse(1<<16))
	}
}
