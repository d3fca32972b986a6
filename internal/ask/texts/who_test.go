package texts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/shingles"
)

// DefaultWho holds the options of most tests.
var DefaultWho = WhoOptions{By: "host", Min: 0.2, Words: 30, Limit: 20, Pages: 5, Passages: 2}

// whoText is a text of paragraphs of 60 words, as lines.
func whoText(paragraphs ...uint64) string {
	var out []string
	for _, p := range paragraphs {
		out = append(out, runtest.MadeWords(p, 60))
	}
	return strings.Join(out, "\n")
}

// whoPages are pages with all of whoText(1, 2, 3, 4), a paragraph of it, a sentence, and nothing.
func whoPages() (pages []string) {
	add := func(url, day string, paragraphs ...string) {
		pages = append(pages, runtest.SitePage(url, "", day, paragraphs))
	}
	all := []string{runtest.MadeWords(1, 60), runtest.MadeWords(2, 60), runtest.MadeWords(3, 60), runtest.MadeWords(4, 60)}
	add("https://a.example/original", "2020-01-01T00:00:00Z", all...)
	add("https://a.example/copy", "2019-01-01T00:00:00Z", all...)
	add("https://a.example/another-copy", "2021-01-01T00:00:00Z", all...)
	add("https://b.example/mirror", "", all...)
	add("https://c.example/paragraph", "2022-01-01T00:00:00Z", runtest.MadeWords(70, 300), runtest.MadeWords(2, 60), runtest.MadeWords(71, 300))
	add("https://c.example/sentence", "2022-01-01T00:00:00Z", runtest.MadeWords(72, 300), runtest.MadeWords(3, 14), runtest.MadeWords(73, 300))
	add("https://d.example/nothing", "2022-01-01T00:00:00Z", runtest.MadeWords(74, 300))
	return pages
}

