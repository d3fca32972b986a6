//go:build unix

package scratch

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// newBlock creates, removes and maps a temporary file. The kernel deletes the file when it is unmapped or the process
// ends.
func newBlock(dir string, n int64) ([]byte, error) {
	f, err := os.CreateTemp(dir, "lshclust-*.scratch")
	if err != nil {
		return nil, fmt.Errorf("buffer of %d bytes: %w", n, err)
	}
	defer f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return nil, err
	}
	if err := reserve(f, n); err != nil {
		return nil, fmt.Errorf("buffer of %d bytes: %w", n, err)
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(n), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("buffer of %d bytes: mmap: %w", n, err)
	}
	return b, nil
}

func unmap(b []byte) { _ = unix.Munmap(b) }

// writeZeros reserves the blocks of a file. If the disk is full, writing to a mapped page that has no block kills the
// process.
func writeZeros(f *os.File, n int64) error {
	zeros := make([]byte, min(n, 256<<10))
	for n > 0 {
		m, err := f.Write(zeros[:min(n, int64(len(zeros)))])
		if err != nil {
			return err
		}
		n -= int64(m)
	}
	return nil
}
