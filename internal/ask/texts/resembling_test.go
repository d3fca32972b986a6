package texts

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/resemble"
)

// TestResembling checks that Resembling returns the same as comparing every two pages one by one.
func TestResembling(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 60))
	var ids []uint32
	for page := range uint32(12) {
		ids = append(ids, r.Pages.Document(page*5))
	}
	const top = 5
	got, err := Resembling(context.Background(), r, ids, top)
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for i, id := range ids {
		var want []Duplicate
		this, _ := r.Pages.Page(id)
		for page := range uint32(r.Pages.Len()) {
			d := OverlapOf(resemble.Compare(r.Pages, r.Boilerplate, this, page).Exact)
			if relation, ok := r.Equal.Between(this, page); ok {
				d = Identical(relation)
			}
			if page != this && d.Resemblance > 0 {
				want = append(want, named(r, d, page))
			}
		}
		slices.SortFunc(want, byResemblance)
		want = want[:min(top, len(want))]
		listed += len(want)
		same := func(a, b Duplicate) bool {
			return a.ID == b.ID && a.Resemblance == b.Resemblance && a.ThisInOther == b.ThisInOther
		}
		if !slices.EqualFunc(got[i], want, same) {
			t.Errorf("%s: %+v, one by one %+v", r.Docs.URL(id), got[i], want)
		}
		if !slices.IsSortedFunc(got[i], func(a, b Duplicate) int { return cmp.Compare(b.Resemblance, a.Resemblance) }) {
			t.Errorf("%s: not in order", r.Docs.URL(id))
		}
	}
	if listed < 20 {
		t.Errorf("%d pages in all lists: nothing is tested", listed)
	}
}

// TestResemblingShort checks that pages too short for a shingle resemble only pages that equal them, and that a
// document that was not crawled has no list.
func TestResemblingShort(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.Lines(t,
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
	got, err := Resembling(context.Background(), r, ids, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(got[0]) != 1 || got[0][0].URL != "https://b.example" || got[0][0].Relation != "identical" || got[1] != nil {
		t.Errorf("%+v", got)
	}
}
