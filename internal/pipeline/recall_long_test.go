package pipeline_test

import "testing"

// The whole sample is held to the formula, with more seeds and presets. The figures are in docs/quality.md.
func TestLongRecall(t *testing.T) { holdRecall(t, allPages, 24, 2.807, "paper2000", "web") }
