// Package scratch gives room to buffers that may become large. Up to a share a buffer is memory of the process; beyond, it is
// a temporary file that is mapped, whose pages the kernel writes out and drops when memory is short. So how much a single
// page of a crawl takes, however it is made, is no matter of the memory that there is.
//
// The one rule: blocks are given back by hand. What [Grow] returned must not be touched once its Pool was freed.
package scratch

import (
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"
)

// Space says where large buffers are, and from which size on. It is safe for concurrent use. Nil is a space of memory alone.
type Space struct {
	dir   string
	share int64
}

// New makes a space: a buffer of more than share bytes is a file in dir, or in the usual directory for temporary files if
// that is "".
func New(dir string, share int64) *Space {
	if harsh := harshShare.Load(); harsh > 0 {
		return &Space{dir, harsh}
	}
	return &Space{dir, max(share, minShare)}
}

// minShare is worth a file.
const minShare = 64 << 10

// Share is the number of bytes of a buffer that is memory of the process.
func (s *Space) Share() int64 {
	if s == nil {
		return 1<<63 - 1
	}
	return s.share
}

// Pool holds the blocks of one owner, such as a record of the input. Nil is a pool of memory alone. It is used by one goroutine
// at a time; Hold and Free are safe for concurrent use. What a pool that nobody has any more did not give back goes too.
type Pool struct {
	space *Space
	held  *blocks
	more  atomic.Int32 // owners beside the first
}

type blocks [][]byte

func (b *blocks) free() {
	for _, block := range *b {
		giveBack(block)
	}
	*b = nil
}

// Pool makes an empty pool.
func (s *Space) Pool() *Pool {
	if s == nil {
		return nil
	}
	p := &Pool{space: s, held: new(blocks)}
	runtime.AddCleanup(p, (*blocks).free, p.held)
	return p
}

// Share is that of the space.
func (p *Pool) Share() int64 {
	if p == nil {
		return (*Space)(nil).Share()
	}
	return p.space.Share()
}

// Large tells whether a part of what the pool gave is a file.
func (p *Pool) Large() bool { return p != nil && len(*p.held) > 0 }

// Hold makes one more owner, who will call Free too.
func (p *Pool) Hold() {
	if p != nil {
		p.more.Add(1)
	}
}

// Free gives the blocks back, once every owner has called it. The pool can be used again.
func (p *Pool) Free() {
	if p == nil || p.more.Add(-1) >= 0 {
		return
	}
	p.more.Store(0)
	p.held.free()
}

// Grow returns s with room for n more elements, as slices.Grow does. T must be free of pointers, or the collector loses
// what they point to. s stays as it was until the pool is freed.
func Grow[T any](p *Pool, s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	var t T
	size := int64(unsafe.Sizeof(t))
	want := max(int64(len(s)+n), 2*int64(cap(s)))
	if want*size <= p.Share() || p == nil {
		return slices.Grow(s, n)
	}
	b, err := takeBlock(p.space.dir, want*size)
	if err != nil {
		return slices.Grow(s, n) // no room, or no such directory: what is written next tells it
	}
	*p.held = append(*p.held, b)
	return append(unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), want)[:0], s...)
}

// Append appends bytes as append does.
func Append[T any](p *Pool, s []T, more ...T) []T {
	return append(Grow(p, s, len(more)), more...)
}
