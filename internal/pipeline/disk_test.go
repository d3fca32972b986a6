package pipeline_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/pipeline"
)

// TestBudget checks that a run that reaches its disk budget stops with an error, keeps its finished stages, and goes on
// with a larger budget to the same tables.
func TestBudget(t *testing.T) {
	input, c := write(t, samplePages(t, 300)...), preset(t, "web")
	whole := filepath.Join(t.TempDir(), "whole")
	want, err := pipeline.Cluster(t.Context(), whole, []string{input}, c, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	peak := int64(0)
	for _, s := range want.Manifest.Stages {
		if s.PeakDisk <= 0 {
			t.Errorf("stage %s has a peak of %d bytes", s.Name, s.PeakDisk)
		}
		peak = max(peak, s.PeakDisk)
	}
	dir := filepath.Join(t.TempDir(), "run")
	var over *pipeline.BudgetError
	for _, budget := range []int64{1, 0} {
		if budget == 0 { // a little more than the first stage leaves, so that a later one is stopped
			if err := pipeline.ClusterUntil(t.Context(), "read", dir, []string{input}, c, pipeline.Options{}); err != nil {
				t.Fatal(err)
			}
			budget = pipeline.DirSize(dir) + 64<<10
		}
		_, err = pipeline.Cluster(t.Context(), dir, []string{input}, c, pipeline.Options{Disk: budget})
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
	got, err := pipeline.Cluster(t.Context(), dir, []string{input}, c, pipeline.Options{Disk: 2 * peak})
	if err != nil {
		t.Fatal(err)
	}
	for i, table := range want.Manifest.Tables {
		if got.Manifest.Tables[i] != table {
			t.Errorf("%+v, want %+v", got.Manifest.Tables[i], table)
		}
	}
}
