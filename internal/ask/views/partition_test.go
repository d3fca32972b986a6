package views

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func agreement(t rapid.TB, a, b []uint32) Agreement {
	t.Helper()
	g, err := Partitions(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

var near = cmpopts.EquateApprox(0, 1e-12)

func TestPartitions(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []uint32
		want Agreement
	}{
		{name: "none", want: Agreement{}},
		{
			// Cells: 2, 1 | 1, 2. Together 2 of 6 and 6; expected 6·6/15 = 2.4, maximum 6.
			name: "halves that overlap", a: []uint32{0, 0, 0, 1, 1, 1}, b: []uint32{7, 7, 8, 7, 8, 8},
			want: Agreement{
				Elements: 6, A: Clustering{Clusters: 2, Largest: 3, Together: 6}, B: Clustering{Clusters: 2, Largest: 3, Together: 6},
				Together: 2, AdjustedRand: -0.4 / 3.6, Precision: 5. / 9, Recall: 5. / 9, F1: 5. / 9,
			},
		},
		{
			// Precision: (9/5 + 4/5 + 9/3) / 8; recall: (9/3 + 4/2 + 9/3) / 8. Together 7 of 13 and 7 of 28.
			name: "one cluster is split", a: []uint32{1, 1, 1, 1, 1, 2, 2, 2}, b: []uint32{5, 5, 5, 6, 6, 9, 9, 9},
			want: Agreement{
				Elements: 8, A: Clustering{Clusters: 2, Largest: 5, Together: 13}, B: Clustering{Clusters: 3, Largest: 3, Together: 7},
				Together: 7, AdjustedRand: (7 - 13*7/28.) / (10 - 13*7/28.), Precision: 5.6 / 8, Recall: 1, F1: 2 * 0.7 / 1.7,
			},
		},
		{
			name: "singletons and one cluster", a: []uint32{1, 2, 3, 4}, b: []uint32{1, 1, 1, 1},
			want: Agreement{
				Elements: 4, A: Clustering{Clusters: 4, Singletons: 4, Largest: 1}, B: Clustering{Clusters: 1, Largest: 4, Together: 6},
				Precision: 1, Recall: 0.25, F1: 0.4,
			},
		},
		{
			name: "one element", a: []uint32{3}, b: []uint32{9},
			want: Agreement{
				Elements: 1, A: Clustering{Clusters: 1, Singletons: 1, Largest: 1}, B: Clustering{Clusters: 1, Singletons: 1, Largest: 1},
				AdjustedRand: 1, Precision: 1, Recall: 1, F1: 1,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, agreement(t, c.a, c.b), near); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(swapped(c.want), agreement(t, c.b, c.a), near); d != "" {
				t.Error("the other way:", d)
			}
		})
	}
	if _, err := Partitions(make([]uint32, 2), make([]uint32, 3)); err == nil {
		t.Error("clusterings of different sets are compared")
	}
}

func labels(t *rapid.T, n int, name string) []uint32 {
	return rapid.SliceOfN(rapid.Uint32Range(0, 6), n, n).Draw(t, name)
}

// TestPartitionLaws: the same clusters with other labels agree completely, and all measures equal their definitions.
func TestPartitionLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		a, b := labels(t, n, "a"), labels(t, n, "b")
		renamed := slices.Clone(a)
		for i := range renamed {
			renamed[i] = math.MaxUint32 - a[i]*a[i]
		}
		if g := agreement(t, a, renamed); math.Abs(g.AdjustedRand-1) > 1e-12 || math.Abs(g.F1-1) > 1e-12 {
			t.Fatalf("the same clusters under other labels: %+v", g)
		}
		g := agreement(t, a, b)
		if d := cmp.Diff(swapped(g), agreement(t, b, a), near); d != "" {
			t.Fatal("not symmetric:", d)
		}
		if precision, recall := bCubed(a, b), bCubed(b, a); math.Abs(g.Precision-precision) > 1e-9 || math.Abs(g.Recall-recall) > 1e-9 {
			t.Fatalf("B-cubed %g and %g, by definition %g and %g", g.Precision, g.Recall, precision, recall)
		}
		if rand := randByPairs(a, b); math.Abs(g.AdjustedRand-rand) > 1e-9 {
			t.Fatalf("adjusted Rand index %g, by pairs %g", g.AdjustedRand, rand)
		}
	})
}

// bCubed returns the precision by its definition: for each element, over its cluster in a.
func bCubed(a, b []uint32) float64 {
	sum := 0.0
	for i := range a {
		cluster, right := 0.0, 0.0
		for j := range a {
			if a[j] == a[i] {
				cluster++
				if b[j] == b[i] {
					right++
				}
			}
		}
		sum += right / cluster
	}
	return sum / float64(len(a))
}

// randByPairs counts the four kinds of pairs: 2(ad - bc) / ((a+b)(b+d) + (a+c)(c+d)).
func randByPairs(x, y []uint32) float64 {
	var both, onlyX, onlyY, neither float64
	for i := range x {
		for j := range i {
			switch {
			case x[i] == x[j] && y[i] == y[j]:
				both++
			case x[i] == x[j]:
				onlyX++
			case y[i] == y[j]:
				onlyY++
			default:
				neither++
			}
		}
	}
	if onlyX+onlyY == 0 {
		return 1
	}
	return 2 * (both*neither - onlyX*onlyY) / ((both+onlyX)*(onlyX+neither) + (both+onlyY)*(onlyY+neither))
}

// TestChance: independent labels have an index of about 0, however many clusters there are.
func TestChance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, clusters := range []uint32{2, 10, 200} {
		a, b := make([]uint32, 20_000), make([]uint32, 20_000)
		for i := range a {
			a[i], b[i] = r.Uint32N(clusters), r.Uint32N(clusters)
		}
		if g := agreement(t, a, b); math.Abs(g.AdjustedRand) > 0.002 {
			t.Errorf("%d clusters by chance: adjusted Rand index %g", clusters, g.AdjustedRand)
		}
	}
}

func TestHistogram(t *testing.T) {
	for _, bins := range []int{1, 7, 10, 20} {
		h := NewHistogram(bins)
		for i := range bins {
			border := float64(i) / float64(bins)
			if got := h.Bin(math.Nextafter(border, 2)); got != i+1 {
				t.Errorf("%d bins: just above %g is in bin %d, not %d", bins, border, got, i+1)
			}
			if i > 0 && h.Bin(border) != i+1 {
				t.Errorf("%d bins: %g is in bin %d, not %d", bins, border, h.Bin(border), i+1)
			}
			if h.From(i+1) != border {
				t.Errorf("%d bins: bin %d begins at %g", bins, i+1, h.From(i+1))
			}
		}
		for v, want := range map[float64]int{0: 0, -1: 0, 1: bins, 2: bins, math.Inf(1): bins, math.SmallestNonzeroFloat64: 1} {
			if got := h.Bin(v); got != want {
				t.Errorf("%d bins: %g is in bin %d, not %d", bins, v, got, want)
			}
		}
		if h.Bin(math.NaN()) != 0 {
			t.Error("what is no number has a bin")
		}
	}
}

// swapped returns the agreement of B with A.
func swapped(g Agreement) Agreement {
	g.A, g.B = g.B, g.A
	g.Precision, g.Recall = g.Recall, g.Precision
	return g
}
