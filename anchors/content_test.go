package anchors

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/bags"
)

func TestContent(t *testing.T) {
	e := NewExtractor(Window{})
	for _, c := range []struct {
		html string
		want string // sorted
	}{
		{"", ""},
		{"<title>not these</title>the and of", ""},
		{"red green red", "green 1, red 2"},
		{"<h1>red</h1>green red <h2>blue <a href=x>green</a></h2> green", "blue 4, green 6, red 5"},
		{"red <a href=x>red</a>", "red 2"},
		{"<nav>green</nav>red<footer>blue <nav>green</nav> blue</footer>white", "red 1, white 1"},
		{"</nav>blue<h1>red <nav>green</nav></h1></footer>", "blue 1, red 4"},
		{"<nav>red</nav><h2>blue</h2><nav>green", "blue 4, green 1"}, // it has no end
		{"<nav>red</nav>", "red 1"},
		{"<div class='wide navheader'>red<div>green</div>red</div>blue<ul role=navigation>red</ul><div id=footer>red<footer>red</footer></div>", "blue 1"},
		{"<div class=footer-note>red</div><div id=canvas>blue</div>", "blue 1, red 1"},
		{"<div class=nav>red", "red 1"}, // it has no end
	} {
		doc, words := parse(t, c.html)
		content := e.Content(doc)
		if !slices.IsSortedFunc(content, func(a, b bags.Weighted) int { return int(a.Term>>1) - int(b.Term>>1) }) {
			t.Errorf("%s: not in order", c.html)
		}
		var got []string
		for _, x := range content {
			got = append(got, fmt.Sprintf("%s %d", words[x.Term], x.Weight/bags.Unit))
		}
		slices.Sort(got)
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s, want %s", c.html, s, c.want)
		}
	}
}

// TestContentOfLongPage: Content takes the most frequent terms of a long page, then those that come first, and
// considers only its beginning.
func TestContentOfLongPage(t *testing.T) {
	var b strings.Builder
	for i := range ContentWords {
		fmt.Fprintf(&b, "word%d ", i)
	}
	page := "last " + b.String() + strings.Repeat("late ", 1000)
	doc, words := parse(t, page)
	e := NewExtractor(Window{})
	for range 2 { // the second time with the table of the first
		got := e.Content(doc)
		if len(got) != ContentTerms {
			t.Fatalf("%d terms", len(got))
		}
		for _, x := range got {
			var n int
			if w := words[x.Term]; w != "last" {
				if _, err := fmt.Sscanf(w, "word%d", &n); err != nil || n >= ContentTerms-1 {
					t.Errorf("%q is kept", w)
				}
			}
		}
	}
	if size := len(e.tally.slots); size > 4*ContentWords {
		t.Errorf("%d slots", size)
	}
	doc, words = parse(t, b.String()[:100_000]+strings.Repeat("late late ", 100))
	if got := e.Content(doc); !slices.ContainsFunc(got, func(x bags.Weighted) bool { return words[x.Term] == "late" && x.Weight == 200*bags.Unit }) {
		t.Error("the most frequent term is not kept")
	}
}
