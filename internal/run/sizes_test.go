package run

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSetSizes checks that parts are kept if the sizes are those with which the run was begun. With other sizes, the
// parts of the unfinished stage are forgotten, unless they describe their own contents.
func TestSetSizes(t *testing.T) {
	d := begin(t, filepath.Join(t.TempDir(), "run"))
	small, large := map[string]int64{"nodes": 40, "rows": 1}, map[string]int64{"nodes": 1 << 14, "rows": 1}
	set := func(sizes map[string]int64, keep, stage string, diffs ...string) {
		t.Helper()
		got, lines, err := d.SetSizes(sizes, keep)
		if err != nil || got != stage {
			t.Errorf("sizes %v: stage %q, %v; want %q", sizes, got, err, stage)
		}
		if diff := cmp.Diff(diffs, lines); diff != "" {
			t.Errorf("sizes %v: %s", sizes, diff)
		}
	}
	set(small, "", "", "nodes was absent, is 40", "rows was absent, is 1")
	writeParted(t, d, 0, 1)
	d = again(t, d)
	set(small, "", "")
	wantParts(t, "with the same sizes", d, 0, 1)
	set(large, "read", "", "nodes was 40, is 16384")
	wantParts(t, "with other sizes, but parts that say what they hold", d, 0, 1)
	d = again(t, d)
	set(small, "", "read", "nodes was 16384, is 40")
	wantParts(t, "with other sizes", d)
	for n := range 2 {
		if exists(d.Path(partName(n))) {
			t.Errorf("the file of part %d was left", n)
		}
	}
	writeParted(t, d, 0)
	d = again(t, d)
	wantParts(t, "done again", d, 0)
	if diffs := d.DiffSizes(small); diffs != nil {
		t.Errorf("after it was opened again: %q", diffs)
	}
}

// TestSetSizesOfFinished checks that a finished stage is kept, because its tables do not depend on the sizes of
// parts.
func TestSetSizesOfFinished(t *testing.T) {
	d := begin(t, filepath.Join(t.TempDir(), "run"))
	if _, _, err := d.SetSizes(map[string]int64{"nodes": 1}, ""); err != nil {
		t.Fatal(err)
	}
	writeParted(t, d, 0)
	must(t, d.Finish("read", StageStats{}, partName(0)))
	stage, _, err := d.SetSizes(map[string]int64{"nodes": 2}, "")
	if err != nil || stage != "" || !d.Done("read") || !exists(d.Path(partName(0))) {
		t.Errorf("stage %q, %v; the finished stage is recorded: %v", stage, err, d.Done("read"))
	}
}
