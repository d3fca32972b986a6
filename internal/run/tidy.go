package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// tidy removes the intermediate files of a finished run that a process left when it was killed after writing
// run.json. The run is valid with these files, so failing to remove them is not an error: the folder may be
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

// leftBehind reports whether the folder work belongs to a run: it contains the state of a run, or nothing.
func leftBehind(path string) bool {
	if _, err := readState(filepath.Join(path, workName, stateName)); err == nil {
		return true
	}
	list, err := os.ReadDir(filepath.Join(path, workName))
	return err == nil && len(list) == 0
}

// removeWork removes the intermediate files, the state last, so that the rest can still be recognized if the process
// is killed.
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
