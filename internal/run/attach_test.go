package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAttach checks that after two processes did the same part, and one of them another part, the next Create records
// each part once, with the files of one process, and removes everything else.
func TestAttach(t *testing.T) {
	path := begun(t)
	leave := func(number int, note string) {
		t.Helper()
		d, err := Attach(path)
		must(t, err)
		name := "work/part-" + note
		must(t, os.WriteFile(d.Temp(name), []byte(note), 0o666))
		must(t, d.FinishPart("pairs", number, note, name))
	}
	d, err := Attach(path)
	must(t, err)
	other, err := Attach(path)
	must(t, err)
	if d.Temp("work/part") == other.Temp("work/part") {
		t.Errorf("two processes use the name %s", d.Temp("work/part"))
	}
	must(t, os.WriteFile(d.Temp("work/part"), []byte("killed"), 0o666))
	leave(1, "one")
	leave(0, "zero")
	leave(1, "one")
	if now, err := Attach(path); err != nil || len(now.Parts("pairs")) != 2 {
		t.Errorf("the parts that were left are %v, error %v", now.Parts("pairs"), err)
	}
	run := begin(t, path)
	defer run.Close()
	parts := run.Parts("pairs")
	if len(parts) != 2 || string(parts[0].Note) != `"zero"` || !slices.Equal(parts[1].Files, []string{"work/part-one"}) {
		t.Errorf("recorded: %v", parts)
	}
	list, err := os.ReadDir(filepath.Join(path, workName))
	must(t, err)
	for _, e := range list {
		if strings.HasSuffix(e.Name(), tempSuffix) {
			t.Errorf("%s is still there", e.Name())
		}
	}
}

// TestAttachDamaged checks that a receipt that is damaged or whose file is missing does not count as a part.
func TestAttachDamaged(t *testing.T) {
	path := begun(t)
	d, err := Attach(path)
	must(t, err)
	for number, name := range []string{"work/gone", "work/sound", "work/flipped"} {
		must(t, os.WriteFile(d.Temp(name), []byte(name), 0o666))
		must(t, d.FinishPart("pairs", number, nil, name))
	}
	must(t, os.Remove(d.Path("work/gone")))
	receipt := d.Path(part{Stage: "pairs", Number: 2}.receipt())
	b, err := os.ReadFile(receipt)
	must(t, err)
	b[len(b)/2] ^= 1
	must(t, os.WriteFile(receipt, b, 0o666))
	run := begin(t, path)
	defer run.Close()
	if parts := run.Parts("pairs"); len(parts) != 1 || parts[0].Number != 1 {
		t.Errorf("recorded: %v", parts)
	}
}

func TestAttachNothing(t *testing.T) {
	if _, err := Attach(t.TempDir()); !errors.Is(err, ErrNotRun) {
		t.Errorf("an empty folder: %v", err)
	}
	path := begun(t)
	name := filepath.Join(path, workName, stateName)
	b, err := os.ReadFile(name)
	must(t, err)
	b[len(b)/2] ^= 1
	must(t, os.WriteFile(name, b, 0o666))
	if _, err := Attach(path); !errors.Is(err, ErrDamaged) {
		t.Errorf("a damaged state: %v", err)
	}
}

// TestLatePart checks that a part of a stage that was finished in the meantime is refused, and changes nothing.
func TestLatePart(t *testing.T) {
	path := begun(t)
	late, err := Attach(path)
	must(t, err)
	d := begin(t, path)
	must(t, d.Finish("pairs", StageStats{Name: "pairs"}))
	must(t, d.Close())
	must(t, os.WriteFile(late.Temp("work/part"), nil, 0o666))
	if err := late.FinishPart("pairs", 0, nil, "work/part"); !errors.Is(err, ErrLate) || exists(late.Path("work/part")) {
		t.Errorf("a late part: %v", err)
	}
}
