package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// tidy removes the intermediate files of a finished run, which a process that was killed between run.json and the end of
// Publish has left. The run is sound with them, so that failing is no error: the folder may be read-only. A process that holds
// the lock is about to remove them itself.
func tidy(path string) {
	if !exists(filepath.Join(path, workName)) {
		return
	}
	l, err := lockDir(path)
	if err != nil {
		return
	}
	defer l.unlock() //nolint:errcheck // it was taken for this alone
	if leftBehind(path) {
		removeWork(path) //nolint:errcheck // see above
	}
}

// leftBehind tells whether the folder work is that of a run and not somebody else's: it has the state of a run, or is empty.
func leftBehind(path string) bool {
	if _, err := readState(filepath.Join(path, workName, stateName)); err == nil {
		return true
	}
	list, err := os.ReadDir(filepath.Join(path, workName))
	return err == nil && len(list) == 0
}

// removeWork removes the intermediate files, the state last, so that what a kill leaves is known for what it is.
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
