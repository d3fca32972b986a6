package run

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// file is what this package writes to. Tests replace it by one that fails.
type file interface {
	io.Writer
	Sync() error
	Close() error
}

func createFile(path string) (file, error) { return os.Create(path) }

// writeFile replaces a file: it writes and syncs a temporary file, renames it, and syncs the folder.
func (d *place) writeFile(name string, b []byte) error {
	path := d.Path(name)
	f, err := d.create(path + tempSuffix)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(path+tempSuffix, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(path+tempSuffix))
	}
	return syncPath(filepath.Dir(path))
}

// syncPath syncs a file or a folder.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// exists reports whether path exists.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

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
