package query

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// Resembling gives the same as comparing every two pages one by one.
func TestResembling(t *testing.T) {
	r := opened(t, preset(t, "web"), samplePages(t, 60))
	var ids []uint32
	for page := range uint32(12) {
		ids = append(ids, r.pages.Document(page*5))
	}
	const top = 5
	got, err := r.Resembling(context.Background(), ids, top)
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for i, id := range ids {
		var want []Duplicate
		this, _ := r.pages.Page(id)
		for page := range uint32(r.pages.Len()) {
			d := overlapOf(resemble.Compare(r.pages, r.strip, this, page).Exact)
			if relation, ok := r.equal.Between(this, page); ok {
				d = identical(relation)
			}
			if page != this && d.Resemblance > 0 {
				want = append(want, r.named(d, page))
			}
		}
		slices.SortFunc(want, byResemblance)
		want = want[:min(top, len(want))]
		listed += len(want)
		same := func(a, b Duplicate) bool {
			return a.ID == b.ID && a.Resemblance == b.Resemblance && a.OfThis == b.OfThis
		}
		if !slices.EqualFunc(got[i], want, same) {
			t.Errorf("%s: %+v, one by one %+v", r.docs.URL(id), got[i], want)
		}
		if !slices.IsSortedFunc(got[i], func(a, b Duplicate) int { return cmp.Compare(b.Resemblance, a.Resemblance) }) {
			t.Errorf("%s: not in order", r.docs.URL(id))
		}
	}
	if listed < 20 {
		t.Errorf("%d pages in all lists: nothing is tested", listed)
	}
}

// Pages that are too short for a shingle resemble only pages that equal them. A document that was not crawled has no
// list.
func TestResemblingShort(t *testing.T) {
	r := opened(t, preset(t, "web"), lines(t,
		[2]string{"https://a.example/", "<p>too short</p>"}, [2]string{"https://b.example/", "<p>too short</p>"},
		[2]string{"https://c.example/", "<p>too <b>short</b></p><a href=https://d.example/>not crawled</a>"}))
	var ids []uint32
	for _, u := range []string{"a.example", "d.example"} {
		id, err := r.Lookup(u)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	got, err := r.Resembling(context.Background(), ids, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(got[0]) != 1 || got[0][0].URL != "https://b.example" || got[0][0].Relation != "identical" || got[1] != nil {
		t.Errorf("%+v", got)
	}
}

func TestResemblingWithoutView(t *testing.T) {
	c := preset(t, "web")
	c.Views = []string{"topical"}
	r := opened(t, c, samplePages(t, 5))
	if _, err := r.Resembling(context.Background(), []uint32{0}, 1); !errors.Is(err, ErrNoView) {
		t.Errorf("without the view: %v", err)
	}
	full := opened(t, preset(t, "web"), samplePages(t, 60))
	if got, err := full.Resembling(context.Background(), []uint32{tables.None}, 1); err != nil || got[0] != nil {
		t.Errorf("no document: %v %v", got, err)
	}
}

// The lists of ResemblingAmong are those of Resembling without the other documents.
func TestResemblingAmong(t *testing.T) {
	r := opened(t, preset(t, "web"), samplePages(t, 60))
	var ids, among []uint32
	in := map[uint32]bool{tables.None: true}
	for page := range uint32(r.pages.Len()) {
		id := r.pages.Document(page)
		ids = append(ids, id)
		if page%3 == 0 {
			among, in[id] = append(among, id), true
		}
	}
	all, err := r.Resembling(t.Context(), ids, 1000)
	if err != nil {
		t.Fatal(err)
	}
	some, err := r.ResemblingAmong(t.Context(), ids, append(among, tables.None), 1000)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range all {
		want := slices.DeleteFunc(all[i], func(d Duplicate) bool { return !in[d.ID] })
		if !slices.Equal(some[i], want) {
			t.Errorf("%s: %+v, want %+v", r.docs.URL(ids[i]), some[i], want)
		}
		for _, d := range want {
			n++
			if x, err := r.Overlap(ids[i], d.ID); err != nil || x != d {
				t.Errorf("%+v, alone %+v %v", d, x, err)
			}
		}
	}
	if n == 0 {
		t.Error("nothing is tested")
	}
}

// Two documents have the same representative if and only if they are in one cluster, as Duplicates shows.
func TestTextClusters(t *testing.T) {
	r := opened(t, preset(t, "web"), lines(t,
		[2]string{"https://a.example/", "<p>one two three four five six seven eight nine ten eleven twelve"},
		[2]string{"https://b.example/", "<p>one two three four five six seven eight nine ten eleven <b>twelve</b>"},
		[2]string{"https://c.example/", "<p>quite another text of twelve words or more that nobody else has <a href=https://d.example/>here</a>"}))
	of, err := r.SyntacticRepresentatives()
	if err != nil {
		t.Fatal(err)
	}
	for a := range uint32(r.Len()) {
		for b := range uint32(r.Len()) {
			same, err := r.SameSyntacticCluster(a, b)
			if err != nil {
				same = a == b // not crawled
			}
			if same != (of[a] == of[b]) {
				t.Errorf("%s and %s: %v, representatives %d and %d", r.docs.URL(a), r.docs.URL(b), same, of[a], of[b])
			}
		}
	}
	a, _ := r.Lookup("a.example")
	if b, _ := r.Lookup("b.example"); of[a] != of[b] || a == b {
		t.Error("equal pages are apart")
	}
}
