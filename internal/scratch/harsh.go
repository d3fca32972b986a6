package scratch

import "sync/atomic"

// harshShare is the share that Harsh has set, or 0.
var harshShare atomic.Int64

// Harsh is for tests of code that uses a Pool. Until restore is called, every new Space has the given share, memory
// that the race detector watches replaces files, and Free overwrites the memory, so that code that reads it later
// reads other bytes. A Pool must be used and freed between the two calls.
func Harsh(share int64) (restore func()) {
	harshShare.Store(max(1, share))
	return func() { harshShare.Store(0) }
}

// spoilt is the byte with which Free overwrites memory.
const spoilt = 0xAA

func takeBlock(dir string, n int64) ([]byte, error) {
	if harshShare.Load() > 0 {
		return make([]byte, n), nil
	}
	return newBlock(dir, n)
}

func giveBack(b []byte) {
	if harshShare.Load() == 0 {
		unmap(b)
		return
	}
	for i := range b {
		b[i] = spoilt
	}
}
