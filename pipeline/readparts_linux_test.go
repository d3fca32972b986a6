package pipeline_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/pipeline"
)

// A disk that is full in the middle of a part leaves the parts before it.
func TestDiskFullWithinRead(t *testing.T) {
	in, c := write(t, samplePages(t, 40)...), preset(t, "web")
	whole, _ := cluster(t, c, pipeline.Options{}, in)
	defer pipeline.SetPartSize(smallPart)()
	dir := filepath.Join(t.TempDir(), "run")
	_, err := pipeline.Cluster(t.Context(), dir, []string{in}, c, pipeline.Options{Progress: &progress{event: func(stage, what string) {
		if stage == "read" && what == "stage" {
			if err := os.Symlink("/dev/full", filepath.Join(dir, "work", "work~read-000002.tmp")); err != nil {
				t.Error(err)
			}
		}
	}}})
	if !errors.Is(err, pipeline.ErrNoSpace) || len(journal(t, dir)) != 2 {
		t.Fatalf("%v, with %d parts", err, len(journal(t, dir)))
	}
	before := partFiles(t, dir)
	if told, wrong := finishedAs(t, everything(t, whole), dir, in, c, func(stage, what string) {
		if stage == "read" && what == "stage" {
			if d := cmp.Diff(before, partFiles(t, dir)); d != "" {
				t.Error(d)
			}
		}
	}); wrong != "" || len(told) > 0 {
		t.Errorf("%q, %s", told, wrong)
	}
}
