package pipeline_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/pipeline"
)

// TestDiskFullWithinRead checks that a disk that fills up in the middle of a part does not harm the parts before it.
func TestDiskFullWithinRead(t *testing.T) {
	in, c := write(t, samplePages(t, 20)...), preset(t, "web")
	whole, _ := cluster(t, c, pipeline.Options{}, in)
	dir, o := filepath.Join(t.TempDir(), "run"), pipeline.Options{}.WithPartSize(smallPart)
	o.Progress = &progress{event: func(stage, what string) {
		if stage == "read" && what == "stage" {
			if err := os.Symlink("/dev/full", filepath.Join(dir, "work", "work~read-000002.tmp")); err != nil {
				t.Error(err)
			}
		}
	}}
	_, err := pipeline.Cluster(t.Context(), dir, []string{in}, c, o)
	if !errors.Is(err, pipeline.ErrNoSpace) || len(receiptsOfRead(t, dir)) != 2 {
		t.Fatalf("%v, with %d parts", err, len(receiptsOfRead(t, dir)))
	}
	before := partFiles(t, dir)
	if told, wrong := finishedAs(t, everything(t, whole), dir, in, c, o, func(stage, what string) {
		if stage == "read" && what == "stage" {
			if d := cmp.Diff(before, partFiles(t, dir)); d != "" {
				t.Error(d)
			}
		}
	}); wrong != "" || len(told) > 0 {
		t.Errorf("%q, %s", told, wrong)
	}
}
