//go:build unix

package main

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// freeSpace returns the free bytes of the file system of a path or, if that does not exist, of the first folder above it
// that does.
func freeSpace(path string) (bytes int64, ok bool) {
	full, err := filepath.Abs(path)
	if err != nil {
		return 0, false
	}
	for {
		var s unix.Statfs_t
		if unix.Statfs(full, &s) == nil {
			return int64(s.Bavail) * int64(s.Bsize), true //nolint:unconvert // another type on other systems
		}
		if full == filepath.Dir(full) {
			return 0, false
		}
		full = filepath.Dir(full)
	}
}
