//go:build unix

package run

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lock is an exclusive flock on the folder itself. It leaves no file behind, and the kernel releases it when the
// process dies.
type lock struct{ f *os.File }

func lockDir(path string) (*lock, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return &lock{f}, nil
	}
	f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, fmt.Errorf("%s: %w", path, ErrLocked)
	}
	return nil, fmt.Errorf("%s: lock: %w", path, err)
}

func (l *lock) unlock() error { return l.f.Close() }

// cpuSeconds returns the user and system time of the process.
func cpuSeconds() float64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
