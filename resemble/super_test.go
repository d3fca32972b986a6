package resemble

import (
	"testing"

	"github.com/lshclust/lshclust/internal/sets"
)

// changed adds pairs of documents of the given size with the given resemblance.
func changed(m *maker, n, size int, resemblance float64) {
	common := int(resemblance * 2 * float64(size) / (1 + resemblance)) // r = c/(2·size-c)
	for range n {
		text := m.values(common)
		m.add(0, text, m.values(size-common))
		m.add(0, text, m.values(size-common))
	}
}

// Super-shingles find near copies, and only similar documents.
func TestSuperPairs(t *testing.T) {
	m := newMaker()
	changed(m, 100, 5000, 0.95)
	changed(m, 100, 5000, 0.4)
	p := prepare(t, m.docs, false)
	var got []Pair
	if _, err := SuperPairs(background, p.docs, p.equal, p.strip, Config{}, collect(&got)); err != nil {
		t.Fatal(err)
	}
	if len(got) != 100 {
		t.Errorf("%d pairs, want the 100 near copies", len(got))
	}
	for _, x := range got {
		if x.B != x.A+1 || x.Resemblance() < 0.9 {
			t.Errorf("%+v", x)
		}
	}
}

// Members of greedy clusters resemble their representatives, which do not resemble one another.
func TestGreedy(t *testing.T) {
	docs := graded()
	docs = append(docs, docs[3])
	p := prepare(t, docs, true)
	of, estimate, err := Greedy(background, docs, p.equal, p.strip, Config{M: 1})
	if err != nil {
		t.Fatal(err)
	}
	members := 0
	for id, rep := range of {
		r, _ := Compare(docs, p.strip, uint32(id), rep).Overlap().Resemblance()
		if of[rep] != rep || r < 0.5 {
			t.Errorf("%d is with %d, which it resembles by %.2f", id, rep, r)
		}
		if d := r - float64(estimate[id]); d > 1e-6 || d < -1e-6 {
			t.Errorf("%d: estimate %.3f, exact %.3f", id, estimate[id], r)
		}
		members += sets.One(int(rep) != id)
	}
	if members < 100 || of[len(docs)-1] != of[3] {
		t.Errorf("%d members; the copy is with %d, not with %d", members, of[len(docs)-1], of[3])
	}
	for a := range uint32(len(docs)) {
		for b := a + 1; b < uint32(len(docs)); b++ {
			if of[a] == a && of[b] == b {
				if r := Compare(docs, p.strip, a, b).Resemblance(); r >= 0.5 {
					t.Errorf("%d and %d are both representatives, with resemblance %.2f", a, b, r)
				}
			}
		}
	}
	near, _, err := Greedy(background, docs, p.equal, p.strip, Config{})
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for id := range near {
		same += sets.One(near[id] == of[id])
	}
	if share(same, len(near)) < 0.9 {
		t.Errorf("by sketches %d of %d documents are where they are by all shingles", same, len(near))
	}
}
