package pipeline_test

import (
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/pipeline"
)

// Runs are killed in more stages than in TestOtherSizesOfParts, and small parts follow large ones.
func TestLongOtherSizesOfParts(t *testing.T) {
	for _, stage := range []string{"sign", "pair", "tree"} {
		beganSmall(t, stage)
	}
	c, in := preset(t, "web"), sampleRun(t).in
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := stopped(t, dir, c, pipeline.Options{Workers: 1}, moment{"tree", "at"}, in); err == nil {
		t.Fatal("the run was not stopped")
	}
	otherSizes(t, dir, "tree", pipeline.Options{Workers: 2, SmallParts: true})
}
