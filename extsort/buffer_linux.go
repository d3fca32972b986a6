package extsort

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// newBuffer makes a buffer and asks the kernel for huge pages. Without them, scattering records over 256 places of a
// large buffer misses the TLB at each step (23 ns a record instead of 13 ns, measured on 10 million records of 12
// bytes).
func newBuffer(n int) []byte {
	b := make([]byte, n)
	page := os.Getpagesize()
	skip := -int(uintptr(unsafe.Pointer(&b[0]))) & (page - 1)
	if whole := (n - skip) &^ (page - 1); whole >= 4<<20 {
		_ = unix.Madvise(b[skip:skip+whole], unix.MADV_HUGEPAGE) // advice only
	}
	return b
}
