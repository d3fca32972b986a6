package text

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// A text in any normal form has the words of the composed one, and so have texts with presentation forms.
func TestOneForm(t *testing.T) {
	p := auto(t)
	words := func(s string) string {
		d := p.HTML([]byte("<title>" + s + "</title><p>" + s))
		var out []string
		for _, w := range d.Words {
			out = append(out, string(d.Text[w.From:w.To]))
		}
		return string(d.Title) + "|" + strings.Join(out, "|")
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`([a-z]{1,9} |[à-ẽ]{1,5}|[가-힣]{1,4} |[ά-ώ]{1,5}|[آ-ي]{1,5} |[が-ポ]{1,5}|[ก-ู]{1,4} ){1,9}`).Draw(t, "text")
		want := words(norm.NFC.String(s))
		for _, f := range []norm.Form{norm.NFD, norm.NFC} {
			if got := words(f.String(s)); got != want {
				t.Errorf("%q: %q, want %q", f.String(s), got, want)
			}
		}
	})
	for a, b := range map[string]string{
		"ﬁne oﬃce": "fine office", "ＦＵＬＬ　ｗｉｄｔｈ １２": "FULL　width 12", "ﾃﾞｰﾀ": "データ", "ﻣﺤﻤﺪ ﷲ": "محمد الله", "zero\u200Bwidth": "zerowidth", "שׁלום": "ש\u05C1לום",
	} {
		if got, want := words(a), words(b); got != want {
			t.Errorf("%q: %q, want %q", a, got, want)
		}
	}
}

// Form changes nothing twice, and leaves ASCII and bytes that are not UTF-8 alone.
func TestFormIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := []byte(rapid.String().Draw(t, "text"))
		if rapid.Bool().Draw(t, "bytes") {
			s = rapid.SliceOf(rapid.Byte()).Draw(t, "text")
		}
		once := Form(bytes.Clone(s))
		if twice := Form(bytes.Clone(once)); !bytes.Equal(once, twice) {
			t.Fatalf("%q: %q, then %q", s, once, twice)
		}
		if !aboveLatin(s) && !bytes.Equal(s, once) {
			t.Fatalf("%q becomes %q", s, once)
		}
		above := false
		for _, c := range s {
			above = above || c >= 0xCC
		}
		if aboveLatin(s) != above {
			t.Fatalf("%q: above Latin: %t", s, !above)
		}
	})
}

func TestPlain(t *testing.T) {
	for word, want := range map[string]string{
		"plain": "plain", "malmö": "malmo", "łódź": "lodz", "straße": "strasse", "أحمد": "احمد", "مُحَمَّد": "محمد", "שָׁלוֹם": "שלום", "ёлка": "елка", "λόγος": "λογοσ",
		"việt": "viet", "が": "が", "한글": "한글", "ไทย": "ไทย", "हिन्दी": "हिन्दी",
	} {
		if got := Plain(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
