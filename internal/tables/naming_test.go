package tables

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/topic/names"
)

// TestNaming names documents by a title, by a link whose text no other document has, and by the words before a link whose
// text many have; a page that asks not to be indexed does not name others.
func TestNaming(t *testing.T) {
	docs, evidence := filepath.Join(t.TempDir(), DocumentsFile), filepath.Join(t.TempDir(), EvidenceFile)
	var all []anchors.Group
	add := func(url, title string, q ...anchors.Quote) {
		all = append(all, anchors.Group{Hash: Hash(url), URL: []byte(url), Page: anchors.Page{Title: []byte(title), NoIndex: title == "hidden"}, Evidence: q})
	}
	says := func(source, before, text string) anchors.Quote {
		return anchors.Quote{Source: Hash(source), Before: []byte(before), Anchor: []byte(text)}
	}
	for i := range leastCommon {
		add(fmt.Sprintf("https://many.example/%d", i), "", says("https://a.example/", "", "Lookup"), says("https://b.example/", "", "lookup"))
	}
	for i := range leastCommon {
		add(fmt.Sprintf("https://manual.example/%d", i), fmt.Sprintf("Chapter %d — The manual", i))
		add(fmt.Sprintf("https://forum.example/%d", i), "A question | Board")
		add(fmt.Sprintf("https://forum.example/old/%d", i), "A question | Old board")
		add(fmt.Sprintf("https://forum.example/plain/%d", i), "A question")
	}
	add("https://manual.example/", "The manual")
	add("https://other.example/", "Orchards — The manual")
	add("https://a.example/orchard", "", says("https://a.example/", "Growing pears (", "Lookup"))
	add("https://b.example/orchard", "", says("https://a.example/", "", "Apples"), says("https://hidden.example/", "", "Plums"), says("https://hidden.example/2", "", "Plums"))
	add("https://c.example/", "Quinces", says("https://a.example/", "", "Plums"))
	add("https://hidden.example/", "hidden")
	add("https://hidden.example/2", "hidden")
	slices.SortFunc(all, func(a, b anchors.Group) int { return cmp.Compare(a.Hash, b.Hash) })
	w := CreateDocuments(docs, evidence)
	for i := range all {
		w.Add(&all[i])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDocuments(docs)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	e, err := OpenEvidence(evidence)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if !e.Common("lookup") || e.Common("plums") {
		t.Errorf("common: lookup %t, plums %t", e.Common("lookup"), e.Common("plums"))
	}
	for url, want := range map[string]string{
		"https://a.example/orchard": "Growing pears", "https://b.example/orchard": "Apples", "https://c.example/": "Quinces", "https://many.example/3": "many.example",
		"https://manual.example/3": "Chapter 3", "https://manual.example/": "The manual", "https://other.example/": "Orchards — The manual",
		"https://forum.example/3": "A question | Board", // a third of the titles of the host
	} {
		id, _ := d.Find(url)
		if got := (Naming{d, e}).Of(id); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

// TestTextsAreBounded checks that a counter that drops rare texts still finds the common ones.
func TestTextsAreBounded(t *testing.T) {
	var c texts
	for i := range 3 * mostCounted {
		c.add(fmt.Sprintf("https://a.example/%d", i), fmt.Sprintf("Page %d - Part %d - A site", i, i), []anchors.Quote{{Anchor: fmt.Appendf(nil, "n%d", i)}, {Anchor: fmt.Appendf(nil, "common %d", i%8)}})
		if len(c.count) > mostCounted {
			t.Fatalf("%d texts are counted", len(c.count))
		}
	}
	got := c.common()
	for i := range 8 {
		if _, ok := slices.BinarySearch(got, Hash(names.Of(fmt.Sprint("common ", i)))); !ok || len(got) != 9 {
			t.Errorf("common %d: %t of %d", i, ok, len(got))
		}
	}
	if !slices.Contains(got, Hash(names.TitleEnd("https://a.example/", "A site"))) {
		t.Error("the end of all titles is missing")
	}
}
