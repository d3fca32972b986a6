package texts

import (
	"math"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// TestDuplicatesBound checks that a bound omits pages, adds none, and is reported.
func TestDuplicatesBound(t *testing.T) {
	pages := runtest.SamplePages(t, 30)
	r := runtest.Opened(t, runtest.Preset(t, "web"), append(append(pages, runtest.Copies(pages)...), runtest.Copies(pages)...))
	bounded := 0
	for id := range uint32(r.Len()) {
		all, _, err := Duplicates(r, id, math.MaxInt)
		if err != nil {
			continue // it was not crawled
		}
		for most := range len(all) + 2 {
			some, whole, err := Duplicates(r, id, most)
			if err != nil || whole != (most >= len(all)) || len(some) != min(most, len(all)) {
				t.Fatalf("at most %d of %d: %d, %v, %v", most, len(all), len(some), whole, err)
			}
			for _, d := range some {
				if !slices.Contains(all, d) {
					t.Fatalf("%v is not in %v", d, all)
				}
			}
			if !whole {
				bounded++
			}
		}
	}
	if bounded < 10 {
		t.Errorf("%d bounded answers", bounded)
	}
}
