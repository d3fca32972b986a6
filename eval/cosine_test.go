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
func vectorOf(weights ...float64) (v vector) {
	for d, w := range weights {
		if w > 0 {
			v.add(uint32(d), w)
		}
	}
	return v
}

func TestMeasures(t *testing.T) {
	vectors := []vector{vectorOf(3, 4, 0, 0), vectorOf(3, 0, 4, 0), vectorOf(0, 0, 0, 5), {}, vectorOf(1, 4, 5, 0)}
	half := math.Sqrt(42)
	for _, c := range []struct {
		name string
		how  measure
		unit bool
		want [][]score.Neighbour
	}{
		{"dot", dot, false, [][]score.Neighbour{{{Target: 4, Similarity: 19}, {Target: 1, Similarity: 9}}, {{Target: 4, Similarity: 23}, {Target: 0, Similarity: 9}}, nil, nil, {{Target: 1, Similarity: 23}, {Target: 0, Similarity: 19}}}},
		{"jaccard", jaccard(vectors), false, [][]score.Neighbour{{{Target: 4, Similarity: 5. / 12}, {Target: 1, Similarity: 3. / 11}}, {{Target: 4, Similarity: 5. / 12}, {Target: 0, Similarity: 3. / 11}}, nil, nil, {{Target: 0, Similarity: 5. / 12}, {Target: 1, Similarity: 5. / 12}}}},
		{"cosine", dot, true, [][]score.Neighbour{{{Target: 4, Similarity: 19 / 5. / half}, {Target: 1, Similarity: 9 / 25.}}, {{Target: 4, Similarity: 23 / 5. / half}, {Target: 0, Similarity: 9 / 25.}}, nil, nil, {{Target: 1, Similarity: 23 / 5. / half}, {Target: 0, Similarity: 19 / 5. / half}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := make([]vector, len(vectors))
			for i, v := range vectors {
				own[i] = vector{v.dims, slices.Clone(v.weights)}
			}
			if c.unit {
				normalise(own)
			}
			got, err := newInverted(own).lists(context.Background(), c.how, cut{}, 2)
			if err != nil {
				t.Fatal(err)
			}
			near := gocmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
			for i := range got {
				if d := gocmp.Diff(c.want[i], slices.Clip(append([]score.Neighbour(nil), got[i]...)), near); d != "" {
					t.Errorf("%d: %s", i, d)
				}
			}
		})
	}
}

func TestCut(t *testing.T) {
	list := []score.Neighbour{{Target: 1, Similarity: 9}, {Target: 2, Similarity: 8}, {Target: 3, Similarity: 7}, {Target: 4, Similarity: 6}, {Target: 5, Similarity: 5}}
	for _, c := range []struct {
		name string
		cut  cut
		want int
	}{
		{"whole", cut{}, 5},
		{"first two", cut{most: 2}, 2},
		{"more than there are", cut{most: 9}, 5},
		{"two that are apart", cut{2, score.CoLinks{{1, 3}}}, 4},
		{"all together: all stay", cut{2, score.CoLinks{{1, 2, 3, 4, 5}}}, 5},
		{"none together", cut{2, score.CoLinks{nil}}, 2},
	} {
		if got := c.cut.length(0, list); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func drawVectors(t *rapid.T) []vector {
	vectors := make([]vector, rapid.IntRange(0, 30).Draw(t, "vectors"))
	for i := range vectors {
		vectors[i] = vectorOf(rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0, 0, 1, 2, 3.7}), 0, 12).Draw(t, "weights")...)
	}
	return vectors
}

// The inverted index finds what comparing all pairs finds, symmetric to the last bit, with any number of workers.
func TestListsAgainstPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vectors := drawVectors(t)
		lists, err := newInverted(vectors).lists(context.Background(), jaccard(vectors), cut{}, rapid.IntRange(0, 5).Draw(t, "workers"))
		if err != nil {
			t.Fatal(err)
		}
		for q := range vectors {
			var want []score.Neighbour
			for o := range vectors {
				if s := similarity(vectors[q], vectors[o]); s > 0 && o != q {
					want = append(want, score.Neighbour{Target: int32(o), Similarity: s})
				}
			}
			slices.SortStableFunc(want, func(a, b score.Neighbour) int {
				if math.Abs(a.Similarity-b.Similarity) < 1e-12 {
					return 0
				}
				return cmp.Compare(b.Similarity, a.Similarity)
			})
			if len(want) != len(lists[q]) {
				t.Fatalf("%d: %v, want %v", q, lists[q], want)
			}
			for i, n := range lists[q] {
				if math.Abs(n.Similarity-want[i].Similarity) > 1e-12 {
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
func similarity(a, b vector) float64 {
	at := func(v vector, d int) float64 {
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

func TestListsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := newInverted([]vector{vectorOf(1), vectorOf(1)}).lists(ctx, dot, cut{}, 2); err == nil {
		t.Error("no error")
	}
}

// A list that ends after its nearest neighbour is the beginning of the whole list, for any co-linked pairs.
func TestCutAtNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vectors := drawVectors(t)
		co := make(score.CoLinks, len(vectors))
		for i := range co {
			for j := range vectors {
				if i != j && rapid.Bool().Draw(t, "linked") {
					co[i] = append(co[i], int32(j))
				}
			}
		}
		x := newInverted(vectors)
		whole, err := x.lists(context.Background(), jaccard(vectors), cut{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []cut{{1, nil}, {1, co}} {
			got, err := x.lists(context.Background(), jaccard(vectors), c, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i, list := range got {
				if want := whole[i][:c.length(int32(i), whole[i])]; !slices.Equal(list, want) {
					t.Fatalf("%d: %v, want %v", i, list, want)
				}
			}
		}
	})
}
