package shingles

import "github.com/lshclust/lshclust/internal/scratch"

// labels counts how often each value has occurred in the document, for option A. It is a hash table with open
// addressing that is at most half full. Its slots carry the number of their document, so that a new document need not
// clear the table.
type labels struct {
	slots []labelSlot // a power of two
	used  int
	epoch uint32
	room  *scratch.Pool
}

type labelSlot struct {
	value uint64
	count uint32
	epoch uint32
}

const (
	minSlots = 1 << 10
	// labelStep combines the label with the value before both are permuted again.
	labelStep = 0x9e3779b97f4a7c15
)

// reset forgets the document. It also drops a table that is far too large for it.
func (l *labels) reset() {
	l.epoch++
	if l.epoch == 0 || (len(l.slots) > 1<<16 && l.used < len(l.slots)/64) {
		l.slots, l.epoch = nil, 1
	}
	l.used = 0
}

// apply replaces the k-th occurrence of a value, for k over 1, by another value of the same width: that of (shingle,
// k).
func (l *labels) apply(values []uint64, permute func(uint64) uint64) {
	if len(l.slots) == 0 {
		l.slots = make([]labelSlot, minSlots)
	}
	for i, v := range values {
		if k := l.occurrence(v); k > 1 {
			values[i] = permute(v + uint64(k-1)*labelStep)
		}
	}
}

// occurrence counts v and returns how often it has occurred, including this time.
func (l *labels) occurrence(v uint64) uint32 {
	mask := uint64(len(l.slots) - 1)
	for i := v & mask; ; i = (i + 1) & mask {
		slot := &l.slots[i]
		if slot.epoch != l.epoch {
			*slot = labelSlot{value: v, count: 1, epoch: l.epoch}
			l.used++
			if 2*l.used > len(l.slots) {
				l.grow()
			}
			return 1
		}
		if slot.value == v {
			slot.count++
			return slot.count
		}
	}
}

// grow doubles the table.
func (l *labels) grow() {
	old := l.slots
	l.slots = scratch.Grow(l.room, []labelSlot(nil), 2*len(old))[:2*len(old)]
	mask := uint64(len(l.slots) - 1)
	for _, slot := range old {
		if slot.epoch != l.epoch {
			continue
		}
		i := slot.value & mask
		for l.slots[i].epoch == l.epoch {
			i = (i + 1) & mask
		}
		l.slots[i] = slot
	}
}
