package query

import (
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
)

// TestFates checks that Fates agrees with brute force over all pairs, and with the counts of the run.
func TestFates(t *testing.T) {
	limited := preset(t, "web")
	limited.KeySize, limited.Keys, limited.MaxBucket, limited.Floor, limited.Similarity = 2, 60, 8, 0.1, 0.12
	limited.Views = []string{config.Topical}
	limited.Neighbours, limited.Apart, limited.Width = 3, 2, 2
	unlimited := limited
	unlimited.Neighbours = 0
	pages := samplePages(t, 80)
	for _, c := range []config.Config{limited, unlimited} {
		r := opened(t, c, pages)
		ways := fateCounts(t, r)
		stage, ok := r.Manifest.Stage("pair")
		if !ok {
			t.Fatal("no stage")
		}
		// Fates counts a pair from both ends, the stage only once. Pairs without a common word are in no list.
		if got := int64(ways[Stored]); got != 2*stage.Out || got == 0 {
			t.Errorf("%d ends of stored pairs, the stage says %d pairs", got, stage.Out)
		}
		if dropped := stage.Dropped["similarity-below-floor"]; c.Neighbours == 0 && int64(ways[BelowSimilarity]) != 2*dropped {
			t.Errorf("%d ends of pairs below the least similarity, the stage says %d pairs", ways[BelowSimilarity], dropped)
		}
		for way, n := range ways {
			if (n == 0) != (Loss(way) == NotNearest && c.Neighbours == 0) {
				t.Errorf("%d neighbours: %v of %d ends", c.Neighbours, Loss(way), n)
			}
		}
	}
}

// fateCounts counts the fates of all pairs of nodes, from both ends, and checks each.
func fateCounts(t *testing.T, r *Run) (ways [NotNearest + 1]int) {
	t.Helper()
	limited := r.Config.Neighbours > 0
	err := r.Fates(t.Context(), r.SampleNodes(1<<20, 1), 0, func(node uint32, fates []Fate) error {
		for _, f := range fates {
			ways[f.Loss]++
			if s := bags.Similarity(r.bag(node), r.bag(f.Other)); s != f.Similarity {
				t.Fatalf("nodes %d and %d: similarity %v, want %v", node, f.Other, f.Similarity, s)
			}
			if f.Formed && !f.Key || f.Loss == NoKey && f.Key || f.Loss == LargeBucket && f.Formed || f.Loss == BelowFloor && (f.Agreement >= 8 || !f.Formed) ||
				f.Loss == Stored && !limited && (f.Agreement < 8 || !f.Formed) || f.Loss == BelowSimilarity && f.Similarity >= 0.12 {
				t.Fatalf("nodes %d and %d: %+v", node, f.Other, f)
			}
			if f.Loss == Stored || f.Loss == BelowSimilarity || !limited {
				continue
			}
			full := nearerHeld(r, node, f.Other, f.Similarity) && nearerHeld(r, f.Other, node, f.Similarity)
			// A pair that the index finds may also be left out because others agree better, at either end; the other
			// end is checked in its turn.
			if f.Loss != NotNearest && full || f.Loss == NotNearest && !full && (!f.Formed || f.Agreement < 8) {
				t.Fatalf("nodes %d and %d, places taken: %v: %+v", node, f.Other, full, f)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ways
}
