package pipeline_test

import (
	"fmt"
	"testing"
)

// More inputs and shares of the memory than in TestFreedBlocks.
func TestLongFreedBlocks(t *testing.T) {
	for _, share := range []int64{1, 1000} {
		t.Run(fmt.Sprint("sample ", share), func(t *testing.T) { freedBlocks(t, "web", share, write(t, samplePages(t, 40)...)) })
		for seed, name := range []string{"paper2000", "web"} {
			t.Run(fmt.Sprint("world ", seed, " ", share), func(t *testing.T) { freedBlocks(t, name, share, drawWorld(uint64(seed)).write(t, 1)...) })
		}
	}
	t.Run("skewed", func(t *testing.T) { freedBlocks(t, "paper2000", 1, skewedPages(t)...) })
	t.Run("lists", func(t *testing.T) { freedBlocks(t, "web", 1000, linkLists(t)) })
}
