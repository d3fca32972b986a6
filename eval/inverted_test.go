package eval

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/eval/score"
)

// vectorOf returns a vector with the given weights, by dimension.
func vectorOf(weights ...float64) (v Vector) {
	for d, w := range weights {
		if w > 0 {
			v.Add(uint32(d), w)
		}
	}
	return v
}

func TestMeasures(t *testing.T) {
	vectors := []Vector{vectorOf(3, 4, 0, 0), vectorOf(3, 0, 4, 0), vectorOf(0, 0, 0, 5), {}, vectorOf(1, 4, 5, 0)}
	half := math.Sqrt(42)
	for _, c := range []struct {
		name string
		how  Measure
		unit bool
		want [][]score.Neighbour
	}{
		{"dot", Dot, false, [][]score.Neighbour{{{Target: 4, Similarity: 19}, {Target: 1, Similarity: 9}}, {{Target: 4, Similarity: 23}, {Target: 0, Similarity: 9}}, nil, nil, {{Target: 1, Similarity: 23}, {Target: 0, Similarity: 19}}}},
		{"jaccard", jaccard(vectors), false, [][]score.Neighbour{{{Target: 4, Similarity: 5. / 12}, {Target: 1, Similarity: 3. / 11}}, {{Target: 4, Similarity: 5. / 12}, {Target: 0, Similarity: 3. / 11}}, nil, nil, {{Target: 0, Similarity: 5. / 12}, {Target: 1, Similarity: 5. / 12}}}},
		{"cosine", Dot, true, [][]score.Neighbour{{{Target: 4, Similarity: 19 / 5. / half}, {Target: 1, Similarity: 9 / 25.}}, {{Target: 4, Similarity: 23 / 5. / half}, {Target: 0, Similarity: 9 / 25.}}, nil, nil, {{Target: 1, Similarity: 23 / 5. / half}, {Target: 0, Similarity: 19 / 5. / half}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := make([]Vector, len(vectors))
			for i, v := range vectors {
				own[i] = Vector{v.dims, slices.Clone(v.weights)}
			}
			if c.unit {
				normalise(own)
			}
			got, err := (&Subject{}).Compare(t.Context(), own, c.how)
			if err != nil {
				t.Fatal(err)
			}
			near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
			if d := cmp.Diff(c.want, got.Lists, near); d != "" {
				t.Error(d)
			}
		})
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
