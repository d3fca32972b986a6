package topics

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// bruteForce returns what Exact should, by comparing all documents.
func bruteForce(r *runs.Run, id uint32, top int, by By, wanted func(id, other uint32) bool) (near []Neighbour) {
	for other := range uint32(r.Len()) {
		s := bags.Similarity(OfField(r, r.Bags.At(id), by), OfField(r, r.Bags.At(other), by))
		if s > 0 && other != id && (wanted == nil || wanted(id, other)) {
			near = append(near, Neighbour{ID: other, Ref: runs.Ref{URL: r.Docs.URL(other)}, Similarity: float32(s)})
		}
	}
	slices.SortStableFunc(near, func(a, b Neighbour) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return near[:min(top, len(near))]
}

// TestExact checks that Exact finds what comparing all documents finds, for every document and field of the bags,
// including ties and equal bags.
func TestExact(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.Copies(runtest.SamplePages(t, 40)))
	ids := make([]uint32, r.Len())
	for id := range ids {
		ids[id] = uint32(id)
	}
	similar, same, found := 0, 0, map[By]int{}
	third := func(id, other uint32) bool { return (id+other)%3 > 0 }
	for _, by := range []By{"", ByBoth, ByLinks, ByContent} {
		for _, top := range []int{1, 7, 1 << 20} {
			wanted := third
			if top == 7 {
				wanted = nil
			}
			lists, err := Exact(t.Context(), r, ids, top, by, wanted)
			if err != nil {
				t.Fatal(err)
			}
			for id, got := range lists {
				for i := range got {
					if got[i].Similarity > 0.2 {
						similar++
					}
					if got[i].Similarity == 1 {
						same++
					}
					if same := r.Nodes.Of(got[i].ID) == r.Nodes.Of(uint32(id)); same != (got[i].Found == FoundSameBag) || same == (got[i].Found == FoundExact) {
						t.Fatalf("document %d: %+v", id, got[i])
					}
					got[i].Found, got[i].Together = "", 0
				}
				if want := bruteForce(r, uint32(id), top, by, wanted); !reflect.DeepEqual(got, want) {
					t.Fatalf("document %d, top %d by %q: %v, want %v", id, top, by, got, want)
				}
				found[by] += len(got)
			}
		}
	}
	if similar < 100 || same == 0 || found[""] != found[ByBoth] || min(found[ByLinks], found[ByContent]) < 100 || max(found[ByLinks], found[ByContent]) >= found[ByBoth] {
		t.Errorf("%d similar pairs, %d equal, %v in all: too few to mean anything", similar, same, found)
	}
	for _, none := range []uint32{1 << 30, ^uint32(0)} {
		if lists, err := Exact(t.Context(), r, []uint32{none}, 5, ByBoth, nil); err != nil || len(lists) != 1 || lists[0] != nil {
			t.Errorf("document %d: %v, %v", none, lists, err)
		}
	}
}
