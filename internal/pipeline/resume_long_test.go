package pipeline_test

import "testing"

// Processes die in the other stages.
func TestLongKilled(t *testing.T) {
	killed(t, "read", "group", "tree", "weigh", "shingle", "sign", "invert", "cluster")
}
