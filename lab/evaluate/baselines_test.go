package evaluate

import (
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/lab/score"
)

// The similarities of the exact bags are those of package bags, and include the pairs of the run.
func TestExactBaseline(t *testing.T) {
	s := everyThird(t, sampleRun(t, "web"))
	pairs := 0
	for i, list := range rank(t, s, "exact").Lists {
		similar := map[string]float64{}
		for _, n := range list {
			if want := bags.Similarity(topics.Bag(s.Run, s.IDs[i]), topics.Bag(s.Run, s.IDs[n.Target])); float32(n.Similarity) != float32(want) {
				t.Fatalf("%d to %d: %v, want %v", i, n.Target, n.Similarity, want)
			}
			similar[s.Directory.URL(int(n.Target))] = n.Similarity
		}
		for _, n := range topics.Related(s.Run, s.IDs[i], topics.Lookup{Top: 100, Stored: true}) {
			if _, ok := s.Directory.Index(n.URL); ok {
				if pairs++; float32(similar[n.URL]) != n.Similarity {
					t.Fatalf("%d to %s: %v, in the run %v", i, n.URL, similar[n.URL], n.Similarity)
				}
			}
		}
	}
	if pairs < 100 {
		t.Errorf("%d pairs of the run compared", pairs)
	}
}

// cut ends a list after a number of neighbours that are not co-linked, so the list has such a neighbour if there is
// one.
func TestCut(t *testing.T) {
	list := []score.Neighbour{{Target: 1, Similarity: 9}, {Target: 2, Similarity: 8}, {Target: 3, Similarity: 7}, {Target: 4, Similarity: 6}, {Target: 5, Similarity: 5}}
	for _, c := range []struct {
		name string
		s    Subject
		want int
	}{
		{"whole", Subject{}, 5},
		{"first two", Subject{most: 2}, 2},
		{"more than there are", Subject{most: 9}, 5},
		{"two that are apart", Subject{most: 2, CoLinks: score.CoLinks{{1, 3}}}, 4},
		{"all together: all stay", Subject{most: 2, CoLinks: score.CoLinks{{1, 2, 3, 4, 5}}}, 5},
		{"none together", Subject{most: 2, CoLinks: score.CoLinks{nil}}, 2},
	} {
		if got := c.s.cut(0, list); len(got) != c.want {
			t.Errorf("%s: %d, want %d", c.name, len(got), c.want)
		}
	}
	for _, c := range []struct{ targets, want int }{{0, 0}, {1, 0}, {8129, 0}, {8192, 0}, {8193, 8191}, {50000, 1342}, {10_000_000, 100}} {
		if got := listsWithin(c.targets); got != c.want {
			t.Errorf("%d targets: %d, want %d", c.targets, got, c.want)
		}
	}
}
