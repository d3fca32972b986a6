package shingles

import "github.com/google/btree"

// TreeMinSketch is MIN_s in an ordered tree without repeats, the structure that [S2] proposes for option B. It holds
// the same samples as MinSketch and is always in order, but takes longer to fill: 83 ns a value against 18 for
// documents of 1,000 shingles, 4.5 against 1.7 for documents of 100,000. Prefer MinSketch.
//
// The zero value is an empty sketch with s=200.
type TreeMinSketch struct {
	s    int
	tree *btree.BTreeG[uint64]
	top  uint64 // the largest value, when s are held
}

// NewTreeMinSketch returns an empty MIN_s; s of 0 or less means DefaultS.
func NewTreeMinSketch(s int) *TreeMinSketch { return &TreeMinSketch{s: clampS(s)} }

// S returns the number of samples kept.
func (m *TreeMinSketch) S() int { return orDefault(m.s, DefaultS) }

// Add adds one value.
func (m *TreeMinSketch) Add(v uint64) {
	if m.tree == nil {
		m.tree = btree.NewOrderedG[uint64](32)
	}
	if m.tree.Len() == m.S() && v >= m.top {
		return
	}
	m.tree.ReplaceOrInsert(v)
	if m.tree.Len() > m.S() {
		m.tree.DeleteMax()
	}
	m.top, _ = m.tree.Max()
}

// AddAll adds values.
func (m *TreeMinSketch) AddAll(values []uint64) {
	for _, v := range values {
		m.Add(v)
	}
}

// Merge makes m the sketch of the union of both sets.
func (m *TreeMinSketch) Merge(b *TreeMinSketch) error {
	if m.S() != b.S() {
		return ErrMismatch
	}
	m.AddAll(b.Values())
	return nil
}

// Values returns a copy of the sample in ascending order.
func (m *TreeMinSketch) Values() []uint64 {
	values := make([]uint64, 0, m.Len())
	if m.tree != nil {
		m.tree.Ascend(func(v uint64) bool {
			values = append(values, v)
			return true
		})
	}
	return values
}

// Len returns the number of samples.
func (m *TreeMinSketch) Len() int {
	if m.tree == nil {
		return 0
	}
	return m.tree.Len()
}

// Reset empties the sketch.
func (m *TreeMinSketch) Reset() { m.tree = nil }

// Estimate compares the s smallest values of the union of both sets.
func (m *TreeMinSketch) Estimate(b *TreeMinSketch) (Overlap, error) {
	if m.S() != b.S() {
		return Overlap{}, ErrMismatch
	}
	return overlap(m.Values(), b.Values(), m.S()), nil
}
