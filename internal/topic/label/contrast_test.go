package label_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/topic/label"
)

// TestLabelAmong leaves out words of the siblings and words of the labels above, unless nothing else is left.
func TestLabelAmong(t *testing.T) {
	c := newCrawl(t, "",
		[]string{"[Vim] is a modal text editor", "try [vim], the modal text editor"},
		[]string{"[Helix] is a modal text editor", "try [helix], the modal text editor"},
		[]string{"[Kakoune] is a modal text editor", "try [kakoune], the modal text editor"})
	l, err := label.New(c.crawl, english)
	if err != nil {
		t.Fatal(err)
	}
	number := func(word string) uint32 { return c.numbers[c.voc.Term([]byte(word))] }
	common := func(term uint32) float64 {
		if term == number("text") || term == number("editor") {
			return 1
		}
		return 0
	}
	for _, test := range []struct {
		name string
		with label.Contrast
		want []string
	}{
		{"no siblings", label.Contrast{}, l.Label(c.members)},
		{"siblings of the same kind", label.Contrast{Share: common}, []string{"modal text editor"}},
		{"a label above", label.Contrast{Share: common, Above: []string{"text editor"}}, []string{"modal text editor"}},
		{"a label above that says most", label.Contrast{Share: common, Above: []string{"modal text editor"}}, []string{"try"}},
		{"siblings with the same words", label.Contrast{Share: func(uint32) float64 { return 1 }}, l.Label(c.members)},
	} {
		if got := l.LabelAmong(c.members, test.with); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if again := l.Label(c.members); !slices.Equal(again, l.LabelAmong(c.members, label.Contrast{})) {
		t.Errorf("a contrast changes the next label: %q", again)
	}
}

// TestLeastShare leaves out a word that few members have, unless no word has more.
func TestLeastShare(t *testing.T) {
	pages := [][]string{{"[Vim] is an editor with macros", "[vim], an editor"}, {"[Helix] is an editor", "[helix], an editor with macros"}}
	for _, other := range strings.Fields("kakoune emacs nano micro ed sam acme joe kate geany pico") {
		pages = append(pages, []string{"[" + other + "] is an editor", "[" + other + "], an editor"})
	}
	few := newCrawl(t, "", pages...)
	if got := few.label(few.members); !slices.Equal(got, []string{"editor"}) {
		t.Errorf("%q", got)
	}
	for i := range pages {
		for j, s := range pages[i] {
			pages[i][j] = strings.ReplaceAll(s, "editor", "thing"+strconv.Itoa(i))
		}
	}
	none := newCrawl(t, "", pages...)
	if got := none.label(none.members); !slices.Equal(got, []string{"macros"}) {
		t.Errorf("%q", got)
	}
}
