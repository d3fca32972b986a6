package lsh

import "github.com/lshclust/lshclust/minhash"

// window is some rows that are compared with one another. Of those that are
// needed it holds copies, first of the low bytes, then of all: a row is far away in
// memory, perhaps on a disk, and is used for several pairs, and copying many one
// after another lets the processor wait for them together.
type window struct {
	rows       []uint32
	low, whole copies
}

// load makes the window hold the rows of the records.
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
	stride    int // from row to row of source
	size      int // that are copied
	compare   func(a, b []byte) minhash.Bits
	bytes     []byte
	requested []bool // whether the place is filled or wanted
	wanted    []int
}

func (c *copies) reset(rows []uint32, source []byte, stride, size int, compare func(a, b []byte) minhash.Bits) {
	c.rows, c.source, c.stride, c.size, c.compare = rows, source, stride, size, compare
	if len(c.requested) < len(rows) {
		c.requested, c.bytes = make([]bool, len(rows)), make([]byte, len(rows)*size)
	}
	clear(c.requested[:len(rows)])
}

// need asks for the row at a place.
func (c *copies) need(i int) {
	if !c.requested[i] {
		c.requested[i] = true
		c.wanted = append(c.wanted, i)
	}
}

// fetch copies the rows that were asked for.
func (c *copies) fetch() {
	for _, i := range c.wanted {
		at := int(c.rows[i]) * c.stride
		copy(c.bytes[i*c.size:(i+1)*c.size], c.source[at:at+c.size])
	}
	c.wanted = c.wanted[:0]
}

// mask is the set of equal signatures of two fetched rows, as far as the copies
// tell.
func (c *copies) mask(i, j int32) minhash.Bits {
	a, b := int(i)*c.size, int(j)*c.size
	return c.compare(c.bytes[a:a+c.size], c.bytes[b:b+c.size])
}
