package resemble

import (
	"slices"

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
	last             uint32 // the document in a, if any
	lastOwn          []uint64
	lastDropped      int
	often            bool // a is compared with enough documents to be worth the table
	probe            probe
	probed           bool // the table holds lastOwn
}

// begin says how many documents the next document a is compared with.
func (c *comparer) begin(pairs int) { c.often, c.probed = pairs > 2, false }

// overlap counts two sets that pair has returned. If they have fewer than least values in common, Both may be any
// number below least.
func (c *comparer) overlap(as, bs []uint64, least int) shingles.Overlap {
	if !c.often || len(as) > maxProbe || len(bs) > lopsided*len(as) || len(as) > lopsided*len(bs) || len(bs) == 0 || &as[0] != &c.lastOwn[0] || len(as) != len(c.lastOwn) {
		return overlap(as, bs)
	}
	if !c.probed {
		c.probe.set(as)
		c.probed = true
	}
	return shingles.Overlap{A: len(as), B: len(bs), Both: c.probe.common(bs, least)}
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
		as = c.across(&c.acrossA, as, hostB)
	}
	if droppedA > 0 {
		bs = c.across(&c.acrossB, bs, hostA)
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

func (c *comparer) across(buffer *[]uint64, values []uint64, host uint32) []uint64 {
	own, _ := c.own(buffer, values, host)
	return own
}

// lopsided is how many times larger one set must be to search it instead of merging.
const lopsided = 16

// overlap counts two ascending sets.
func overlap(a, b []uint64) shingles.Overlap {
	o := shingles.Overlap{A: len(a), B: len(b)}
	switch {
	case len(a)*lopsided < len(b):
		o.Both = found(a, b)
	case len(b)*lopsided < len(a):
		o.Both = found(b, a)
	default:
		o.Both = sets.Common(a, b)
	}
	return o
}

// found counts the values of a small set that are in a large one, such as those of a chapter in a book. It finds each
// value, starting from the previous one, by a search at doubling distances.
func found(small, large []uint64) (both int) {
	for _, v := range small {
		step := 1
		for step < len(large) && large[step] < v {
			step *= 2
		}
		at, ok := slices.BinarySearch(large[:min(step+1, len(large))], v)
		both += toInt(ok)
		large = large[at:]
	}
	return both
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
