package eval

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/eval/score"
	"pgregory.net/rapid"
)

// vectorOf has whole weights, by dimension.
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
			near := gocmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
			if d := gocmp.Diff(c.want, got.Lists, near); d != "" {
				t.Error(d)
			}
		})
	}
}

// A list ends after so many neighbours that are not co-linked, so that it has one if there is one at all.
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

// The inverted lists find what comparing all pairs finds, symmetric to the last bit.
func TestCompareAgainstPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vectors := make([]Vector, rapid.IntRange(0, 30).Draw(t, "vectors"))
		for i := range vectors {
			vectors[i] = vectorOf(rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0, 0, 1, 2, 3.7}), 0, 12).Draw(t, "weights")...)
		}
		r, err := (&Subject{}).Compare(context.Background(), vectors, jaccard(vectors))
		if err != nil {
			t.Fatal(err)
		}
		lists := r.Lists
		for q := range vectors {
			var want []float64
			for o := range vectors {
				if s := similarity(vectors[q], vectors[o]); s > 0 && o != q {
					want = append(want, s)
				}
			}
			slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(b, a) })
			if len(want) != len(lists[q]) {
				t.Fatalf("%d: %v, want %v", q, lists[q], want)
			}
			for i, n := range lists[q] {
				if math.Abs(n.Similarity-want[i]) > 1e-12 {
					t.Fatalf("%d: %v, want %v", q, lists[q], want)
				}
				back := slices.IndexFunc(lists[n.Target], func(m score.Neighbour) bool { return m.Target == int32(q) })
				if back < 0 || lists[n.Target][back].Similarity != n.Similarity {
					t.Fatalf("%d to %d is %v, back %v", q, n.Target, n.Similarity, lists[n.Target])
				}
				if i > 0 && lists[q][i-1].Similarity == n.Similarity && lists[q][i-1].Target > n.Target {
					t.Fatalf("%d: ties out of order in %v", q, lists[q])
				}
			}
		}
	})
}

// similarity is weighted Jaccard by its definition.
func similarity(a, b Vector) float64 {
	at := func(v Vector, d int) float64 {
		if i := slices.Index(v.dims, uint32(d)); i >= 0 {
			return v.weights[i]
		}
		return 0
	}
	smaller, larger := 0.0, 0.0
	for d := range 12 {
		smaller += min(at(a, d), at(b, d))
		larger += max(at(a, d), at(b, d))
	}
	if smaller == 0 {
		return 0
	}
	return smaller / larger
}
