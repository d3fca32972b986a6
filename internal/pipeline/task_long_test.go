package pipeline_test

import (
	"testing"

	"github.com/lshclust/lshclust/internal/pipeline"
)

// Processes do parts of all steps.
func TestLongTasks(t *testing.T) { tasks(t, func(string) bool { return true }) }

// Runs are killed in more stages than in TestKilledInside.
func TestLongKilledInside(t *testing.T) {
	killedInside(t, "group", "weigh", "sign", "cluster", "tree")
}

// More configurations, workers and limits than in TestSameBytesOfSmallParts.
func TestLongSameBytesOfSmallParts(t *testing.T) {
	options := []pipeline.Options{{Workers: 1}, {Workers: 2, Memory: 1 << 20}, {Workers: 5, Memory: 64 << 20}}
	sameInSmallParts(t, "web", preset(t, "web"), sampleRun(t).dir, options...)
	capped, paper := preset(t, "web"), preset(t, "paper2000")
	capped.MaxBucket, capped.Reach, capped.Keys, capped.KeySize = 5, 2, 40, 2
	dir, _ := cluster(t, capped, pipeline.Options{Workers: 1}, sampleRun(t).in)
	sameInSmallParts(t, "capped", capped, dir, options...)
	dir, _ = cluster(t, paper, pipeline.Options{Workers: 1}, sampleRun(t).in)
	sameInSmallParts(t, "paper2000", paper, dir, options...)
}
