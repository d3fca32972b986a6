package topics

import (
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// TestDictionaryOfBags checks that the dictionary numbers terms as the bags do: looking up the hashes of the words of
// a bag yields its terms.
func TestDictionaryOfBags(t *testing.T) {
	c := runtest.Preset(t, "web")
	r := runtest.Opened(t, c, runtest.SamplePages(t, 60))
	terms, err := bags.NewDictionary(bags.Weighting{Scheme: "none"}, r.Terms.Bags, r.Terms.Hashes(), r.Terms.DFs())
	if err != nil {
		t.Fatal(err)
	}
	filled := 0
	for id := range uint32(r.Len()) {
		bag := Bag(r, id)
		var found []uint32
		for _, term := range bag.Terms {
			got, _, ok := terms.Lookup(bags.Term(r.Terms.Hashes()[term]))
			if !ok {
				t.Fatalf("term %d is not in the dictionary", term)
			}
			found = append(found, got)
		}
		if !slices.Equal(found, bag.Terms) {
			t.Fatalf("%d: %v, found %v", id, bag.Terms, found)
		}
		if bag.Len() > 0 {
			filled++
		}
	}
	if filled < r.Len()/2 {
		t.Errorf("%d bags of %d", filled, r.Len())
	}
	c.Views = []string{config.Syntactic}
	if s := runtest.Opened(t, c, runtest.SamplePages(t, 60)); Bag(s, 0).Len() != 0 {
		t.Error("a bag without the topical view")
	}
}

// TestBagWords checks that the words of a bag have all of its counts, those of a word in both fields together, and that
// the heaviest come first.
func TestBagWords(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 60))
	both := 0
	for id := range uint32(r.Len()) {
		bag := Bag(r, id)
		words := BagWords(r, id, bag.Len())
		links, content := bag.Split(r.Content)
		sum := BagWord{}
		for i, w := range words {
			if sum.Links, sum.Content = sum.Links+w.Links, sum.Content+w.Content; w.Links > 0 && w.Content > 0 {
				both++
			}
			if i > 0 && max(w.Links, w.Content) > max(words[i-1].Links, words[i-1].Content) {
				t.Fatalf("%d: %+v follows %+v", id, w, words[i-1])
			}
		}
		if sum.Links != links.Sum() || sum.Content != content.Sum() {
			t.Fatalf("%d: the words have %+v, the bag has %d and %d", id, sum, links.Sum(), content.Sum())
		}
	}
	if both == 0 {
		t.Error("no word is in both fields")
	}
}
