package anchors

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestQuote(t *testing.T) {
	many := strings.Repeat("word ", 100)
	for _, c := range []struct{ name, page, before, anchor, after string }{
		{"the sentence", "<p>no</p><p>See <a href=x>the manual</a> for more.</p><p>no</p>", "See", "the manual", "for more."},
		{"the first of several links", "One <a href=x>two</a> <a href=x>six</a> ten", "One", "two", "six ten"},
		{"words in markup", "a <b>bold</b> <a href=x>li<i>nk</i></a>s", "a bold", "link", "s"},
		{"alone in its block: the one behind", "<dl><dt><a href=x>initdb</a></dt><dd>makes a cluster</dd><dd>no</dd></dl>", "", "initdb", "makes a cluster"},
		{"alone at the end", "<p>no</p><a href=x>end</a>", "", "end", ""},
		{"empty anchor", "<p>before <a href=x></a> behind</p>", "before", "", "behind"},
		{"cut between words", many + "<a href=x>" + many + "</a>" + many,
			strings.TrimSpace(many[:120]), strings.TrimSpace(many[:120]), strings.TrimSpace(many[:120])},
		{"one long word", strings.Repeat("x", 500) + "<a href=x>" + strings.Repeat("é", 500) + "</a>" + strings.Repeat("z", 500),
			strings.Repeat("x", 120), strings.Repeat("é", 59), strings.Repeat("z", 119)},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, _ := parse(t, c.page)
			err := NewExtractor(Window{Width: 1, Damping: "none"}).Links(doc, hrefs(doc), func(f *Fragment) error {
				want, got := []string{c.before, c.anchor, c.after}, []string{string(f.Before), string(f.Anchor), string(f.After)}
				if d := cmp.Diff(want, got); d != "" {
					t.Error(d)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHeadAndTail: head and tail cut at the right end, never inside a character, and hardly more than they must.
func TestHeadAndTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "word", " ", "é", "中文", "\U0001F418", "longerword"})).Draw(t, "s"), "")
		n := rapid.IntRange(8, 60).Draw(t, "n")
		h, e := string(head([]byte(s), n)), string(tail([]byte(s), n))
		switch {
		case !strings.HasPrefix(s, h) || !strings.HasSuffix(s, e):
			t.Fatalf("%q and %q are not the ends of %q", h, e, s)
		case !utf8.ValidString(h) || !utf8.ValidString(e):
			t.Fatalf("half a character: %q, %q", h, e)
		case len(h) > n || len(e) > n:
			t.Fatalf("%d and %d bytes, more than %d", len(h), len(e), n)
		case len(s) <= n && (h != s || e != s):
			t.Fatalf("%q and %q: %q fits", h, e, s)
		case len(s) > n && (len(h) < n/2-utf8.UTFMax || len(e) < n/2-utf8.UTFMax):
			t.Fatalf("%q and %q of %q: less than half of %d bytes", h, e, s, n)
		}
	})
}
