package text

import "testing"

func TestElements(t *testing.T) {
	for k, names := range named {
		for _, name := range names {
			if got := elementOf([]byte(name)).kind; got != k {
				t.Errorf("%s has kind %d, not %d", name, got, k)
			}
		}
	}
	for _, name := range []string{"", "span", "wbr", "h7", "h1x", "x-y", "blockquotes", "a\x00", "tablet"} {
		if k := elementOf([]byte(name)).kind; k != inline {
			t.Errorf("%q has kind %d", name, k)
		}
	}
	for name, want := range map[string]int{"h1": 1, "h6": 6, "h7": 0, "hr": 0, "header": 0} {
		if got := elementOf([]byte(name)).level; got != want {
			t.Errorf("%s: level %d, not %d", name, got, want)
		}
	}
}
