package resemble

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestVersionsBeyondMaxCommon makes more versions of each of two texts of one host than a shingle may have pages. All are
// found, by pairs in proportion to their number, whatever the resources.
func TestVersionsBeyondMaxCommon(t *testing.T) {
	const n, most, reach = 600, 50, 4
	m := newMaker()
	texts := [2][]uint64{m.values(170), m.values(300)}
	for i := range n {
		m.add(1, texts[i%2], m.values(20+i%20))
	}
	alone := m.add(1, m.values(150))
	p := prepare(t, m.docs, true)
	if p.strip.Of(1) != nil {
		t.Errorf("%d of the shingles are boilerplate", len(p.strip.Of(1)))
	}
	c := Config{MaxCommon: most, Reach: reach, MaxPairs: 2000}
	want, stats := p.pairs(t, c)
	if stats.MostlyIgnored < n*9/10 || len(want) > n*(reach+2)*20 {
		t.Errorf("%d pairs, %+v", len(want), stats)
	}
	of := make([]uint32, len(m.docs))
	for i := range of {
		of[i] = uint32(i)
	}
	root := func(id uint32) uint32 {
		for of[id] != id {
			id = of[id]
		}
		return id
	}
	for _, x := range want {
		a, b := root(x.A), root(x.B)
		of[max(a, b)] = min(a, b)
	}
	for id := range uint32(n) {
		if root(id) != id%2 {
			t.Fatalf("document %d is connected to %d", id, root(id))
		}
	}
	if root(alone) != alone {
		t.Error("a text of its own has a pair")
	}
	for _, r := range []Resources{{Workers: 1, Memory: 1 << 20}, {Workers: 5, Memory: 1 << 30}} {
		c.Resources = r
		if got, s := p.pairs(t, c); !slices.Equal(got, want) || cmp.Diff(s, stats) != "" {
			t.Errorf("%+v: %d pairs, %+v", r, len(got), s)
		}
	}
}
