package pipeline

import (
	"io/fs"
	"syscall"
)

// roomOf returns the bytes that a file takes on disk, possibly rounded up. Holes take none.
func roomOf(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return min(info.Size(), s.Blocks*512)
	}
	return info.Size()
}
