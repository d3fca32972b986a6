package huge

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// least is the size from which on asking for huge pages is worthwhile.
const least = 4 << 20

// advise asks the kernel for huge pages.
func advise(b []byte) {
	if len(b) < least {
		return
	}
	page := os.Getpagesize()
	skip := -int(uintptr(unsafe.Pointer(&b[0]))) & (page - 1)
	if whole := (len(b) - skip) &^ (page - 1); whole >= least {
		_ = unix.Madvise(b[skip:skip+whole], unix.MADV_HUGEPAGE) // advice only
	}
}
