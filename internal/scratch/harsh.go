package scratch

import "sync/atomic"

// harshShare is the share that Harsh has set, 0 for none.
var harshShare atomic.Int64

// Harsh is for tests of those who use blocks: until restore is called, the share of every new Space is so many bytes, a block is
// memory that the race detector watches, and what is in it is overwritten when it is given back, so that who reads it later reads
// something else. Blocks must be taken and given back between the two calls.
func Harsh(share int64) (restore func()) {
	harshShare.Store(max(1, share))
	return func() { harshShare.Store(0) }
}

// spoilt is what a block holds that was given back.
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
