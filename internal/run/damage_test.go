package run

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// begun returns a run that was stopped after two stages.
func begun(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run")
	d := begin(t, path)
	buildPages(t, d)
	buildIndex(t, d)
	must(t, d.Close())
	return path
}

// TestVerifyFiles checks that Verify finds a flipped bit in a file of a stage, and a missing or truncated file, and
// forgets the stage and those after it.
func TestVerifyFiles(t *testing.T) {
	flip := func(path string) error {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b[len(b)/2] ^= 1
		return os.WriteFile(path, b, 0o666)
	}
	cut := func(path string) error { return os.Truncate(path, 3) }
	for _, c := range []struct {
		name, file, stage string
		spoil             func(path string) error
	}{
		{"flipped", PagesTable, "pages", flip}, {"flipped", "ids.lsh", "index", flip}, {"flipped", "work/bags.bin", "index", flip},
		{"cut", PagesTable, "pages", cut}, {"cut", "work/bags.bin", "index", cut}, {"gone", "ids.lsh", "index", os.Remove},
	} {
		path := begun(t)
		must(t, c.spoil(filepath.Join(path, c.file)))
		d := begin(t, path)
		damage, err := d.Verify(t.Context())
		if err != nil || len(damage) != 1 || damage[0].Stage != c.stage || !errors.Is(damage[0].Err, ErrDamaged) || !strings.Contains(damage[0].Err.Error(), c.file) {
			t.Errorf("%s %s: %v, %v", c.file, c.name, damage, err)
		}
		if d.Done(c.stage) || d.Done("index") || d.Done("pages") != (c.stage != "pages") {
			t.Errorf("%s %s: %v are done", c.file, c.name, d.Stages())
		}
		d.Close()
		again := begin(t, path)
		if damage, err := again.Verify(t.Context()); err != nil || len(damage) > 0 || len(again.Stages()) != len(d.Stages()) {
			t.Errorf("%s %s, opened again: %v, %v", c.file, c.name, damage, err)
		}
	}
}

func TestVerifySound(t *testing.T) {
	d := begin(t, begun(t))
	if damage, err := d.Verify(t.Context()); err != nil || len(damage) > 0 || len(d.Stages()) != 2 {
		t.Errorf("%v, %v", damage, err)
	}
}

func TestForget(t *testing.T) {
	d := begin(t, begun(t))
	for name, want := range map[string]string{"work/bags.bin": "index", PagesTable: "pages", "other": ""} {
		if got := d.Writer(d.Path(name)); got != want {
			t.Errorf("%s was written by %q, want %q", name, got, want)
		}
	}
	if err := d.Forget("unknown"); err != nil || len(d.Stages()) != 2 {
		t.Errorf("%v, %v", d.Stages(), err)
	}
	if err := d.Forget("index"); err != nil || len(d.Stages()) != 1 {
		t.Errorf("%v, %v", d.Stages(), err)
	}
	buildIndex(t, d)
}

// TestStateEveryBit checks that every flipped bit in the state of a run is found, and that the run then starts over
// without its tables.
func TestStateEveryBit(t *testing.T) {
	path := begun(t)
	name := filepath.Join(path, workName, stateName)
	good, err := os.ReadFile(name)
	must(t, err)
	if _, err := parseState(name, bytes.Clone(good)); err != nil {
		t.Fatal(err)
	}
	for i := range 8 * len(good) {
		b := bytes.Clone(good)
		b[i/8] ^= 1 << (i % 8)
		if _, err := parseState(name, b); !errors.Is(err, ErrDamaged) {
			t.Fatalf("bit %d: %v", i, err)
		}
	}
	for n := range good {
		if _, err := parseState(name, bytes.Clone(good[:n])); !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	must(t, os.WriteFile(name, good[1:], 0o666))
	d := begin(t, path)
	if len(d.Stages()) > 0 || exists(d.Path("ids.lsh")) || exists(d.Path(PagesTable)) {
		t.Errorf("%v are done", d.Stages())
	}
}

// TestStateForeign checks that a folder with other contents is not touched, whatever its work/state.json contains.
func TestStateForeign(t *testing.T) {
	path := begun(t)
	for name, b := range map[string]string{"work/state.json": "{}", "thesis.tex": "years of work"} {
		must(t, os.WriteFile(filepath.Join(path, name), []byte(b), 0o666))
	}
	if _, err := Create(path, testConfig(2), testInputs); !errors.Is(err, ErrNotRun) {
		t.Error(err)
	}
	if !exists(filepath.Join(path, "ids.lsh")) {
		t.Error("a table was removed")
	}
}
