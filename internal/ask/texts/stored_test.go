package texts

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// TestStoredTexts checks that StoredTexts finds every duplicate except those connected only through others, with the
// figures of Duplicates.
func TestStoredTexts(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 200))
	pairs, chains := 0, 0
	for id := range uint32(r.Len()) {
		if !r.Document(id).Crawled {
			continue
		}
		list, _, err := Duplicates(r, id, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range list {
			got, ok, err := StoredTexts(r, id, want.ID)
			if chain := want.Relation == "chain"; ok == chain || err != nil {
				t.Fatalf("%s and %s, %s: %t %v", r.Docs.URL(id), want.URL, want.Relation, ok, err)
			} else if chain {
				chains++
				continue
			}
			pairs++
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s and %s: %s", r.Docs.URL(id), want.URL, diff)
			}
		}
	}
	if pairs == 0 {
		t.Errorf("%d pairs, %d chains", pairs, chains)
	}
}