// TestWho finds copies, a paragraph and its place, but neither a sentence nor a page with another text.
func TestWho(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, config.DefaultPreset), whoPages())
	text := whoText(1, 2, 3, 4)
	who, err := Who(r, []byte(text), DefaultWho)
	if err != nil || r.Err() != nil {
		t.Fatal(err, r.Err())
	}
	var got []string
	for _, p := range who.Items {
		got = append(got, fmt.Sprintf("%s %s %s +%d %d passages", p.Host, p.URL, p.Relation, p.Copies, len(p.Passages)))
	}
	want := []string{
		"a.example https://a.example/copy shingle +2 1 passages", "b.example https://b.example/mirror shingle +0 1 passages",
		"c.example https://c.example/paragraph contained +0 1 passages",
	}
	want[2] = strings.Replace(want[2], "contained", who.Items[2].Relation, 1)
	if !slices.Equal(got, want) || who.Hosts != 3 || who.Texts != 3 || who.Copies != 2 || !who.Certainty.Exact() {
		t.Fatalf("%+v\n%q", who, got)
	}
	a, c := who.Items[0], who.Items[2]
	if year := func(t time.Time) int { return t.Year() }; year(a.From) != 2019 || year(a.To) != 2021 || !who.Items[1].From.IsZero() {
		t.Errorf("fetched from %v to %v, and at %v", a.From, a.To, who.Items[1].From)
	}
	if p := c.Passages[0]; p.Text != runtest.MadeWords(2, 60) || text[p.start:p.end] != p.Text || p.Words != 60 {
		t.Errorf("%+v", p)
	}
	pages, err := Who(r, []byte(text), WhoOptions{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	d := pages.Items
	i := slices.IndexFunc(d, func(d Holder) bool { return d.URL == c.URL })
	if i < 0 || d[i].figures != c.figures || len(d) != 6 || c.ThisInOther == 0 || c.ThisInOther > 0.3 || c.Shared != 51 {
		t.Errorf("%+v, query says %+v", c, d)
	}
	if all, err := Who(r, []byte(text), WhoOptions{By: "host", Words: 12}); err != nil || all.Texts != 4 {
		t.Errorf("with 12 words in a row: %+v %v", all, err)
	}
	if one, err := Who(r, []byte(text), WhoOptions{By: "host", Min: 0.9, Words: 1000, Limit: 1, Pages: 1}); err != nil || len(one.Items) != 1 || one.Hosts != 2 {
		t.Errorf("%+v %v", one, err)
	}
}

// similar returns the pages that are similar to a document.
func similar(t *testing.T, r *runs.Run, document *shingles.Set, least float64) []Holder {
	t.Helper()
	found, err := holdersOf(r, sketchOf(r, document), nil, tables.None, WhoOptions{Min: least})
	if err != nil {
		t.Fatal(err)
	}
	return found.Items
}

// TestWhoHas asks about a page of the run, with its text and without.
func TestWhoHas(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, config.DefaultPreset), whoPages())
	id, err := r.Lookup("https://a.example/original")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := runs.ReadPages(t.Context(), r, id)
	if err != nil {
		t.Fatal(err)
	}
	text, err := runs.VisibleText(r, &pages[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, with := range [][]byte{text, nil} {
		who, err := WhoHas(r, id, with, DefaultWho)
		if err != nil || who.Texts != 3 || who.Copies != 1 || who.Items[0].Host != "a.example" {
			t.Fatalf("%+v %v", who, err)
		}
		passages := 0
		for _, p := range who.Items {
			passages += len(p.Passages)
			if p.URL == "https://a.example/original" {
				t.Error("the page itself is listed")
			}
		}
		if (passages == 3) != (with != nil) {
			t.Errorf("%d passages with a text of %d bytes", passages, len(with))
		}
	}
	if _, err := WhoHas(r, uint32(r.Len()), nil, DefaultWho); err == nil {
		t.Error("no error for a document that is not there")
	}
}

// TestWhoSketches checks that a run that keeps sketches finds the same hosts, with estimates.
func TestWhoSketches(t *testing.T) {
	c := runtest.Preset(t, config.DefaultPreset)
	c.Sketch, c.Modulus = "mod", 4
	r := runtest.Opened(t, c, whoPages())
	who, err := Who(r, []byte(whoText(1, 2, 3, 4)), DefaultWho)
	if err != nil || who.Hosts != 3 || who.Certainty.Sketches == "" {
		t.Fatalf("%+v %v", who, err)
	}
	for _, d := range who.Items {
		if !d.figures.Estimated || d.Samples == 0 || len(d.Passages) == 0 {
			t.Errorf("%+v", d)
		}
	}
}

// TestWhoNothing asks with empty texts.
func TestWhoNothing(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, config.DefaultPreset), whoPages())
	for _, text := range []string{"", " \n", "\xff\xfe", "!!!", runtest.MadeWords(99, 50)} {
		if who, err := Who(r, []byte(text), DefaultWho); err != nil || len(who.Items) != 0 {
			t.Errorf("%q: %+v %v", text, who, err)
		}
	}
}

// TestPassages checks that the passages of a text are the parts that brute force marks, whatever the text repeats.
func TestPassages(t *testing.T) {
	s, err := shingles.New(shingles.Config{W: 4})
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("one two three four five, one two three four six seven eight nine ten one two three four five")
	l := locate(s, text)
	for _, other := range []string{"one two three four", "five one two three four six", "ten one two three four five six", "nothing of it at all", ""} {
		set := shingles.NewSet()
		s.Sketch(set, []byte(other))
		marked := make([]bool, len(text))
		for v, span := range s.Locate(text) {
			for i := span.Start; i < span.End && slices.Contains(set.Values(), v); i++ {
				marked[i] = true
			}
		}
		got := make([]bool, len(text))
		for _, p := range l.passages(set.Values()) {
			for i := p.start; i < p.end; i++ {
				got[i] = true
			}
		}
		if !slices.Equal(got, marked) {
			t.Errorf("%q: %v", other, l.passages(set.Values()))
		}
	}
}
