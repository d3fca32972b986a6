package resemble

import (
	"testing"
)

// If there are more samples of short documents than the filter may hold, long documents are searched for those of the
// next tier, and in the end for none.
func TestAcrossManyShort(t *testing.T) {
	m := newMaker()
	for _, n := range []int{79, 399, 4000} {
		m.add(0, m.values(n))
	}
	docs := m.docs
	equal, tiers := find(t, docs), newTiers(25)
	for most, want := range map[uint64]uint8{25 + 31: 0, 25 + 30: 2, 12 + 31: 2, 12 + 30: 3, 6 + 31: 3, 6 + 30: 4} {
		if a := newAcross(docs, equal, &tiers, most); a.from != want {
			t.Errorf("at most %d: from tier %d, want %d", most, a.from, want)
		}
	}
}
