package texts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// foldPages returns a text, a copy on another host, two edited versions, a page that contains it, and another text.
func foldPages() (pages []string) {
	text := make([]string, 6)
	for i := range text {
		text[i] = runtest.MadeWords(uint64(200+i), 60)
	}
	add := func(url, day string, paragraphs []string, links ...string) {
		pages = append(pages, runtest.SitePage(url, "", day, paragraphs, links...))
	}
	edited := slices.Clone(text)
	edited[0] = runtest.MadeWords(210, 60)
	again := slices.Clone(edited)
	again[5] = runtest.MadeWords(211, 60)
	var book []string
	for i := range 30 {
		book = append(book, runtest.MadeWords(uint64(220+i), 60))
	}
	add("https://a.example/text", "2020-01-01T00:00:00Z", text)
	add("https://b.example/copy", "2021-01-01T00:00:00Z", text)
	add("https://c.example/edited", "2023-01-01T00:00:00Z", edited)
	add("https://d.example/again", "2022-01-01T00:00:00Z", again)
	add("https://e.example/book", "", append(book, text...))
	add("https://f.example/other", "", []string{runtest.MadeWords(300, 300)}, "https://d.example/again", "https://gone.example/x")
	return pages
}

// folded formats a folded list: the ranks, with a relation for those that are folded.
func folded(t *testing.T, r *runs.Run, o FoldOptions, urls ...string) string {
	t.Helper()
	list, err := Fold(r, urls, o)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range list {
		s := fmt.Sprint(f.Rank - 1)
		if f.under >= 0 {
			s += fmt.Sprintf("<%d %s", f.under, f.Relation)
		}
		if f.under >= 0 && f.Under != urls[f.under] {
			t.Errorf("%+v is under %s", f, urls[f.under])
		}
		if f.Known != KnownPage {
			s += "?" + string(f.Known)
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// TestFold folds by rank, by date and by links, keeps the order, and does not touch unknown URLs.
func TestFold(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, config.DefaultPreset), foldPages())
	const a, b, c, d, book, other = "a.example/text", "https://b.example/copy", "https://c.example/edited", "https://d.example/again", "https://e.example/book", "https://f.example/other"
	for _, x := range []struct {
		name string
		o    FoldOptions
		urls []string
		want string
	}{
		{"by rank", FoldOptions{}, []string{other, a, c, "nowhere.example", b, d, "https://gone.example/x", a},
			"0, 1, 2<1 similar, 4<1 identical, 7<1 same, 3?nothing, 5, 6?links"},
		{"the edited one first", FoldOptions{}, []string{c, b, other, a, d}, "0, 1<0 similar, 3<0 similar, 4<0 similar, 2"},
		{"by date", FoldOptions{Keep: KeepDate}, []string{a, other, c, b}, "2, 0<2 similar, 3<2 similar, 1"},
		{"by links", FoldOptions{Keep: KeepLinks}, []string{other, a, c, d}, "0, 1, 3, 2<3 similar"},
		{"nearly equal only", FoldOptions{Min: 0.99}, []string{a, c, b}, "0, 2<0 identical, 1"},
		{"contained", FoldOptions{Contained: true}, []string{book, a, c}, "0, 1<0 contained, 2<0 contained"},
		{"the contained one first", FoldOptions{Contained: true}, []string{a, book}, "0, 1"},
		{"not contained", FoldOptions{}, []string{book, a}, "0, 1"},
		{"no URLs", FoldOptions{}, []string{"", "%%", "#"}, "0?nothing, 1?nothing, 2?nothing"},
		{"nothing", FoldOptions{}, nil, ""},
	} {
		got := folded(t, r, x.o, x.urls...)
		if got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
	list, err := Fold(r, []string{a, c}, FoldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	edited, err := Overlap(r, list[1].id, list[0].id)
	got := list[1]
	if err != nil || got.Resemblance != edited.Resemblance || got.ThisInOther != float64(edited.ThisInOther) || got.OtherInThis != float64(edited.OtherInThis) || got.URL != c || got.Relation != "similar" {
		t.Errorf("%+v, compared %+v %v", got, edited, err)
	}
	if _, err := Fold(r, []string{a}, FoldOptions{Keep: "luck"}); err == nil {
		t.Error("no error for an unknown way to choose")
	}
}

// TestFoldByHand compares Fold, on lists of pages of a generated site, with code that asks for the duplicates of
// every page.
func TestFoldByHand(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var pages []string
	for family := range 40 {
		for version := range 1 + random.IntN(6) {
			paragraphs := []string{runtest.MadeWords(uint64(1000+family), 120), runtest.MadeWords(uint64(2000+version%3), 20+40*random.IntN(2))}
			pages = append(pages, runtest.SitePage(fmt.Sprintf("https://h%d.example/%d", version, family), "", "", paragraphs))
		}
	}
	r := runtest.Opened(t, runtest.Preset(t, config.DefaultPreset), pages)
	for range 20 {
		var urls []string
		for _, id := range random.Perm(r.Len())[:r.Len()/2] {
			urls = append(urls, r.Document(uint32(id)).URL)
		}
		under := map[string]string{}
		var want []string
		for i, url := range urls {
			if _, folded := under[url]; folded {
				continue
			}
			want = append(want, url)
			id, _ := r.Lookup(url)
			similar, _, err := Duplicates(r, id, math.MaxInt)
			if err != nil {
				t.Fatal(err)
			}
			for _, later := range urls[i+1:] {
				at := slices.IndexFunc(similar, func(d Duplicate) bool {
					return d.URL == later && d.Relation != "chain" && d.Resemblance >= r.Config.Resemblance
				})
				if _, done := under[later]; at >= 0 && !done {
					under[later] = url
					want = append(want, later)
				}
			}
		}
		list, err := Fold(r, urls, FoldOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range list {
			got = append(got, f.URL)
			if f.Under != under[f.URL] {
				t.Errorf("%s is under %q, want %q", f.URL, f.Under, under[f.URL])
			}
		}
		if !slices.Equal(got, want) || len(under) < 10 {
			t.Fatalf("%q\nwant %q", got, want)
		}
	}
}

// TestFoldCaptures checks that in a run with all captures a plain URL is its newest one.
func TestFoldCaptures(t *testing.T) {
	c := runtest.Preset(t, config.DefaultPreset)
	c.Captures = config.CapturesAll
	text := []string{runtest.MadeWords(1, 100)}
	r := runtest.Opened(t, c, []string{
		runtest.SitePage("https://a.example/x", "", "2020-01-01T00:00:00Z", []string{runtest.MadeWords(2, 100)}),
		runtest.SitePage("https://a.example/x", "", "2021-01-01T00:00:00Z", text), runtest.SitePage("https://b.example/y", "", "2021-01-01T00:00:00Z", text),
	})
	if got := folded(t, r, FoldOptions{}, "https://a.example/x", "https://b.example/y", "https://a.example/x#2020"); got != "0, 1<0 identical, 2" && got != "0, 1<0 shingle, 2" && got != "0, 1<0 lexical, 2" {
		t.Error(got)
	}
}

// Rows with one URL and different texts are one page only if the list does not have the text of the run.
func TestFoldTexts(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, config.DefaultPreset), foldPages())
	const url = "https://a.example/text"
	id, err := r.LookupPage(url)
	if err != nil {
		t.Fatal(err)
	}
	digest := r.Docs.At(id).Digest
	for _, c := range []struct {
		digests []uint64
		want    string
	}{
		{nil, "0, 1<0 same, 2<0 same"},
		{[]uint64{5, 6, 7}, "0, 1<0 same, 2<0 same"},
		{[]uint64{digest, digest, 7}, "0, 1<0 same, 2?nothing"},
		{[]uint64{5, digest, 0}, "0?nothing, 1, 2<1 same"},
	} {
		if got := folded(t, r, FoldOptions{Digests: c.digests}, url, url, url); got != c.want {
			t.Errorf("%v: %s, want %s", c.digests, got, c.want)
		}
	}
}
