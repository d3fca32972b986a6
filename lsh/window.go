package lsh

import "github.com/lshclust/lshclust/minhash"

// window is some rows that are compared with one another. It holds copies of the rows that are needed, first of the low
// bytes, then of whole rows. The original of a row is not in a cache, and perhaps on a disk, and it is used for several
// pairs. When many rows are copied one after another, the processor waits for them together.
type window struct {
	rows       []uint32
	low, whole copies
}

// load fills the window with the rows of the records.
func (w *window) load(s *search, records ...[]uint64) {
	w.rows = w.rows[:0]
	for _, list := range records {
		for _, r := range list {
			w.rows = append(w.rows, s.row(r))
		}
	}
	w.low.reset(w.rows, s.low, s.stride, s.x.M, minhash.LowMask)
	w.whole.reset(w.rows, s.sigs.Rows, 3*s.x.M, 3*s.x.M, minhash.Mask)
}

// copies holds some bytes of each row of a window.
type copies struct {
	rows      []uint32
	source    []byte
	stride    int // bytes from row to row of source
	size      int // bytes that are copied of each row
	compare   func(a, b []byte) minhash.Bits
	bytes     []byte
	requested []bool // by place, whether the row is copied or wanted
	wanted    []int
}

func (c *copies) reset(rows []uint32, source []byte, stride, size int, compare func(a, b []byte) minhash.Bits) {
	c.rows, c.source, c.stride, c.size, c.compare = rows, source, stride, size, compare
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
	for _, i := range c.wanted {
		at := int(c.rows[i]) * c.stride
		copy(c.bytes[i*c.size:(i+1)*c.size], c.source[at:at+c.size])
	}
	c.wanted = c.wanted[:0]
}

// mask returns the set of equal signatures of two fetched rows, or of equal low bytes if only these are copied.
func (c *copies) mask(i, j int32) minhash.Bits {
	a, b := int(i)*c.size, int(j)*c.size
	return c.compare(c.bytes[a:a+c.size], c.bytes[b:b+c.size])
}
