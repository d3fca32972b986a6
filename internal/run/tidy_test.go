package run

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// killed returns a finished run as a process leaves it that is killed while it removes the intermediate files.
func killed(t *testing.T, removed ...string) string {
	t.Helper()
	path, kept := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "work")
	d := begin(t, path)
	buildPages(t, d)
	buildIndex(t, d)
	must(t, os.CopyFS(kept, os.DirFS(filepath.Join(path, workName))))
	must(t, d.Publish(t.Context(), &Manifest{}))
	must(t, os.CopyFS(filepath.Join(path, workName), os.DirFS(kept)))
	for _, name := range removed {
		must(t, os.Remove(filepath.Join(path, workName, name)))
	}
	return path
}

// TestTidy checks that Open accepts a run whose process was killed before it had removed the intermediate files, and
// removes them, unless another process is removing them or they belong to another program.
func TestTidy(t *testing.T) {
	checked := func(path string) error {
		report, err := Check(t.Context(), path)
		return errors.Join(err, report.Err())
	}
	opened := func(path string) error {
		_, err := Open(path)
		return err
	}
	created := func(path string) error {
		if _, err := Create(path, testConfig(2), testInputs); !errors.Is(err, ErrFinished) {
			return errors.Join(errors.New("not refused as finished"), err)
		}
		return nil
	}
	for _, removed := range [][]string{nil, {"bags.bin"}, {"bags.bin", stateName}} {
		for name, use := range map[string]func(string) error{"check": checked, "open": opened, "create": created} {
			path := killed(t, removed...)
			if err := use(path); err != nil {
				t.Errorf("%s, without %v: %v", name, removed, err)
			}
			if exists(filepath.Join(path, workName)) {
				t.Errorf("%s, without %v: work/ is still there", name, removed)
			}
			if err := checked(path); err != nil {
				t.Errorf("%s, without %v: afterwards: %v", name, removed, err)
			}
		}
	}

	path := killed(t)
	l, err := lockDir(path)
	must(t, err)
	if err := checked(path); err != nil || !exists(filepath.Join(path, workName, stateName)) {
		t.Errorf("a run that another process is finishing: %v, work/ is there: %v", err, exists(filepath.Join(path, workName)))
	}
	must(t, l.unlock())

	path = killed(t, stateName)
	if err := opened(path); err != nil || !exists(filepath.Join(path, workName, "bags.bin")) {
		t.Errorf("a folder that is not of the run: %v, it is there: %v", err, exists(filepath.Join(path, workName)))
	}
	if checked(path) == nil {
		t.Error("a folder that is not of the run is no stray")
	}
}

// TestRemoveWork checks that the state is removed last.
func TestRemoveWork(t *testing.T) {
	path := killed(t)
	if os.Getuid() != 0 { // root may remove it
		sub := filepath.Join(path, workName, "a")
		must(t, errors.Join(os.Mkdir(sub, 0o777), os.WriteFile(filepath.Join(sub, "b"), nil, 0o666), os.Chmod(sub, 0o555)))
		if removeWork(path) == nil || !leftBehind(path) {
			t.Error("what cannot be removed wholly is not known for what it is")
		}
		must(t, os.Chmod(sub, 0o777))
	}
	if err := removeWork(path); err != nil || exists(filepath.Join(path, workName)) {
		t.Error(err)
	}
}
