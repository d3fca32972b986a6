package evaluate

import (
	"testing"

	"github.com/lshclust/lshclust/internal/ask/topics"
)

// A list is worth the nearest neighbours that it holds. Among equally near ones, any counts.
func TestNearestFound(t *testing.T) {
	list := func(similarities ...float32) (n []topics.Neighbour) {
		for _, s := range similarities {
			n = append(n, topics.Neighbour{Similarity: s})
		}
		return n
	}
	for _, c := range []struct {
		exact, list    []topics.Neighbour
		top, found, of int
	}{
		{list(0.9, 0.8, 0.7), list(0.9, 0.7), 3, 2, 3},
		{list(0.9, 0.8, 0.7), list(0.9, 0.7), 2, 1, 2},
		{list(0.9, 0.8), list(0.9, 0.8, 0.1), 10, 2, 2},
		{list(0.9, 0.8, 0.8), list(0.9, 0.8, 0.8, 0.8), 2, 2, 2},
		{list(0.5), nil, 10, 0, 1},
		{nil, list(0.5), 10, 0, 0},
	} {
		if found, of := nearestFound(c.exact, c.list, c.top); found != c.found || of != c.of {
			t.Errorf("%v in %v, %d nearest: %d of %d, want %d of %d", c.exact, c.list, c.top, found, of, c.found, c.of)
		}
	}
}

// A run that bounds its lists stores the ten nearest, not the fifty; without any bound, only the index loses some.
func TestNearestRecall(t *testing.T) {
	r := sampleRun(t, "web")
	o := RecallOptions{Sample: 200, Edges: RecallEdges, Above: 0.3, Recall: 0.95, Bootstrap: 100, Seed: 1}
	x, err := MeasureRecall(t.Context(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Nearest) != 4*len(NearestTops) {
		t.Fatalf("%+v", x.Nearest)
	}
	ten, fifty, expanded, apart := x.Nearest[0], x.Nearest[1], x.Nearest[2], x.Nearest[4]
	if expanded.List != "related" || expanded.Top != 10 || expanded.Recall.Value < ten.Recall.Value || !apart.Apart || apart.List != "stored" {
		t.Errorf("%+v", x.Nearest)
	}
	if ten.List != "stored" || ten.Top != 10 || ten.Recall.Value < 0.5 || fifty.Recall.Value >= ten.Recall.Value || fifty.Recall.Value > 0.9 {
		t.Errorf("%+v", x.Nearest)
	}
	for _, n := range x.Nearest {
		if i := n.Recall.Queries; n.Recall.N > 0 && (i == nil || i.Low > n.Recall.Value || i.High < n.Recall.Value) {
			t.Errorf("%d nearest: %+v", n.Top, n.Recall)
		}
	}
	// The exact lists miss nothing.
	ids := Draw(r, 100, 1)
	all, err := measureNearest(t.Context(), r, ids, []recallList{{"exact", false, func(id uint32, top int) []topics.Neighbour {
		lists, err := topics.Exact(t.Context(), r, []uint32{id}, top, topics.ByBoth, nil)
		if err != nil {
			t.Error(err)
		}
		return lists[0]
	}}}, RecallOptions{})
	if err != nil || all[0].Recall.Value != 1 || all[1].Recall.Value != 1 {
		t.Errorf("%+v: %v", all, err)
	}
}
