package text_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/scratch"
)

// manyWords returns a page with more distinct words than a small vocabulary holds: in several scripts, with
// apostrophes, soft hyphens, upper case, and each of them again later.
func manyWords() []byte {
	var b strings.Builder
	for range 2 {
		for i := range 12_000 {
			fmt.Fprintf(&b, "<p>Wort%d ÉTÉ%d l'été%d сло\u00adво%d Don’t%d 漢字%d col·lecció%d", i, i, i, i, i, i%100, i)
		}
	}
	return []byte(b.String())
}

// A vocabulary that is drained in the middle of a page gives every word the term that it has in a large one, and the
// same counts.
func TestBoundVocabulary(t *testing.T) {
	page := manyWords()
	for _, language := range []string{text.Auto, "french"} {
		var terms [2][]text.Word
		var counts [2]map[string]uint64
		for i, bytes := range []int64{1 << 40, 1} {
			v, err := text.NewVocabulary(text.Analysis{Language: language, Stem: true, Stop: "snowball"})
			if err != nil {
				t.Fatal(err)
			}
			counts[i] = map[string]uint64{}
			drains := 0
			drain := func() error {
				drains++
				return v.Drain(func(term bags.Term, word string, n uint64) error {
					counts[i][fmt.Sprintf("%x %s", term, word)] += n
					return nil
				})
			}
			v.Bound(bytes, drain)
			p := text.Parser{Vocabulary: v}
			terms[i] = slices.Clone(p.HTML(page).Words)
			if err := drain(); err != nil || v.Err() != nil {
				t.Fatal(err, v.Err())
			}
			if bytes == 1 && drains < 5 {
				t.Fatalf("drained %d times: the page tests nothing", drains)
			}
		}
		if !slices.Equal(terms[0], terms[1]) {
			t.Errorf("%s: other terms", language)
		}
		delete(counts[0], "")
		if !maps.Equal(counts[0], counts[1]) {
			for w, n := range counts[0] {
				if counts[1][w] != n {
					t.Errorf("%s: %s %d times, not %d", language, w, counts[1][w], n)
					break
				}
			}
			t.Errorf("%s: %d words, not %d", language, len(counts[1]), len(counts[0]))
		}
	}
}

func englishParser(t *testing.T) *text.Parser {
	t.Helper()
	v, err := text.NewVocabulary(text.Analysis{Language: "english", Stop: "none"})
	if err != nil {
		t.Fatal(err)
	}
	return &text.Parser{Vocabulary: v}
}

// A page whose buffers are files is read like one in memory.
func TestParserInFiles(t *testing.T) {
	var b strings.Builder
	b.WriteString("<title>" + strings.Repeat("very &amp; long ", 10_000) + "</title>")
	for i := range 20_000 {
		fmt.Fprintf(&b, "<h%d>Head &amp; %d</h1><a href=/%d>link &lt;%d</a> a b c ", i%6+1, i, i, i)
	}
	b.WriteString("<textarea>" + strings.Repeat("\x00&gt;", 50_000) + "</textarea><p " + strings.Repeat("a ", 50_000) + ">")
	page := []byte(b.String())
	plain, filed := englishParser(t), englishParser(t)
	room := scratch.New(t.TempDir(), 1).Pool()
	filed.Use(room)
	want, got := plain.HTML(page), filed.HTML(page)
	if !room.Large() {
		t.Fatal("no buffer is a file")
	}
	if string(want.Text) != string(got.Text) || string(want.Title) != string(got.Title) || !slices.Equal(want.Words, got.Words) ||
		!slices.Equal(want.Links, got.Links) || !slices.Equal(want.Heads, got.Heads) {
		t.Error("not the same")
	}
	if len(got.Title) != text.MaxTitle {
		t.Errorf("title of %d bytes", len(got.Title))
	}
	if filed.Release(); room.Large() {
		t.Error("still there")
	}
	if doc := filed.HTML(page[:1000]); string(doc.Title) != string(plain.HTML(page[:1000]).Title) {
		t.Error("the next page is another")
	}
}
