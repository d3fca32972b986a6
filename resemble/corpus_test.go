package resemble

import (
	"slices"
	"testing"
)

// clusters runs the whole pipeline and returns the size of the largest cluster.
func clusters(t *testing.T, docs Collection, strip bool, c Config) (largest int, stats Stats, p prepared) {
	p = prepare(t, docs, strip)
	pairs, stats := p.pairs(t, c)
	out, err := Cluster(background, p.equal, of(pairs), ClusterConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range out.Groups() {
		largest = max(largest, g.Documents)
	}
	return largest, stats, p
}

// 8,000 pages of one template with different texts; every tenth page has a near copy.
func TestOneTemplate(t *testing.T) {
	m := newMaker()
	menu := m.values(300)
	var last []uint64
	for i := range 8000 {
		text := m.values(60 + m.r.IntN(200))
		if i%10 == 1 {
			text = append(slices.Clone(last[:len(last)*9/10]), m.values(5)...)
		}
		m.add(1, menu, text)
		last = text
	}
	largest, stats, _ := clusters(t, m.docs, true, Config{})
	if largest != 2 || stats.Similar != 800 || stats.Stripped != 8000 {
		t.Errorf("largest cluster %d, %d pairs, %d stripped", largest, stats.Similar, stats.Stripped)
	}
	largest, stats, _ = clusters(t, m.docs, false, Config{})
	if largest < 4000 || stats.SelfJoin.CommonKeys == 0 || stats.MostlyIgnored == 0 || stats.Compared > 3_000_000 { // of 32 million pairs
		t.Errorf("unstripped: largest cluster %d, %+v", largest, stats)
	}
}

// The template's pages, each on a different host, are as many as may share a shingle that is not common. Each has enough
// shingles of its own, so that hardly any pair is formed.
func TestUncommonTemplate(t *testing.T) {
	m := newMaker()
	menu := m.values(2500)
	for i := range 1000 {
		m.add(uint32(i), menu, m.values(4000))
	}
	largest, stats, _ := clusters(t, m.docs, true, Config{})
	if largest != 0 || stats.SelfJoin.PairsFormed > 1000 || stats.SelfJoin.PartlyPaired > 0 {
		t.Errorf("largest cluster %d, %+v", largest, stats)
	}
}

// Near-empty pages: some without shingles, some with one or two, some with a few that all of them share, on one host.
func TestNearEmptyPages(t *testing.T) {
	m := newMaker()
	shared := m.values(20)
	for i := range 5000 {
		switch i % 4 {
		case 0:
			m.add(1)
		case 1:
			m.add(1, shared[:1], m.values(1))
		case 2:
			m.add(1, shared[:i%20], m.values(20))
		case 3:
			m.add(1, m.values(5))
		}
	}
	copies := m.values(6) // two short pages that differ in one shingle of seven
	m.add(1, copies, m.values(1))
	m.add(1, copies, m.values(1))
	largest, stats, p := clusters(t, m.docs, true, Config{})
	if largest > 2 || stats.Similar == 0 || stats.Empty != 1250 || stats.Short < 1250 {
		t.Errorf("largest cluster %d, %+v", largest, stats)
	}
	if s := p.equal.Stats(); s.Representatives != s.Documents {
		t.Errorf("pages without words are equal: %+v", s)
	}
}
