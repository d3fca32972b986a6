package run

import (
	"errors"
	"io"
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
