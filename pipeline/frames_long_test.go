package pipeline_test

import "testing"

// The steps of another preset are done by frames.
func TestLongFrames(t *testing.T) { framed(t, "paper2000") }

// The tables that more steps read are damaged.
func TestLongFramesDamaged(t *testing.T) {
	framesDamaged(t, 60, "invert", "pair-choose", "pair-search", "cluster-labels", "tree-leaves")
}
