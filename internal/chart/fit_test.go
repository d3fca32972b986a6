package chart

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFit(t *testing.T) {
	for _, s := range []string{"", "short", strings.Repeat("long ", 50), strings.Repeat("界", 40), "a\nb\x00c", "\xff\xfe"} {
		got := fitted(s, 12, 100)
		width := wide(got, 12)
		if width > 100 || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\x00") {
			t.Errorf("%q: %q is %v wide", s, got, width)
		}
		if cut := strings.HasSuffix(got, "…"); cut != (wide(clean(s), 12) > 100) {
			t.Errorf("%q: %q", s, got)
		}
	}
}
