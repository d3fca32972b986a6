package resemble

import "testing"

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
		members += toInt(int(rep) != id)
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
		same += toInt(near[id] == of[id])
	}
	if share(same, len(near)) < 0.9 {
		t.Errorf("by sketches %d of %d documents are where they are by all shingles", same, len(near))
	}
}
