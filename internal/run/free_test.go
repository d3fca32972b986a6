package run

import (
	"os"
	"testing"
)

// buildParts finishes a stage with two parts, whose files are its outputs.
func buildParts(t *testing.T, d *Dir) {
	t.Helper()
	names := []string{"work/part-0", "work/part-1"}
	for i, name := range names {
		must(t, os.WriteFile(d.Temp(name), []byte(name), 0o666))
		must(t, d.FinishPart("parted", i, nil, name))
	}
	must(t, d.Finish("parted", StageStats{}, names...))
}

// TestFree checks that a file that was removed after its last use is not missed when the run is opened again, and
// that the stage that wrote it is known.
func TestFree(t *testing.T) {
	path := begun(t)
	d := begin(t, path)
	buildParts(t, d)
	for range 2 {
		must(t, d.Free("work/bags.bin", "work/part-0", "work/none"))
	}
	for again := range 2 {
		for name, stage := range map[string]string{"work/bags.bin": "index", "work/part-0": "parted", "work/part-1": "", "ids.lsh": ""} {
			if d.Freed(name) != stage || exists(d.Path(name)) != (stage == "") {
				t.Errorf("%s: removed %q, there %t", name, d.Freed(name), exists(d.Path(name)))
			}
		}
		if w := d.Writer(d.Path("work/bags.bin")); w != "index" || len(d.Parts("parted")) != 1 {
			t.Errorf("written by %q; %d parts", w, len(d.Parts("parted")))
		}
		if damage, err := d.Verify(t.Context()); err != nil || len(damage) > 0 || len(d.Stages()) != 3 {
			t.Errorf("%v, %v, %d stages", damage, err, len(d.Stages()))
		}
		if again == 0 {
			d.Close()
			d = begin(t, path)
		}
	}
	if err := d.Forget("index"); err != nil || d.Freed("work/bags.bin") != "" || d.Done("index") {
		t.Errorf("%q is removed in a stage that is not done: %v", d.Freed("work/bags.bin"), err)
	}
}

// TestFreeParts checks that the files of parts are removed, and their notes stay until the stage is done.
func TestFreeParts(t *testing.T) {
	d := begin(t, begun(t))
	writeParted(t, d, 0, 1, 2)
	for range 2 {
		must(t, d.FreeParts("read", 1, 3))
		for _, p := range d.Parts("read") {
			if p.Freed != (p.Number > 0) || exists(d.Path(partName(p.Number))) == p.Freed || len(p.Note) == 0 {
				t.Errorf("%+v", p)
			}
		}
		d = again(t, d)
		wantParts(t, "opened again", d, 0, 1, 2)
	}
	must(t, d.Finish("read", StageStats{}, partName(0)))
	wantParts(t, "finished", d, 0)
}
