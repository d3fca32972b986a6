package text

import (
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/markup"
)

// Every element is found in the table under its name, in either case.
func TestKinds(t *testing.T) {
	n := 0
	for k, names := range named {
		for _, name := range names {
			n++
			if kindOf(markup.NameOf(name)) != k || kindOf(markup.NameOf(strings.ToUpper(name))) != k {
				t.Errorf("%s has another kind than %d", name, k)
			}
		}
	}
	if n > len(kinds)/2 {
		t.Errorf("%d elements in a table of %d", n, len(kinds))
	}
	for _, name := range []string{"", "span", "wbr", "h7", "h1x", "x-y", "blockquotes", "a\x00", "tablet"} {
		if k := kindOf(markup.NameOf(name)); k != inline {
			t.Errorf("%q has kind %d", name, k)
		}
	}
}

func TestHeadingLevel(t *testing.T) {
	for name, want := range map[string]int{"h1": 1, "H6": 6, "h0": 0, "h7": 0, "hr": 0, "h": 0, "h11": 0, "g1": 0, "header": 0} {
		if got := headingLevel(markup.NameOf(name)); got != want {
			t.Errorf("%s: %d, not %d", name, got, want)
		}
	}
}
