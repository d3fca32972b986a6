package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// tidy removes the intermediate files of a finished run, which a process leaves if it is killed after it has written
// run.json. The run is valid with these files, so it is no error if they cannot be removed: the folder may be
// read-only. If another process holds the lock, that process is about to remove them.
func tidy(path string) {
	if !exists(filepath.Join(path, workName)) {
		return
	}
	l, err := lockDir(path)
	if err != nil {
		return
	}
	defer l.unlock() //nolint:errcheck // the lock was taken for this alone
	if leftBehind(path) {
		removeWork(path) //nolint:errcheck // see above
	}
}

// leftBehind reports whether the folder work belongs to a run: it holds the state of a run, or nothing.
func leftBehind(path string) bool {
	if _, err := readState(filepath.Join(path, workName, stateName)); err == nil {
		return true
	}
	list, err := os.ReadDir(filepath.Join(path, workName))
	return err == nil && len(list) == 0
}

// removeWork removes the intermediate files, the state last, so that after a kill the rest can still be recognised.
func removeWork(path string) error {
	work := filepath.Join(path, workName)
	list, err := os.ReadDir(work)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range list {
		if e.Name() == stateName {
			continue
		}
		if err := os.RemoveAll(filepath.Join(work, e.Name())); err != nil {
			return err
		}
	}
	return os.RemoveAll(work)
}
