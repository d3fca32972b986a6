package query

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
)

// Search finds what a run without a bound on neighbours stores, which is more than a run with a bound stores.
func TestSearch(t *testing.T) {
	open := func(neighbours int) *Run {
		c := preset(t, "web")
		c.Neighbours, c.Apart, c.Rounds, c.Views = neighbours, 0, 0, []string{config.Topical}
		c.KeySize, c.Keys, c.MaxBucket = 2, 160, 400
		return opened(t, c, samplePages(t, 300))
	}
	whole, cut := open(0), open(3)
	var ids []uint32
	for id := range uint32(whole.Len()) {
		ids = append(ids, id)
	}
	lists, err := cut.Search(context.Background(), ids, math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	among, err := cut.SearchAmong(context.Background(), ids, ids, math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	for i := range ids {
		if !slices.Equal(among[i], lists[i]) {
			t.Fatalf("%s: among all documents SearchAmong finds %d, Search %d", whole.Document(ids[i]).URL, len(among[i]), len(lists[i]))
		}
	}
	more := 0
	for i, id := range ids {
		want := whole.Related(id, Lookup{Top: math.MaxInt})
		for j := range want {
			if want[j].Found == FoundStored {
				want[j].Found = FoundIndex
			}
		}
		if !slices.Equal(lists[i], want) {
			t.Fatalf("%s: Search finds %d, the whole run has %d", whole.Document(id).URL, len(lists[i]), len(want))
		}
		stored := cut.Related(id, Lookup{Top: math.MaxInt})
		more += len(want) - len(stored)
		if len(stored) < len(want) && len(stored) < 3 {
			t.Errorf("%s: %d of %d are stored", whole.Document(id).URL, len(stored), len(want))
		}
		if len(stored) < len(want) != (cut.Truncated(id) && len(stored) < len(want)) {
			t.Errorf("%s: %d of %d are stored, and the run knows of no cut", whole.Document(id).URL, len(stored), len(want))
		}
	}
	if more == 0 {
		t.Error("nothing was cut: nothing is tested")
	}
	short, err := cut.Search(context.Background(), ids[:5], 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range short {
		if !slices.Equal(short[i], lists[i][:min(2, len(lists[i]))]) {
			t.Errorf("the first two of %d are not those of the list", i)
		}
	}
}
