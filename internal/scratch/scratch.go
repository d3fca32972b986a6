// Package scratch allocates buffers that may become large. A buffer up to a share of the memory limit is ordinary
// memory. A larger one is a mapped temporary file, whose pages the kernel writes out and drops when memory is short.
// So a single page of a crawl can be read within any memory limit, however large it is.
//
// The caller must free the buffers, and must not use what [Grow] returned after [Pool.Free].
package scratch

import (
	"runtime"
	"slices"
	"unsafe"
)

// Space decides from which size on buffers are files, and where these files are. It is safe for concurrent use. A nil
// Space makes no files.
type Space struct {
	dir   string
	share int64
}

// New returns a Space in which a buffer of more than share bytes is a file in dir. If dir is "", files are in the
// default directory for temporary files.
func New(dir string, share int64) *Space {
	if harsh := harshShare.Load(); harsh > 0 {
		return &Space{dir, harsh}
	}
	return &Space{dir, max(share, minShare)}
}

// minShare is the smallest share. Smaller buffers are not worth a file.
const minShare = 64 << 10

// Share returns the size in bytes up to which a buffer is ordinary memory.
func (s *Space) Share() int64 {
	if s == nil {
		return 1<<63 - 1
	}
	return s.share
}

// Pool holds the files of one owner, such as a record of the input. A nil Pool makes no files. Only one goroutine may
// use a Pool at a time. The garbage collector frees a Pool that has become unreachable.
type Pool struct {
	space *Space
	held  *blocks
}

type blocks [][]byte

func (b *blocks) free() {
	for _, block := range *b {
		giveBack(block)
	}
	*b = nil
}

// Pool returns an empty pool.
func (s *Space) Pool() *Pool {
	if s == nil {
		return nil
	}
	p := &Pool{space: s, held: new(blocks)}
	runtime.AddCleanup(p, (*blocks).free, p.held)
	return p
}

// Share returns the share of the space.
func (p *Pool) Share() int64 {
	if p == nil {
		return (*Space)(nil).Share()
	}
	return p.space.Share()
}

// Large reports whether the pool holds a file.
func (p *Pool) Large() bool { return p != nil && len(*p.held) > 0 }

// Free frees the files. The pool may be used again.
func (p *Pool) Free() {
	if p != nil {
		p.held.free()
	}
}

// Grow returns s with room for n more elements, as slices.Grow does. T must not contain pointers, which the garbage
// collector would not see. The old s stays valid until the pool is freed.
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
		return slices.Grow(s, n) // no room, or no such directory: the next write will report it
	}
	*p.held = append(*p.held, b)
	return append(unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), want)[:0], s...)
}

// Append appends elements as append does.
func Append[T any](p *Pool, s []T, more ...T) []T {
	return append(Grow(p, s, len(more)), more...)
}

// Strings stores strings: in memory up to the share of Room, and beyond that in files. The zero value stores all
// strings in memory.
type Strings struct {
	Room *Pool
	held []byte
	size int64
}

// Keep returns a string equal to s that is valid until Reset.
func (k *Strings) Keep(s string) string {
	if k.size += int64(len(s)); k.size <= k.Room.Share() || s == "" {
		return s
	}
	k.held = append(Grow(k.Room, k.held, len(s)), s...)
	return unsafe.String(&k.held[len(k.held)-len(s)], len(s))
}

// Reset forgets all strings. Call it before the pool is freed.
func (k *Strings) Reset() { k.held, k.size = nil, 0 }
