package pipeline

import (
	"maps"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/skew"
)

// Pages of the other shapes are read within the limit, too.
func TestLongReadKeepsToMemory(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(skew.PageKinds)) {
		if kind != "links" {
			t.Run(kind, func(t *testing.T) { readKeepsToMemory(t, kind) })
		}
	}
}
