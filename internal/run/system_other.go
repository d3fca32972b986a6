//go:build !unix

package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// lock is a file next to the folder. After a crash the user must remove it; the error names it.
type lock struct{ path string }

func lockDir(path string) (*lock, error) {
	name := path + ".lock"
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s: %w (if it has died, remove %s)", path, ErrLocked, name)
	}
	if err != nil {
		return nil, err
	}
	return &lock{name}, f.Close()
}

func (l *lock) unlock() error { return os.Remove(l.path) }

// cpuSeconds returns 0, because this system does not report it.
func cpuSeconds() float64 { return 0 }
