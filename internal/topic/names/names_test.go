package names

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"Rust-Lang": "rustlang", " rust lang ": "rustlang", "node.js": "nodejs", "C++": "c++", "#C#": "c#", "": "", " – ": "",
		"Ёлка №1": "ёлка1", "日本語": "日本語", "Ubuntu 24.04": "ubuntu2404", "a\xffb": "ab", "नमस्ते": "नमस्ते",
	} {
		if got := Of(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestHost(t *testing.T) {
	for host, want := range map[string]struct {
		label string
		main  bool
	}{
		"www.sqlite.org": {"sqlite", true}, "docs.python.org": {"python", false}, "rust-lang.org": {"rustlang", true}, "bbc.co.uk": {"bbc", true},
		"news.bbc.co.uk": {"bbc", false}, "jekyll.github.io": {"jekyll", true}, "github.io": {"github", true}, "t.co": {"t", true}, "xn--80ak6aa92e.com": {"аррӏе", true}, "co.uk": {"co", true},
		"localhost": {"localhost", true}, "a.example:8080": {"a", true}, "127.0.0.1": {"", false}, "[::1]:80": {"", false}, "": {"", true},
	} {
		if label, main := Host(host); label != want.label || main != want.main {
			t.Errorf("%s: %q, %v", host, label, main)
		}
	}
}

func TestParts(t *testing.T) {
	if got := Parts("Home - SQLite | Docs: a-b"); !slices.Equal(got, []string{"Home", "SQLite ", " Docs", "a-b"}) {
		t.Errorf("%q", got)
	}
}

// found returns the names that match, with a letter for the kind.
func found(x *Index, name string) (out []string) {
	x.Each(name, func(m Match) { out = append(out, m.Kind.String()[:1]+" "+m.Name) })
	return out
}

func TestEach(t *testing.T) {
	var b Builder
	for i, name := range []string{"sqlite", "sqlite3", "sqlitebrowser", "slite", "vim", "vi", "日本語", "日本誌", "日本", "ёлка", "елка", "", strings.Repeat("x", Longest+1)} {
		b.Add(name, uint32(i), 1)
	}
	x := b.Index()
	if x.Len() != 11 {
		t.Errorf("%d names", x.Len())
	}
	for asked, want := range map[string][]string{
		"sqlite": {"w sqlite", "t slite", "t sqlite3", "b sqlite3", "b sqlitebrowser"}, "sqilte": {"t sqlite"}, "sqlitee": {"t sqlite", "t sqlite3"},
		"qlite": {"t slite", "t sqlite"}, "vim": {"w vim"}, "vi": {"w vi"}, "vmi": nil, "日本語": {"w 日本語"}, "елка": {"w елка", "t ёлка"}, "zzzz": nil,
	} {
		if got := found(x, asked); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", asked, got, want)
		}
	}
	if got := found((&Builder{}).Index(), "sqlite"); got != nil {
		t.Errorf("%q", got)
	}
}

// TestHeld checks the order and the number of the documents of a name.
func TestHeld(t *testing.T) {
	var b Builder
	for id := range uint32(2 * MostDocuments) {
		b.Add("name", id, float32(id/2))
	}
	b.Index().Each("name", func(m Match) {
		if len(m.Held) != MostDocuments || m.Held[0] != (Held{62, 31}) || m.Held[1] != (Held{63, 31}) || m.Held[2].ID != 60 {
			t.Errorf("%v", m)
		}
	})
}

// TestTypos compares with an edit distance over all names, in two scripts.
func TestTypos(t *testing.T) {
	name := rapid.StringOfN(rapid.SampledFrom([]rune("abж本")), 1, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfDistinct(name, rapid.ID).Draw(t, "names")
		var b Builder
		for i, n := range all {
			b.Add(n, uint32(i), 1)
		}
		asked := name.Draw(t, "asked")
		var want, got []string
		for _, n := range all {
			if utf8.RuneCountInString(asked) >= leastTypo && n != asked && oneTypo([]rune(asked), []rune(n)) {
				want = append(want, n)
			}
		}
		b.Index().Each(asked, func(m Match) {
			if m.Kind == Typo {
				got = append(got, m.Name)
			}
		})
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%q among %q: %q, want %q", asked, all, got, want)
		}
	})
}

// oneTypo reports whether two names differ by one letter, or by two neighbours that are swapped.
func oneTypo(a, b []rune) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
