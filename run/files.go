package run

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// file is what this package writes through; tests put a failing one in its place.
type file interface {
	io.Writer
	Sync() error
	Close() error
}

var createFile = func(path string) (file, error) { return os.Create(path) }

// writeFile replaces path by b: temporary file, sync, rename, sync of the folder.
func writeFile(path string, b []byte) error {
	f, err := createFile(path + tempSuffix)
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

// syncPath flushes a file or a folder to the disk.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// exists reports whether there is something at path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
