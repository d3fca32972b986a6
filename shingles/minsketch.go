package shingles

import "slices"

// DefaultS is the number of samples of a MIN_s sketch if none is given.
const DefaultS = 200

// MinSketch is MIN_s: the s smallest values of a set, or all values if there are fewer; then estimates are exact. Its
// size does not grow with the document, so it estimates resemblance, but the containment of a small document in a large
// one would rest on few samples. Common shingles cannot be dropped afterwards, because the values that they pushed out
// are gone. Hence there is no Drop.
//
// The sketch is a heap with the largest value on top, and a hash table that keeps repeats out. Under option A there are
// no repeats, and only the few values that enter the heap are looked up in the table. TreeMinSketch holds the same
// samples in an ordered tree.
//
// The zero value is an empty sketch with s=200. The first method that reads the sketch after values were added must not
// run concurrently with any other; later reads may.
type MinSketch struct {
	s      int
	heap   []uint64
	member members
	sorted []uint64 // the heap in ascending order, or nil
}

// NewMinSketch returns an empty MIN_s; s of 0 or less means DefaultS.
func NewMinSketch(s int) *MinSketch { return &MinSketch{s: clampS(s)} }

// clampS limits s to 0 to maxS.
func clampS(s int) int { return min(max(s, 0), maxS) }

// S returns the number of samples kept.
func (m *MinSketch) S() int { return orDefault(m.s, DefaultS) }

// Add adds one value.
func (m *MinSketch) Add(v uint64) { m.AddAll([]uint64{v}) }

// AddAll adds values. Once the sketch holds s values, nearly all others fail the first test.
func (m *MinSketch) AddAll(values []uint64) {
	s := m.S()
	for _, v := range values {
		if len(m.heap) < s || v < m.heap[0] {
			m.put(v, s)
		}
	}
}

func (m *MinSketch) put(v uint64, s int) {
	if m.member.has(v) {
		return
	}
	m.sorted = nil
	if len(m.heap) < s {
		m.heap = append(m.heap, v)
		up(m.heap)
	} else {
		m.heap[0] = v
		down(m.heap)
	}
	m.member.add(v, m.heap)
}

// Merge makes m the sketch of the union of both sets.
func (m *MinSketch) Merge(b *MinSketch) error {
	if m.S() != b.S() {
		return ErrMismatch
	}
	m.AddAll(b.Values())
	return nil
}

// Values returns the samples in ascending order. They belong to the sketch.
func (m *MinSketch) Values() []uint64 {
	if m.sorted == nil && len(m.heap) > 0 {
		m.sorted = slices.Clone(m.heap)
		slices.Sort(m.sorted)
	}
	return m.sorted
}

// Len returns the number of samples.
func (m *MinSketch) Len() int { return len(m.heap) }

// Reset empties the sketch and keeps its memory.
func (m *MinSketch) Reset() {
	m.heap, m.sorted = m.heap[:0], nil
	m.member.reset()
}

// Estimate compares the s smallest values of the union of both sets, all of which are in one of the two sketches, in
// O(s).
func (m *MinSketch) Estimate(b *MinSketch) (Overlap, error) {
	if m.S() != b.S() {
		return Overlap{}, ErrMismatch
	}
	return overlap(m.Values(), b.Values(), m.S()), nil
}

// load makes m the sketch with the given ascending distinct values, at most s. It keeps the slice.
func (m *MinSketch) load(s int, values []uint64) {
	*m = MinSketch{s: s, sorted: values, heap: slices.Clone(values)}
	slices.Reverse(m.heap)
	m.member.rebuild(m.heap)
}

// up moves the last value to its place.
func up(h []uint64) {
	i := len(h) - 1
	v := h[i]
	for i > 0 && h[(i-1)/2] < v {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = v
}

// down moves the first value to its place.
func down(h []uint64) {
	i, v := 0, h[0]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1] > h[child] {
			child++
		}
		if h[child] <= v {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = v
}
