package query

import (
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
)

// TestDictionaryOfBags checks that the dictionary numbers terms as the bags do: looking up the hashes of the words of
// a bag yields its terms.
func TestDictionaryOfBags(t *testing.T) {
	c := preset(t, "web")
	r := opened(t, c, samplePages(t, 60))
	terms, err := r.Dictionary(bags.Weighting{Scheme: "none"})
	if err != nil {
		t.Fatal(err)
	}
	filled := 0
	for id := range uint32(r.Len()) {
		bag := r.Bag(id)
		var found []uint32
		for _, term := range bag.Terms {
			got, _, ok := terms.Lookup(bags.Term(r.terms.Hashes()[term]))
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
	if s := opened(t, c, samplePages(t, 60)); s.Bag(0).Len() != 0 {
		t.Error("a bag without the topical view")
	}
}
