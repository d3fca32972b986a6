package run

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wideRun makes a finished run with a table of many rows, one of wide rows, one without rows and a file.
func wideRun(t *testing.T) *Run {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	d, err := Create(dir, map[string]int{"a": 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pages := pageRows(3000)
	for i := range pages {
		pages[i].Title = strings.Repeat("x", 1<<14) // so that bytes end the row groups
	}
	writeTable(t, d.Temp(PagesTable), pages)
	writeTable(t, d.Temp(TopicalPairsTable), pairRows(2*rowGroupRows+1))
	writeTable(t, d.Temp(SyntacticPairsTable), []SyntacticPairRow{})
	writeTable(t, d.Temp(RedirectsTable), []RedirectRow{{URL: "https://a.example/"}})
	if err := os.WriteFile(d.Temp("other.txt"), []byte("other"), 0o666); err != nil {
		t.Fatal(err)
	}
	stats := StartStage("publish").Stats(1, 1, nil)
	if err := d.Finish("publish", stats, PagesTable, TopicalPairsTable, SyntacticPairsTable, RedirectsTable, "other.txt"); err != nil {
		t.Fatal(err)
	}
	if err := d.Publish(t.Context(), &Manifest{}); err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A run that was written in parts is put together to the same bytes, whatever the size of the parts.
func TestParted(t *testing.T) {
	r := wideRun(t)
	defer func(n int) { groupsOfPart = n }(groupsOfPart)
	for groupsOfPart = 1; groupsOfPart < 5; groupsOfPart += 2 {
		parts, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
		for range 2 {
			if err := r.WriteParts(t.Context(), parts); err != nil {
				t.Fatal(err)
			}
		}
		made, err := filepath.Glob(filepath.Join(parts, "*", "part-*.parquet"))
		if want := map[int]int{1: 3 + 3 + 1 + 1, 3: 1 + 1 + 1 + 1}[groupsOfPart]; err != nil || len(made) != want {
			t.Errorf("%d parts of %d row groups each, want %d: %v", len(made), groupsOfPart, want, err)
		}
		if err := Collect(t.Context(), parts, out); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{ManifestName, PagesTable, TopicalPairsTable, SyntacticPairsTable, RedirectsTable, "other.txt"} {
			want, errWant := os.ReadFile(r.Path(name))
			have, errHave := os.ReadFile(filepath.Join(out, name))
			if errWant != nil || errHave != nil || !bytes.Equal(want, have) {
				t.Errorf("parts of %d row groups: %s has %d bytes, not the same %d, %v, %v", groupsOfPart, name, len(have), len(want), errWant, errHave)
			}
		}
		if report, err := Check(t.Context(), out); err != nil || !report.OK() {
			t.Error(report.Err(), err)
		}
	}
}

// Parts that lack something, or are not those of the run, make no run.
func TestPartedWrong(t *testing.T) {
	r := wideRun(t)
	change := func(name string, of func(b []byte) []byte) func(dir string) error {
		return func(dir string) error {
			at := filepath.Join(dir, filepath.FromSlash(name))
			b, err := os.ReadFile(at)
			return errors.Join(err, os.WriteFile(at, of(b), 0o666))
		}
	}
	flip := func(b []byte) []byte {
		b[len(b)/2] ^= 1
		return b
	}
	for what, wrong := range map[string]struct {
		do   func(dir string) error
		want error
		says string
	}{
		"no list":        {func(dir string) error { return os.Remove(filepath.Join(dir, partedName)) }, ErrIncomplete, partedName},
		"damaged list":   {change(partedName, flip), ErrIncomplete, partedName},
		"part missing":   {func(dir string) error { return os.Remove(filepath.Join(dir, "pages", "part-00000.parquet")) }, ErrIncomplete, "pages/part-00000.parquet"},
		"part cut":       {change("pages/part-00000.parquet", func(b []byte) []byte { return b[:9] }), ErrIncomplete, "it has 9 bytes"},
		"part damaged":   {change("topical_pairs/part-00000.parquet", flip), ErrIncomplete, "part-00000"},
		"file missing":   {func(dir string) error { return os.Remove(filepath.Join(dir, "run", "other.txt")) }, ErrIncomplete, "run/other.txt"},
		"file damaged":   {change("run/other.txt", flip), ErrIncomplete, "other.txt"},
		"other manifest": {change("run/"+ManifestName, flip), ErrManifest, ManifestName},
	} {
		parts, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
		if err := errors.Join(r.WriteParts(t.Context(), parts), wrong.do(parts)); err != nil {
			t.Fatal(err)
		}
		err := Collect(t.Context(), parts, out)
		if !errors.Is(err, wrong.want) || !strings.Contains(err.Error(), wrong.says) {
			t.Errorf("%s: %v", what, err)
		}
		if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
			t.Errorf("%s: %q is left", what, left)
		}
	}
	parts := t.TempDir()
	if err := r.WriteParts(t.Context(), parts); err != nil {
		t.Fatal(err)
	}
	if err := Collect(t.Context(), parts, parts); !errors.Is(err, fs.ErrExist) {
		t.Errorf("into a folder that holds something: %v", err)
	}
	if err := Collect(t.Context(), parts, filepath.Join(r.Root(), "in")); !errors.Is(err, ErrInside) {
		t.Errorf("into a run: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := Collect(stopped, parts, filepath.Join(t.TempDir(), "out")); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
