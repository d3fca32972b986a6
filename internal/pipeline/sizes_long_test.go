package pipeline_test

import "testing"

// Runs are killed in more stages than in TestOtherSizesOfParts.
func TestLongOtherSizesOfParts(t *testing.T) {
	for stage, at := range map[string]int64{"sign": 5, "pair": 4, "tree": 22} {
		beganSmall(t, stage, at)
	}
}
