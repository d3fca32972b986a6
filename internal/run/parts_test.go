package run

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// writeParted writes the files of parts and records them.
func writeParted(t *testing.T, d *Dir, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		name := partName(n)
		must(t, os.WriteFile(d.Temp(name), []byte(name), 0o666))
		must(t, d.FinishPart("read", n, map[string]int{"next": 10 * n}, name))
	}
}

func partName(n int) string { return "work/part-" + string(rune('0'+n)) }

func numbers(d *Dir, stage string) (out []int) {
	for _, p := range d.Parts(stage) {
		out = append(out, p.Number)
	}
	return out
}

func wantParts(t *testing.T, what string, d *Dir, want ...int) {
	t.Helper()
	if diff := cmp.Diff(want, numbers(d, "read")); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
}

// again closes the directory as a killed process leaves it, and opens it again.
func again(t *testing.T, d *Dir) *Dir {
	t.Helper()
	must(t, d.Close())
	return begin(t, d.path)
}

// TestParts checks that a process that continues a run finds the recorded parts with their notes, and none of the
// files that were not recorded.
func TestParts(t *testing.T) {
	d := begin(t, filepath.Join(t.TempDir(), "run"))
	writeParted(t, d, 2, 0, 1)
	if err := d.FinishPart("read", 1, nil); err == nil {
		t.Error("a part was recorded twice")
	}
	for _, left := range []string{"work/part-7", "work/part-8.tmp"} {
		must(t, os.WriteFile(d.Path(left), []byte("left"), 0o666))
	}
	d = again(t, d)
	wantParts(t, "opened again", d, 0, 1, 2)
	p := d.Parts("read")[1]
	if !strings.Contains(string(p.Note), `"next": 10`) || !cmp.Equal(p.Files, []string{partName(1)}) {
		t.Errorf("%+v", p)
	}
	if diff := cmp.Diff([]string{"part-0", "part-1", "part-2", "read-000000.receipt", "read-000001.receipt", "read-000002.receipt", "state.json"}, names(t, d.Path("work"))); diff != "" {
		t.Error(diff)
	}
	var unfinished *UnfinishedError
	if _, err := Open(d.path); !errors.As(err, &unfinished) || unfinished.Stage != "read" || unfinished.Parts != 3 {
		t.Errorf("open: %v", err)
	}
	writeParted(t, d, 3)
	d = again(t, d)
	wantParts(t, "with one more", d, 0, 1, 2, 3)
}

// TestPartsOfFinishedStage checks that when a stage ends, the parts whose files are outputs remain, so that a damaged
// one alone can be made again.
func TestPartsOfFinishedStage(t *testing.T) {
	d := begin(t, filepath.Join(t.TempDir(), "run"))
	writeParted(t, d, 0, 1, 2)
	must(t, d.Finish("read", StageStats{}, partName(1), partName(2)))
	wantParts(t, "finished", d, 1, 2)
	if exists(d.Path(partName(0))) {
		t.Error("a file that is no output remains")
	}
	if err := d.FinishPart("read", 5, nil); err == nil {
		t.Error("a part of a finished stage was recorded")
	}
	must(t, os.WriteFile(d.Path("work/x"), []byte("x"), 0o666))
	must(t, d.FinishPart("group", 0, nil, "work/x"))
	d = again(t, d)
	if got := d.Writer(d.Path("work/x")); got != "group" {
		t.Errorf("the writer of a part of a stage that is not done is %q", got)
	}
	must(t, os.WriteFile(d.Path(partName(1)), []byte("work/part-!"), 0o666))
	damage, err := d.Verify(t.Context())
	if err != nil || len(damage) != 1 || damage[0].Stage != "read" || d.Done("read") {
		t.Errorf("damage %v, error %v", damage, err)
	}
	wantParts(t, "damaged", d, 2)
	if len(numbers(d, "group")) > 0 || exists(d.Path("work/x")) {
		t.Error("a part of the stage after it remains")
	}
	if err := d.ForgetParts("read"); err != nil || len(numbers(d, "read")) > 0 {
		t.Errorf("%v, %v", err, numbers(d, "read"))
	}
	if diff := cmp.Diff([]string{"state.json"}, names(t, again(t, d).Path("work"))); diff != "" {
		t.Error(diff)
	}
}

