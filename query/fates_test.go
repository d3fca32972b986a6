package query

import (
	"context"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
)

// Fates agrees with brute force over all pairs, and with the counts of the run: the stored pairs, and those left out by
// the floor, by the similarity and by the bound on neighbours.
func TestFates(t *testing.T) {
	c := preset(t, "web")
	c.KeySize, c.Keys, c.MaxBucket, c.Floor, c.Similarity, c.Neighbours = 2, 60, 8, 0.1, 0.12, 3
	c.Views = []string{config.Topical}
	r := opened(t, c, samplePages(t, 150))
	var ways [NotNearest + 1]int
	pairs, nodes := 0, r.SampleNodes(1<<20, 1)
	err := r.Fates(t.Context(), nodes, 0, func(node uint32, fates []Fate) error {
		for _, f := range fates {
			pairs++
			ways[f.Loss]++
			if s := bags.Similarity(r.bag(node), r.bag(f.Other)); s != f.Similarity {
				t.Fatalf("nodes %d and %d: similarity %v, want %v", node, f.Other, f.Similarity, s)
			}
			if f.Loss == Stored && f.Agreement < 8 || f.Loss == BelowFloor && f.Agreement >= 8 || f.Loss == BelowSimilarity && f.Similarity >= 0.12 {
				t.Fatalf("nodes %d and %d: %+v", node, f.Other, f)
			}
			// The bound leaves out what others are nearer than, or agree better than, at either end; the other end has its turn.
			if f.Loss == NotNearest && !r.crowded(node, f.Other, f.Similarity) && better(fates, f.Agreement) < 3*r.Config.Neighbours {
				t.Fatalf("nodes %d and %d are not crowded: %+v", node, f.Other, f)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	stage, ok := r.Manifest.Stage("pair")
	if !ok {
		t.Fatal("no stage")
	}
	// Fates counts a pair from both ends, and the stage counts it once. Pairs without a common word are in no list here.
	if got := int64(ways[Stored]); got != 2*stage.Out || got == 0 {
		t.Errorf("%d ends of stored pairs, the stage says %d pairs", got, stage.Out)
	}
	// Pairs that agree too little are left out before their similarity is computed.
	dropped := stage.Dropped["similarity-below-floor"] + stage.Dropped["not-among-nearest"] + stage.Dropped["not-shortlisted"]
	if got := int64(ways[BelowSimilarity] + ways[NotNearest]); got != 2*dropped || dropped == 0 || stage.Dropped["not-shortlisted"] == 0 {
		t.Errorf("%d ends of pairs left out behind the filter, the stage says %v", got, stage.Dropped)
	}
	for way, n := range ways {
		if n == 0 {
			t.Errorf("%v: nothing is tested", Loss(way))
		}
	}
	t.Logf("%d pairs: %v", pairs, ways)
}

func TestFatesStops(t *testing.T) {
	r := opened(t, preset(t, "web"), samplePages(t, 20))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Fates(ctx, []uint32{0}, 0, func(uint32, []Fate) error { return nil }); err == nil {
		t.Error("cancelled, and no error")
	}
}

// better counts the pairs that pass the filter and agree in more signatures.
func better(fates []Fate, agreement int) int {
	n := 0
	for _, f := range fates {
		if f.Agreement > agreement && (f.Loss == Stored || f.Loss == BelowSimilarity || f.Loss == NotNearest) {
			n++
		}
	}
	return n
}
