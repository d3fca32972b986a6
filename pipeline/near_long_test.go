package pipeline_test

import (
	"testing"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/pipeline"
)

// Runs of the whole sample, with more configurations, are compared with the reference.
func TestLongNearestOfRun(t *testing.T) {
	web := topicalOf(t, "web")
	given, none := web, web
	given.KeySize, given.Keys, given.MaxBucket, given.Rounds = 3, 30, 20, 2
	none.Rounds, none.Apart = 0, 0
	nearestOfRuns(t, allPages, map[string]config.Config{"web": web, "given": given, "no rounds": none})
}

// Rounds raise the recall of the whole sample, too.
func TestLongRoundsRaiseRecall(t *testing.T) { roundsRaiseRecall(t, allPages) }

// A run of the whole sample stores all pairs that the index finds.
func TestLongAllPairsOfChosenIndex(t *testing.T) { allPairsOfChosenIndex(t, allPages) }

// The pairs of the whole sample are the same with more workers and limits.
func TestLongSamePairs(t *testing.T) {
	samePairs(t, allPages, pipeline.Options{Workers: 2, Memory: 1 << 18}, pipeline.Options{Workers: 5, Memory: 64 << 20})
}
