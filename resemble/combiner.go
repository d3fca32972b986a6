package resemble

import (
	"encoding/binary"
	"math/bits"

	"github.com/lshclust/lshclust/extsort"
)

// combiner adds up pairs that occur again soon, as those of near copies and of pages of one template do, so that fewer
// records are sorted: for two thousand licences, one in thirty. It is a table in which a pair pushes out another one at
// its place. Which triples <id, id, count> come out depends on the order of the pairs; their sums do not.
type combiner struct {
	out   *extsort.Appender
	slots []counted
	shift uint
	buf   []byte // records pushed out
}

type counted struct {
	pair uint64
	n    uint32 // 0 if the place is free
}

// maxSlots is the size of a table of 16 MiB.
const maxSlots = 1 << 20

// newCombiner returns a table that takes at most a sixteenth of the memory.
func newCombiner(out *extsort.Appender, r Resources) combiner {
	slots := min(maxSlots, max(uint64(r.memory())/uint64(256*r.workers()), 1<<8))
	width := uint(bits.Len64(slots) - 1)
	return combiner{out: out, slots: make([]counted, 1<<width), shift: 64 - width}
}

func (c *combiner) add(pair uint64) {
	s := &c.slots[pair*0x9e3779b97f4a7c15>>c.shift]
	if s.pair == pair && s.n > 0 {
		s.n++
		return
	}
	if s.n > 0 {
		c.push(*s)
	}
	*s = counted{pair, 1}
}

func (c *combiner) push(s counted) {
	c.buf = binary.BigEndian.AppendUint64(c.buf, s.pair)
	c.buf = binary.BigEndian.AppendUint32(c.buf, s.n)
}

// spill appends the records that were pushed out.
func (c *combiner) spill() error {
	err := c.out.AppendAll(c.buf)
	c.buf = c.buf[:0]
	return err
}

// close appends all that is left.
func (c *combiner) close() error {
	for i, s := range c.slots {
		if s.n > 0 {
			c.push(s)
		}
		if i%1024 == 0 {
			if err := c.spill(); err != nil {
				return err
			}
		}
	}
	return c.spill()
}
