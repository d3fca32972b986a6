package main

import (
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
)

// TestCutURL checks that a URL that is cut keeps its host and its last segment, and either has the given width or is
// whole.
func TestCutURL(t *testing.T) {
	s := screen{terminal: true, columns: 80}
	for _, x := range []struct {
		url, want string
		n         int
	}{
		{"https://example.org/a/b.html", "https://example.org/a/b.html", 28},
		{"https://example.org/some/long/path/b.html", "https://example.org/some…/b.html", 32},
		{"https://example.org/some/long/path/b.html", "https://example.org/…/b.html", 28},
		{"https://example.org/some/long/path/b.html", "", 27},
		{"https://example.org/some/long/path/to/", "https://example.org/so…/to/", 27},
		{"https://a-host-without-a-path.example", "", 20},
		{"npm:@scope/a-package-of-some-length@1.2.3/LICENSE", "npm:@scope/a-p…/LICENSE", 23},
		{"https://example.org/日本語のとても長いページ/終", "https://example.org/日本…/終", 29},
	} {
		got := s.cutURL(x.url, x.n)
		if x.want == "" && got != x.url || x.want != "" && (got != x.want || runewidth.StringWidth(got) > x.n) {
			t.Errorf("cutURL(%q, %d) = %q; want %q", x.url, x.n, got, x.want)
		}
		if got := (screen{columns: 80}).cutURL(x.url, x.n); got != x.url {
			t.Errorf("in a pipe: cutURL(%q, %d) = %q", x.url, x.n, got)
		}
	}
}

// TestFitURLs checks that no two URLs of a list look the same, even if a cut would remove their difference.
func TestFitURLs(t *testing.T) {
	s := screen{terminal: true, columns: 80}
	urls := []string{
		"https://example.org/releases/13/docs/index.html", "https://example.org/releases/16/docs/index.html",
		"https://example.org/a/much/longer/way/to/other.html",
	}
	fit := s.fitURLs(urls, 32)
	if fit[0] != urls[0] || fit[1] != urls[1] {
		t.Errorf("URLs that would look the same: %q", fit)
	}
	if want := "https://example.org/a/…/other.html"; len([]rune(fit[2])) > 32 || !strings.HasSuffix(fit[2], "…/other.html") {
		t.Errorf("got %q, want something like %q", fit[2], want)
	}
}

// TestFold checks that text is folded between words and indented. In a pipe it is one line. Control characters become
// spaces everywhere.
func TestFold(t *testing.T) {
	const text = "one two three\nfour\x1b[31m five"
	var b strings.Builder
	screen{terminal: true, columns: 14}.fold(&b, text, 2, 4)
	if want := "  one two\n    three four\n    [31m five\n"; b.String() != want {
		t.Errorf("folded to\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	screen{columns: 14}.fold(&b, text, 2, 4)
	if want := "  one two three four [31m five\n"; b.String() != want {
		t.Errorf("in a pipe\n%swant\n%s", b.String(), want)
	}
}

// TestNarrowed checks that a table made for 80 columns is folded between words on a narrower screen; a line that fits
// keeps its columns.
func TestNarrowed(t *testing.T) {
	s := screen{terminal: true, columns: 20}
	for i, l := range strings.Split(s.narrowed(" "+strings.Repeat("word ", 12)+" "), "\n") {
		if indent := len(l) - len(strings.TrimLeft(l, " ")); len(l) > 20 || i > 0 && indent != 3 {
			t.Errorf("line %d of a long line: %q", i, l)
		}
	}
	for line, want := range map[string]string{
		"  name     1    2":                  "  name     1    2",
		"  a longer name      1    2      3": "  a longer name\n    1    2      3",
		"https://example.org/a-long-path":    "https://example.org/a-long-path",
	} {
		if got := s.narrowed(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
