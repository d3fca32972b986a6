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

var createFile = func(path string) (file, error) { return os.Create(path) }

var appendFile = func(path string) (file, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
}

// writeFile replaces the file path: it writes and syncs a temporary file, renames it, and syncs the folder.
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

// syncRename syncs a file and then renames it.
func syncRename(from, to string) error {
	if err := syncPath(from); err != nil {
		return err
	}
	return os.Rename(from, to)
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
