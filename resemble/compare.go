package resemble

import (
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/shingles"
)

// Compare counts what two documents have in common. It leaves out the boilerplate of both their hosts from both
// documents, so that a page is compared by its text with a mirror on a host whose template is unknown. A document that
// would be thin loses only the boilerplate of its own host, or none (see Boilerplate). For Sketches the result is an
// estimate.
func Compare(docs Documents, strip *Boilerplate, a, b uint32) Pair {
	c := comparer{docs: docs, strip: strip}
	if s, ok := sketched(docs); ok {
		return c.estimate(s, a, b)
	}
	return Pair{A: a, B: b, Exact: overlap(c.pair(a, b))}
}

// comparer compares documents without their boilerplate. Each goroutine has its own.
type comparer struct {
	docs             Documents
	strip            *Boilerplate
	wholeA, wholeB   []uint64 // buffers: the whole sets
	a, b             []uint64 // without the document's own boilerplate
	acrossA, acrossB []uint64 // without the other host's boilerplate
	sampleA, sampleB []uint64
	outline          []uint32
	last             uint32 // the document in a, if any
	lastOwn          []uint64
	lastDropped      int
}

// pair returns the values of two documents to compare, valid until the next call. Consecutive pairs with the same a
// take less time.
func (c *comparer) pair(a, b uint32) (as, bs []uint64) {
	hostA, hostB := c.docs.Host(a), c.docs.Host(b)
	if c.lastOwn == nil || c.last != a {
		c.lastOwn, c.lastDropped = c.own(&c.a, valuesIn(&c.wholeA, c.docs, a), hostA)
		c.last = a
	}
	as, droppedA := c.lastOwn, c.lastDropped
	bs, droppedB := c.own(&c.b, valuesIn(&c.wholeB, c.docs, b), hostB)
	if hostA == hostB {
		return as, bs
	}
	if droppedB > 0 {
		as, _ = c.own(&c.acrossA, as, hostB)
	}
	if droppedA > 0 {
		bs, _ = c.own(&c.acrossB, bs, hostA)
	}
	return as, bs
}

// own is Boilerplate.Own with a buffer that it keeps.
func (c *comparer) own(buffer *[]uint64, values []uint64, host uint32) ([]uint64, int) {
	own, dropped := c.strip.Own((*buffer)[:0], host, values)
	if dropped > 0 {
		*buffer = own
	}
	return own, dropped
}

// overlap counts two ascending sets.
func overlap(a, b []uint64) shingles.Overlap {
	return shingles.Overlap{A: len(a), B: len(b), Both: sets.Common(a, b)}
}
