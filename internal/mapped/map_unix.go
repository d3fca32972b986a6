//go:build unix

package mapped

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// mapFile maps path into memory, shared and read-only.
func mapFile(path string) ([]byte, func() error, error) {
	r, size, err := openRegular(path)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	if size == 0 { // cannot be mapped, and is too short for any table
		return nil, func() error { return nil }, nil
	}
	data, err := unix.Mmap(int(r.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: mmap of %d bytes: %w", path, size, err)
	}
	return data, func() error { return unix.Munmap(data) }, nil
}
