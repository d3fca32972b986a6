package framed

import (
	"os"
	"syscall"
)

// Flags of fallocate(2).
const (
	keepSize  = 1
	punchHole = 2
)

// punch replaces a range of a file by zeros. Whole pages of zeros take no room.
func punch(f *os.File, at, n int64) error {
	for {
		if err := syscall.Fallocate(int(f.Fd()), keepSize|punchHole, at, n); err != syscall.EINTR {
			return os.NewSyscallError("fallocate", err)
		}
	}
}
