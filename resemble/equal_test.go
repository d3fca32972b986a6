package resemble

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var background = context.Background()

func find(t *testing.T, docs Documents) *Equal {
	t.Helper()
	e, err := FindEqual(background, docs, Resources{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEqualLevels(t *testing.T) {
	text := []uint64{1, 2, 3}
	docs := Collection{
		0: {Values: text, Bytes: 10, Lexical: 100},
		1: {Values: []uint64{9}, Bytes: 11, Lexical: 101},
		2: {Values: text, Bytes: 12, Lexical: 100}, // lexical to 0
		3: {Values: text, Bytes: 12, Lexical: 100}, // identical to 2
		4: {Values: text, Bytes: 14, Lexical: 104}, // the same set as 0
		5: {Values: text, Bytes: 15, Lexical: 104}, // lexical to 4
		6: {Bytes: 16, Lexical: 106},               // no words
		7: {Bytes: 17, Lexical: 106},               // no words, other bytes
		8: {Bytes: 16, Lexical: 106},
	}
	e := find(t, docs)
	if d := cmp.Diff([]uint32{0, 1, 0, 2, 0, 4, 6, 7, 6}, e.Parents()); d != "" {
		t.Error("parents:", d)
	}
	want := []Relation{Alone, Alone, Lexical, Identical, Shingle, Lexical, Alone, Alone, Identical}
	if d := cmp.Diff(want, e.Relations()); d != "" {
		t.Error("relations:", d)
	}
	for _, c := range []struct {
		a, b uint32
		want Relation
	}{{2, 3, Identical}, {0, 3, Lexical}, {3, 5, Shingle}, {4, 5, Lexical}, {0, 1, Alone}, {6, 7, Alone}} {
		if got, _ := e.Between(c.a, c.b); got != c.want {
			t.Errorf("between %d and %d: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if s := e.Stats(); s != (EqualStats{9, 4, 2, 2, 1}) {
		t.Errorf("stats %+v", s)
	}
	if e.Representative(5) != 0 {
		t.Errorf("5 is represented by %d, want 0", e.Representative(5))
	}
}

func TestRefine(t *testing.T) {
	m := newMaker()
	menu, article := m.values(50), m.values(100)
	for range 12 {
		m.add(1, menu, m.values(100))
	}
	a := m.add(1, menu, article)
	b := m.add(2, article) // its mirror on a host without a known template
	p := prepare(t, m.docs, true)
	if p.equal.Representative(b) != a || p.equal.Relation(b) != Shingle {
		t.Errorf("mirror: %v of %d, want shingle of %d", p.equal.Relation(b), p.equal.Representative(b), a)
	}
	if e := find(t, m.docs); e.Representative(b) != b {
		t.Error("equal before the boilerplate is known")
	}
	if _, err := p.equal.Refine(background, m.docs[:3], nil, Resources{}); err == nil {
		t.Error("no error for other documents")
	}
}

func TestNewEqual(t *testing.T) {
	e := find(t, Collection{{Bytes: 1}, {Bytes: 1}, {Bytes: 2}})
	if _, err := NewEqual(e.Parents(), e.Relations()); err != nil {
		t.Error(err)
	}
	for _, bad := range [][]uint32{{0}, {0, 0, 1}, {0, 2, 2}, {0, 1, 2}, {9, 0, 2}} {
		if _, err := NewEqual(bad, slices.Clone(e.Relations())); !errors.Is(err, ErrTable) {
			t.Errorf("parents %v: %v, want ErrTable", bad, err)
		}
	}
	if _, err := NewEqual(e.Parents(), []Relation{Alone, 9, Alone}); !errors.Is(err, ErrTable) {
		t.Errorf("unknown relation: %v, want ErrTable", err)
	}
}

// The data has 4,110 files, 1,460 of them different.
func TestRealCopies(t *testing.T) {
	docs := realDocuments(t, "neardup-npm-licences", 10)
	e := find(t, docs)
	s := e.Stats()
	if s.Documents != 4110 || s.Identical != 2650 {
		t.Errorf("%+v, want 2650 identical of 4110", s)
	}
	pages := realPages(t, "neardup-npm-licences")
	for id := range uint32(e.Len()) {
		if parent := e.Parents()[id]; e.Relation(id) == Identical && string(pages[id].text) != string(pages[parent].text) {
			t.Fatalf("%s and %s are not identical", pages[id].url, pages[parent].url)
		}
	}
}
