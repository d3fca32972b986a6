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

// punch replaces a range of a file by zeros. Whole pages of them take no room.
func punch(f *os.File, at, n int64) error {
	return os.NewSyscallError("fallocate", syscall.Fallocate(int(f.Fd()), keepSize|punchHole, at, n))
}
