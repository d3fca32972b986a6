package pipeline_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/run"
)

// A run that one build of lshclust has begun with small parts, and that is killed inside a stage, is continued by another
// one with large parts, and the other way round: the stage is done again, which is told, and the bytes are the same.
// Parts of the stage are refused as long as their sizes differ.
func TestOtherSizesOfParts(t *testing.T) {
	in, c := write(t, samplePages(t, 60)...), preset(t, "web")
	whole, _ := cluster(t, c, pipeline.Options{Workers: 1}, in)
	goOn := func(dir, stage string) {
		t.Helper()
		var unfinished *run.UnfinishedError
		if _, err := run.Open(dir); !errors.As(err, &unfinished) || unfinished.Stage != stage || unfinished.Parts == 0 {
			t.Fatalf("killed in %s: %v", stage, err)
		}
		if _, err := pipeline.NextTasks(dir, pipeline.Options{}); !errors.Is(err, pipeline.ErrTask) {
			t.Errorf("killed in %s: tasks of other sizes: %v", stage, err)
		}
		came, err := stopped(t, dir, c, pipeline.Options{Workers: 2}, moment{}, in)
		if err != nil {
			t.Fatalf("killed in %s: %v", stage, err)
		}
		if !slices.Contains(came, moment{stage, "damaged"}) {
			t.Errorf("killed in %s: nobody was told that it is done again: %v", stage, came)
		}
		if d := cmp.Diff(sums(t, whole), sums(t, dir)); d != "" {
			t.Errorf("killed in %s: %s", stage, d)
		}
	}
	for stage, at := range map[string]int64{"sign": 5, "pair": 4, "cluster": 22, "tree": 22} {
		dir := filepath.Join(t.TempDir(), "run")
		ended(t, start(t, child{Dir: dir, Stage: stage, Input: in, Kill: at}), true)
		goOn(dir, stage)
	}
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := stopped(t, dir, c, pipeline.Options{Workers: 1}, moment{"tree", "at"}, in); err == nil {
		t.Fatal("the run was not stopped")
	}
	defer pipeline.SmallParts()()
	goOn(dir, "tree")
}

// The parts of the stage read say what they hold, so that they stay.
func TestOtherSizesKeepReadParts(t *testing.T) {
	in, c := write(t, samplePages(t, 60)...), preset(t, "web")
	dir := filepath.Join(t.TempDir(), "run")
	restore := pipeline.SetPartSize(8 << 10)
	_, err := stopped(t, dir, c, pipeline.Options{Workers: 1}, moment{"redirect", "done"}, in)
	restore()
	if err == nil {
		t.Fatal("the run was not stopped")
	}
	came, err := stopped(t, dir, c, pipeline.Options{Workers: 1}, moment{}, in)
	if err != nil || slices.ContainsFunc(came, func(m moment) bool { return m.what == "damaged" || m == moment{"read", "stage"} }) {
		t.Errorf("%v, error %v", came, err)
	}
	check(t, dir)
}