// TestDamagedParts checks that a part is forgotten if its file is missing or has another size, or if its receipt is
// missing, torn or damaged.
func TestDamagedParts(t *testing.T) {
	receipt := func(change func(text string) string) func(d *Dir) error {
		return func(d *Dir) error {
			path := d.Path(part{Stage: "read", Number: 1}.receipt())
			b, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path, []byte(change(string(b))), 0o666))
		}
	}
	for what, x := range map[string]struct {
		damage func(d *Dir) error
		want   []int
	}{
		"file missing":    {func(d *Dir) error { return os.Remove(d.Path(partName(1))) }, []int{0, 2}},
		"file cut":        {func(d *Dir) error { return os.Truncate(d.Path(partName(2)), 3) }, []int{0, 1}},
		"torn receipt":    {receipt(func(text string) string { return text[:len(text)-9] }), []int{0, 2}},
		"empty receipt":   {receipt(func(string) string { return "" }), []int{0, 2}},
		"flipped bit":     {receipt(func(text string) string { return strings.Replace(text, `"next": 10`, `"next": 11`, 1) }), []int{0, 2}},
		"receipt missing": {func(d *Dir) error { return os.Remove(d.Path(part{Stage: "read"}.receipt())) }, []int{1, 2}},
		"state damaged":   {func(d *Dir) error { return os.Truncate(d.Path(stateFile), 200) }, nil},
	} {
		d := begin(t, filepath.Join(t.TempDir(), "run"))
		writeParted(t, d, 0, 1, 2)
		must(t, x.damage(d))
		d = again(t, d)
		wantParts(t, what, d, x.want...)
		writeParted(t, d, 4)
		d = again(t, d)
		want := append(slices.Clone(x.want), 4)
		wantParts(t, what+", one more", d, want...)
		for n := range 5 {
			if exists(d.Path(partName(n))) != slices.Contains(want, n) {
				t.Errorf("%s: file of part %d: %t", what, n, exists(d.Path(partName(n))))
			}
		}
	}
}

// TestDamagedTableOfPart checks that a table written by a part of an unfinished stage is verified when the run
// continues.
func TestDamagedTableOfPart(t *testing.T) {
	d := begin(t, filepath.Join(t.TempDir(), "run"))
	for n, name := range []string{"ids.lsh", "work/x"} {
		must(t, errors.Join(os.WriteFile(d.Temp(name), []byte("good"), 0o666), d.FinishPart("read", n, nil, name), os.WriteFile(d.Path(name), []byte("evil"), 0o666)))
	}
	if err := d.VerifyPart(t.Context(), "read", "work/x"); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
	d = again(t, d)
	if damage, err := d.Verify(t.Context()); err != nil || len(damage) != 1 || damage[0].Stage != "read" {
		t.Errorf("%v, %v", damage, err)
	}
	wantParts(t, "verified", d, 1)
}

// TestPartLine checks that every flipped bit of a receipt is found.
func TestPartLine(t *testing.T) {
	of := &part{Stage: "read", Number: 3, Note: json.RawMessage(`"}"`), Files: []output{{"work/x", 5, "d"}}}
	good, err := sealed(of, &of.Digest)
	must(t, err)
	if p, ok := parsePart(good); !ok || p.Number != 3 || string(p.Note) != `"}"` {
		t.Errorf("%s: %+v", good, p)
	}
	for i := range 8 * len(good) {
		b := []byte(string(good))
		b[i/8] ^= 1 << (i % 8)
		if _, ok := parsePart(b); ok {
			t.Errorf("accepted: %s", b)
		}
	}
}

// TestDiskFullParts checks that a full disk does not harm the parts recorded before, in this process and the next.
func TestDiskFullParts(t *testing.T) {
	if !exists("/dev/full") {
		t.Skip("needs /dev/full")
	}
	d := begin(t, filepath.Join(t.TempDir(), "run"))
	writeParted(t, d, 0)
	must(t, os.Symlink("/dev/full", d.Temp(part{Stage: "read", Number: 1}.receipt())))
	if err := d.FinishPart("read", 1, nil); !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
	wantParts(t, "full disk", d, 0)
	writeParted(t, d, 1, 2)
	wantParts(t, "room again", again(t, d), 0, 1, 2)
}

// TestUnsyncedParts checks that a stage is not done if a file of a part cannot be synced.
func TestUnsyncedParts(t *testing.T) {
	d := begin(t, filepath.Join(t.TempDir(), "run"))
	d.synced = time.Now().Add(time.Hour)
	writeParted(t, d, 0)
	must(t, os.Remove(d.Path(partName(0))))
	if err := d.Finish("read", StageStats{}, partName(0)); err == nil || d.Done("read") {
		t.Errorf("Finish: %v", err)
	}
	must(t, d.Close())
	if err := d.FinishPart("read", 1, nil); !errors.Is(err, errClosed) {
		t.Errorf("FinishPart after Close: %v", err)
	}
}

// TestUnsyncedTask checks that a process that does a part leaves no receipt if it cannot sync the files of the part.
func TestUnsyncedTask(t *testing.T) {
	d, err := Attach(begun(t))
	must(t, err)
	d.sync = func(string) error { return syscall.EIO }
	must(t, os.WriteFile(d.Temp("work/x"), []byte("x"), 0o666))
	if err := d.FinishPart("pairs", 0, nil, "work/x"); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	if parts, err := readParts(d.path); err != nil || slices.ContainsFunc(parts, func(p part) bool { return p.Stage == "pairs" }) {
		t.Errorf("recorded: %v, %v", parts, err)
	}
}
