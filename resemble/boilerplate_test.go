package resemble

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/sets"
)

func sorted(parts ...[]uint64) []uint64 {
	all := slices.Concat(parts...)
	slices.Sort(all)
	return slices.Compact(all)
}

func TestBoilerplate(t *testing.T) {
	tests := []struct {
		name string
		make func(m *maker, menu, text []uint64)
		want func(menu, text []uint64) []uint64
	}{
		{"template", func(m *maker, menu, _ []uint64) {
			for range 20 {
				m.add(1, menu, m.values(60))
			}
		}, func(menu, _ []uint64) []uint64 { return menu }},
		{"versions of one text", func(m *maker, menu, text []uint64) {
			for range 20 {
				m.add(1, menu, text, m.values(20))
			}
		}, func(_, _ []uint64) []uint64 { return nil }},
		{"versions and other pages under one menu", func(m *maker, menu, text []uint64) {
			for range 14 {
				m.add(1, menu, text, m.values(20))
			}
			for range 6 {
				m.add(1, menu, m.values(300))
			}
		}, func(menu, _ []uint64) []uint64 { return menu }},
		{"copies of one page and a few others", func(m *maker, menu, text []uint64) {
			for range 40 {
				m.add(1, menu, text)
			}
			for range 4 {
				m.add(1, menu, m.values(300))
			}
		}, func(_, _ []uint64) []uint64 { return nil }},
		{"doorway pages", func(m *maker, menu, _ []uint64) {
			for range 30 {
				m.add(1, menu, m.values(20))
			}
		}, func(_, _ []uint64) []uint64 { return nil }},
		{"product variants among pages with the same menu", func(m *maker, menu, text []uint64) {
			for range 16 {
				m.add(1, menu, text, m.values(80))
			}
			for range 12 {
				m.add(1, menu, m.values(200))
			}
		}, func(menu, _ []uint64) []uint64 { return menu }},
		{"a long menu over short and long pages", func(m *maker, menu, text []uint64) {
			for i := range 30 {
				m.add(1, menu, text, m.values(60+20*i))
			}
		}, func(menu, text []uint64) []uint64 { return append(menu, text...) }},
		{"too few pages", func(m *maker, menu, _ []uint64) {
			for range 9 {
				m.add(1, menu, m.values(60))
			}
		}, func(_, _ []uint64) []uint64 { return nil }},
		{"few pages without text of their own", func(m *maker, menu, _ []uint64) {
			for range 20 {
				m.add(1, menu, m.values(60))
			}
			for range 5 {
				m.add(1, menu, m.values(3))
			}
		}, func(menu, _ []uint64) []uint64 { return menu }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := newMaker()
			menu, text := m.values(100), m.values(300)
			test.make(m, menu, text)
			p := prepare(t, m.docs, true)
			var want []uint64
			if w := test.want(menu, text); w != nil {
				want = sorted(w)
			}
			if d := cmp.Diff(want, p.strip.Of(1)); d != "" {
				t.Errorf("stats %+v, boilerplate (-want +got): %s", p.found, d)
			}
		})
	}
}

// A page that consists only of a template is compared as it is.
func TestNothingIsStrippedToNothing(t *testing.T) {
	m := newMaker()
	menu := m.values(100)
	for range 20 {
		m.add(1, menu, m.values(60))
	}
	stub := m.add(1, menu, m.values(3))
	p := prepare(t, m.docs, true)
	if own, dropped := p.strip.Own(nil, 1, m.docs[stub].Values); dropped != 0 || len(own) != 103 {
		t.Errorf("stub: %d left, %d dropped", len(own), dropped)
	}
	if own, dropped := p.strip.Own(nil, 1, m.docs[0].Values); dropped != 100 || len(own) != 60 {
		t.Errorf("page: %d left, %d dropped", len(own), dropped)
	}
	if common, leftOut := p.strip.Explain(nil, 1, m.docs[stub].Values); len(common) != 100 || leftOut {
		t.Errorf("stub: %d of the template, left out %t", len(common), leftOut)
	}
	_, stats := p.pairs(t, Config{})
	if stats.Stripped != 20 || stats.MostlyBoilerplate != 1 {
		t.Errorf("%+v", stats)
	}
}

// A page and its changed mirror on a host with too few known pages are compared without the template of the other host
// on both sides.
func TestMirrorOnSmallHost(t *testing.T) {
	m := newMaker()
	menu, text := m.values(900), m.values(300)
	for range 20 {
		m.add(1, menu, m.values(300))
	}
	a := m.add(1, menu, text, m.values(20))
	b := m.add(2, menu, text, m.values(30))
	p := prepare(t, m.docs, true)
	pairs, _ := p.pairs(t, Config{})
	if len(pairs) != 1 || pairs[0].A != a || pairs[0].B != b || pairs[0].Exact.A != 320 || pairs[0].Exact.B != 330 || pairs[0].Exact.Both != 300 {
		t.Errorf("pairs %+v, want %d and %d by their texts", pairs, a, b)
	}
	if d := cmp.Diff(pairs[0].Exact, Compare(m.docs, p.strip, b, a).Exact.Swap()); d != "" {
		t.Error("Compare differs:", d)
	}
}

func TestStoredBoilerplate(t *testing.T) {
	b, err := NewBoilerplate(BoilerplateConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Put(3, []uint64{1, 5}); err != nil {
		t.Fatal(err)
	}
	if err := b.Put(4, []uint64{5, 5}); !errors.Is(err, ErrTable) {
		t.Errorf("values out of order: %v", err)
	}
	for host, values := range b.All() {
		if host != 3 || len(values) != 2 {
			t.Errorf("host %d: %v", host, values)
		}
	}
	if _, err := NewBoilerplate(BoilerplateConfig{Share: 2}); err == nil {
		t.Error("no error for a share of 2")
	}
}

// All licences are on one host here, and MIT is on most pages: it is a text and not a template.
func TestRealBoilerplate(t *testing.T) {
	p := prepare(t, realDocuments(t, "neardup-npm-licences", 10), true)
	if p.found.Values != 0 || p.found.Copies < 150 {
		t.Errorf("licences: %+v", p.found)
	}
}

// The pages of the LLVM manual have a template.
func TestLongRealBoilerplate(t *testing.T) {
	docs := realDocuments(t, "versions-llvm", 10)
	p := prepare(t, docs, true)
	t.Logf("manual: %+v", p.found)
	if p.found.Values < 30 || p.found.Values > 100 || p.found.Copies > 0 {
		t.Errorf("manual: %+v", p.found)
	}
	versionsStay(t, docs, p)
}

// versionsStay checks that versions of a page that were similar stay similar without boilerplate.
func versionsStay(t *testing.T, docs Documents, p prepared) {
	at := make(map[string][]uint32)
	for id, page := range realPages(t, "versions-llvm") {
		url := page.url[:len(page.url)-len("#pages-13")]
		at[url] = append(at[url], uint32(id))
	}
	before, after := 0, 0
	for _, list := range at {
		for i, a := range list {
			for _, b := range list[i+1:] {
				r := Compare(docs, nil, a, b).Resemblance()
				s := Compare(docs, p.strip, a, b).Resemblance()
				before += sets.One(r >= 0.5)
				after += sets.One(r >= 0.5 && s >= 0.5)
			}
		}
	}
	t.Logf("%d pairs of versions with resemblance 0.5, %d of them without boilerplate too", before, after)
	if share(after, before) < 0.75 {
		t.Errorf("%d of %d pairs of versions stay similar", after, before)
	}
}
