package run

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestForeignWork checks that the folder work of another program is not touched, even if it has a state.json next to
// a run.json.
func TestForeignWork(t *testing.T) {
	for name, files := range map[string][]string{
		"no state":           {"work/thesis.tex"},
		"a state":            {"work/state.json", "work/thesis.tex"},
		"a state, a table":   {"work/state.json", "work/thesis.tex", "pages.parquet"},
		"a state, run.json":  {"work/state.json", "work/thesis.tex", "run.json"},
		"no state, run.json": {"work/thesis.tex", "run.json"},
		"temporary files":    {"work/state.json", "work/draft.tmp"},
	} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir()
			must(t, os.Mkdir(filepath.Join(path, workName), 0o777))
			for _, file := range files {
				must(t, os.WriteFile(filepath.Join(path, file), []byte(`{"years": "of work"}`), 0o666))
			}
			if _, err := Create(path, testConfig(2), testInputs); !errors.Is(err, ErrNotRun) && !errors.Is(err, ErrFinished) {
				t.Errorf("error %v", err)
			}
			if _, err := Open(path); err == nil {
				t.Error("it is a run")
			}
			for _, file := range files {
				if !exists(filepath.Join(path, file)) {
					t.Errorf("%s was removed", file)
				}
			}
		})
	}
}
