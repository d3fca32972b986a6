//go:build smallparts

package pipeline

// With this build tag, a run over a few pages has many parts: package internal/torture kills it within its stages.
func init() {
	leastNodes, leastRows, leastKeys, bytesOfPart, leastLabels, leastHoles = 40, 1, 6, 16<<10, 10, 0
}
