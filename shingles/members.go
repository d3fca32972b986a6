package shingles

// members is a hash table of the values in a heap. A value that leaves the heap stays in the table, which does no harm:
// it is no longer below the top of the heap, so it is never looked up. When the table is half full, it is rebuilt from
// the heap.
type members struct {
	slots []uint64 // a power of two; 0 is free
	used  int
	zero  bool // the value 0 is a member
}

func (m *members) has(v uint64) bool {
	if v == 0 || len(m.slots) == 0 {
		return m.zero && v == 0
	}
	mask := uint64(len(m.slots) - 1)
	for i := slotOf(v) & mask; ; i = (i + 1) & mask {
		if m.slots[i] == v || m.slots[i] == 0 {
			return m.slots[i] == v
		}
	}
}

// add adds a value that is already in the heap.
func (m *members) add(v uint64, heap []uint64) {
	if 2*(m.used+1) > len(m.slots) {
		m.rebuild(heap)
		return
	}
	m.insert(v)
}

func (m *members) insert(v uint64) {
	if v == 0 {
		m.zero = true
		return
	}
	mask := uint64(len(m.slots) - 1)
	i := slotOf(v) & mask
	for m.slots[i] != 0 {
		i = (i + 1) & mask
	}
	m.slots[i] = v
	m.used++
}

// rebuild fills the table with the heap alone, and leaves room for as many values again.
func (m *members) rebuild(heap []uint64) {
	size := max(64, len(m.slots))
	for size < 4*(len(heap)+1) {
		size *= 2
	}
	m.zero, m.used = false, 0
	if size == len(m.slots) {
		clear(m.slots)
	} else {
		m.slots = make([]uint64, size)
	}
	for _, v := range heap {
		m.insert(v)
	}
}

func (m *members) reset() {
	clear(m.slots)
	m.used, m.zero = 0, false
}

// slotOf spreads values, all of which may be multiples of m.
func slotOf(v uint64) uint64 { return v * mixA >> 32 }
