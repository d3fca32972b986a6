package pipeline_test

import (
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
)

// Runs of the whole sample, with more configurations, are compared with the reference.
func TestLongNearestOfRun(t *testing.T) {
	web := topicalOf(t, "web")
	given, none := web, web
	given.KeySize, given.Keys, given.MaxBucket, given.Rounds = 3, 30, 20, 2
	none.Rounds, none.Apart = 0, 0
	nearestOfRuns(t, allPages, map[string]config.Config{"web": web, "given": given, "no rounds": none})
}

// TestLongRoundsRaiseRecall: with the same index, each round stores more of the exact nearest neighbours; the index that is
// chosen reaches the goal.
func TestLongRoundsRaiseRecall(t *testing.T) {
	c := topicalOf(t, "web")
	dir, _, _ := nearRun(t, allPages, c, pipeline.Options{Workers: 2})
	nodes := openNodeSet(t, dir)
	if r := nodes.recall(c, pairsIn(t, dir), 3); r < c.Recall-0.01 {
		t.Errorf("the chosen index stores %.3f, the goal is %v", r, c.Recall)
	}
	c.KeySize, c.Keys, c.MaxBucket = 3, 10, 20
	last := 0.0
	for c.Rounds = range 2 {
		dir, _, _ := nearRun(t, allPages, c, pipeline.Options{Workers: 2})
		r := nodes.recall(c, pairsIn(t, dir), 3)
		t.Logf("%d rounds: %.3f", c.Rounds, r)
		if r < last || c.Rounds == 1 && r < last+0.05 {
			t.Errorf("%d rounds store %.3f, one round less %.3f", c.Rounds, r, last)
		}
		last = r
	}
}

// A run of the whole sample stores all pairs that the index finds.
func TestLongAllPairsOfChosenIndex(t *testing.T) { allPairsOfChosenIndex(t, allPages) }

// The pairs of the whole sample are the same with more workers and limits.
func TestLongSamePairs(t *testing.T) {
	without, _, _ := nearRun(t, allPages, topicalOf(t, "web"), pipeline.Options{Workers: 2})
	samePairs(t, without, samplePages(t, allPages), pipeline.Options{Workers: 2, Memory: 1 << 18}, pipeline.Options{Workers: 5, Memory: 64 << 20})
}
