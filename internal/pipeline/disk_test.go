package pipeline_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/pipeline"
)

// TestBudget checks that a run that reaches its disk budget stops with an error, keeps its finished stages, and
// continues with a larger budget to the same tables.
func TestBudget(t *testing.T) {
	input, c, want := sampleRun(t).in, preset(t, "web"), everything(t, sampleRun(t).dir)
	peak := int64(0)
	for _, s := range figures(t, sampleRun(t).dir) {
		if s.PeakDisk <= 0 {
			t.Errorf("stage %s has a peak of %d bytes", s.Name, s.PeakDisk)
		}
		peak = max(peak, s.PeakDisk)
	}
	dir := filepath.Join(t.TempDir(), "run")
	var over *pipeline.BudgetError
	for _, budget := range []int64{1, 0} {
		if budget == 0 { // a little more than the first stage leaves, so that a later one is stopped
			must(t, pipeline.ClusterUntil(t.Context(), "read", dir, []string{input}, c, pipeline.Options{}))
			budget = pipeline.DirSize(dir) + 16<<10
		}
		_, err := pipeline.Cluster(t.Context(), dir, []string{input}, c, pipeline.Options{Disk: budget})
		if !errors.As(err, &over) || over.Disk != budget || over.Stage == "" {
			t.Fatalf("budget %d: %v", budget, err)
		}
		if size := pipeline.DirSize(dir); size > budget+peak/2 {
			t.Errorf("budget %d: %d bytes in %s", budget, size, dir)
		}
	}
	if over.Stage == "read" {
		t.Errorf("with more disk than the first stage takes, no stage is done")
	}
	if _, err := pipeline.Cluster(t.Context(), dir, []string{input}, c, pipeline.Options{Disk: 2 * peak}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, everything(t, dir)); d != "" {
		t.Error(d)
	}
}
