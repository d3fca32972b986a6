package pipeline_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

// TestOtherSizesOfParts checks that a run that one build of lshclust began with small parts, and that was killed
// inside a stage, is continued by another build with large parts: the stage is reported and done again, and the bytes
// are the same. Parts of the stage are refused as long as their sizes differ.
func TestOtherSizesOfParts(t *testing.T) { beganSmall(t, "cluster") }

// beganSmall kills a run with small parts inside a stage and continues it with large ones.
func beganSmall(t *testing.T, stage string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	ended(t, start(t, child{Dir: dir, Stage: stage, Input: sampleRun(t).in, Kill: 1}), true)
	otherSizes(t, dir, stage, pipeline.Options{Workers: 2})
}

// otherSizes continues a run that was killed in a stage, with other sizes of parts.
func otherSizes(t *testing.T, dir, stage string, o pipeline.Options) {
	t.Helper()
	var unfinished *run.UnfinishedError
	if _, err := run.Open(dir); !errors.As(err, &unfinished) || unfinished.Stage != stage || unfinished.Parts == 0 {
		t.Fatalf("killed in %s: %v", stage, err)
	}
	if _, err := pipeline.NextTasks(dir, o); !errors.Is(err, pipeline.ErrTask) {
		t.Errorf("killed in %s: tasks of other sizes: %v", stage, err)
	}
	came, err := stopped(t, dir, preset(t, "web"), o, moment{}, sampleRun(t).in)
	if err != nil {
		t.Fatalf("killed in %s: %v", stage, err)
	}
	if !slices.Contains(came, moment{stage, "damaged"}) {
		t.Errorf("killed in %s: nobody was told that it is done again: %v", stage, came)
	}
	if d := cmp.Diff(sums(t, sampleRun(t).dir), sums(t, dir)); d != "" {
		t.Errorf("killed in %s: %s", stage, d)
	}
}

// TestOtherSizesKeepReadParts checks that the parts of the stage read are kept, because they describe their own
// contents.
func TestOtherSizesKeepReadParts(t *testing.T) {
	in, c := sampleRun(t).in, preset(t, "web")
	dir := filepath.Join(t.TempDir(), "run")
	_, err := stopped(t, dir, c, pipeline.Options{Workers: 1}.WithPartSize(8<<10), moment{"redirect", "done"}, in)
	if err == nil {
		t.Fatal("the run was not stopped")
	}
	came, err := stopped(t, dir, c, pipeline.Options{Workers: 1}, moment{}, in)
	if err != nil || slices.ContainsFunc(came, func(m moment) bool { return m.what == "damaged" || m == moment{"read", "stage"} }) {
		t.Errorf("%v, error %v", came, err)
	}
	check(t, dir)
}
