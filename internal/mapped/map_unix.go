//go:build unix

package mapped

import (
	"fmt"
	"os"
	"unsafe"

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

// adviseScattered tells the kernel whether to read ahead.
func adviseScattered(data []byte, scattered bool) {
	advice := unix.MADV_NORMAL
	if scattered {
		advice = unix.MADV_RANDOM
	}
	if len(data) > 0 {
		_ = unix.Madvise(data, advice) // advice only
	}
}

// adviseNeeded asks the kernel to start reading b, which is part of data.
func adviseNeeded(data, b []byte) {
	if len(b) == 0 {
		return
	}
	page := os.Getpagesize()
	from := int(uintptr(unsafe.Pointer(&b[0])) - uintptr(unsafe.Pointer(&data[0])))
	_ = unix.Madvise(data[from&^(page-1):from+len(b)], unix.MADV_WILLNEED) // advice only
}
