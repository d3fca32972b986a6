package lsh

import (
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/minhash"
)

// window is some rows that are compared with one another. It holds copies of the rows that are needed: the low bytes of
// all rows, and some whole rows. The original of a row is not in a cache, and perhaps on a disk, and it is used for
// several pairs. When many rows are copied one after another, the processor waits for them together.
type window struct {
	rows  []uint32
	low   []byte // judgeStride or more bytes for each row
	size  int    // low bytes of a row
	step  int    // bytes from one row of low to the next
	whole copies
}

// load fills the window with the rows of the records.
func (w *window) load(s *search, records ...[]uint64) {
	w.rows = w.rows[:0]
	for _, list := range records {
		for _, r := range list {
			w.rows = append(w.rows, s.row(r))
		}
	}
	w.size, w.step = s.x.M, max(s.x.M, judgeStride)
	if len(w.low) < len(w.rows)*w.step {
		w.low = make([]byte, (len(w.rows)+windowRecords)*w.step)
	}
	for from := 0; from < len(w.rows); from += atOnce {
		some := w.rows[from:min(from+atOnce, len(w.rows))]
		touch(s.low, some, s.stride, w.size)
		for i, row := range some {
			copy(w.low[(from+i)*w.step:][:w.size], s.low[int(row)*s.stride:])
		}
	}
	w.whole.reset(w.rows, s.sigs.Rows, 3*s.x.M)
}

// lowRow returns the low bytes of the row at a place, and what follows them up to the next row.
func (w *window) lowRow(i int) []byte { return w.low[i*w.step : (i+1)*w.step] }

// lowRows returns the low bytes of the rows at the places [from, to).
func (w *window) lowRows(from, to int) []byte { return w.low[from*w.step : to*w.step] }

// lowMask returns the set of the equal low bytes of two rows.
func (w *window) lowMask(i, j int) minhash.Bits {
	return minhash.LowMask(w.lowRow(i)[:w.size], w.lowRow(j)[:w.size])
}

// atOnce is the number of rows that touch brings into the caches at a time.
const atOnce = 64

// touch reads a byte of each cache line of some rows. Each byte takes so few instructions that the processor waits for
// many of them at once, which it does not do while it copies rows.
func touch(from []byte, rows []uint32, stride, size int) {
	var sum byte
	for _, row := range rows {
		bytes := from[int(row)*stride:][:size]
		for at := 0; at < size; at += 64 {
			sum += bytes[at]
		}
		sum += bytes[size-1]
	}
	runtime.KeepAlive(sum)
}

// copies holds some bytes of each row of a window.
type copies struct {
	rows      []uint32
	source    []byte
	size      int // bytes of a row
	bytes     []byte
	requested []bool // by place, whether the row is copied or wanted
	wanted    []int
}

func (c *copies) reset(rows []uint32, source []byte, size int) {
	c.rows, c.source, c.size = rows, source, size
	if len(c.requested) < len(rows) {
		c.requested, c.bytes = make([]bool, len(rows)), make([]byte, len(rows)*size)
	}
	clear(c.requested[:len(rows)])
}

// need requests the row at a place.
func (c *copies) need(i int) {
	if !c.requested[i] {
		c.requested[i] = true
		c.wanted = append(c.wanted, i)
	}
}

// fetch copies the rows that were requested.
func (c *copies) fetch() {
	var rows [atOnce]uint32
	for some := range slices.Chunk(c.wanted, atOnce) {
		for k, i := range some {
			rows[k] = c.rows[i]
		}
		touch(c.source, rows[:len(some)], c.size, c.size)
		for k, i := range some {
			at := int(rows[k]) * c.size
			copy(c.bytes[i*c.size:(i+1)*c.size], c.source[at:at+c.size])
		}
	}
	c.wanted = c.wanted[:0]
}

// mask returns the set of equal signatures of two fetched rows.
func (c *copies) mask(i, j int32) minhash.Bits {
	a, b := int(i)*c.size, int(j)*c.size
	return minhash.Mask(c.bytes[a:a+c.size], c.bytes[b:b+c.size])
}
