package views

import (
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/sets"
)

// Agreement holds the measures of agreement of two clusterings A and B of the same elements.
type Agreement struct {
	Elements int        `json:"elements"`
	A        Clustering `json:"a"`
	B        Clustering `json:"b"`
	Together uint64     `json:"pairs_together" doc:"pairs of elements that are in one cluster in both"`

	// AdjustedRand is 1 if the clusterings are the same, about 0 if they agree as much as by chance, and negative if
	// they agree less.
	AdjustedRand float64 `json:"adjusted_rand" doc:"1: the same clusters, 0: agreement as by chance"`

	// Precision is the B-cubed precision of A with B as the reference: the mean, over the elements, of the share of the
	// element's cluster in A that is also in its cluster in B, itself included. Recall is the mean share of its cluster
	// in B that is in its cluster in A. With A as the reference the two are exchanged. F1 is their harmonic mean.
	Precision float64 `json:"precision" doc:"B-cubed, of a with b as the reference: how much of a topical cluster has the same text"`
	Recall    float64 `json:"recall" doc:"B-cubed: how much of a syntactic cluster has similar links"`
	F1        float64 `json:"f1" doc:"both in one; a page alone in both views agrees"`
}

// Clustering counts the clusters of one partition.
type Clustering struct {
	Clusters   int    `json:"clusters" doc:"singletons included"`
	Singletons int    `json:"singletons"`
	Largest    int    `json:"largest" doc:"elements of the largest cluster"`
	Together   uint64 `json:"pairs_together" doc:"pairs of elements in one cluster"`
}

// Partitions compares two clusterings, in which a[i] and b[i] are the labels of the cluster of element i. It sorts,
// using 16 bytes of memory per element. If there are no elements, all measures are 0.
func Partitions(a, b []uint32) (Agreement, error) {
	if len(a) != len(b) {
		return Agreement{}, fmt.Errorf("compare: clusterings of %d and %d elements", len(a), len(b))
	}
	out := Agreement{Elements: len(a)}
	if len(a) == 0 {
		return out, nil
	}
	sizesA, sizesB := sizes(a), sizes(b)
	out.A, out.B = count(sizesA), count(sizesB)
	for cell, n := range cells(a, b) {
		out.Together += pairs(n)
		square := float64(n) * float64(n)
		out.Precision += square / float64(sizesA[cell[0]])
		out.Recall += square / float64(sizesB[cell[1]])
	}
	out.Precision /= float64(len(a))
	out.Recall /= float64(len(a))
	out.F1 = 2 * out.Precision * out.Recall / (out.Precision + out.Recall)
	out.AdjustedRand = adjustedRand(out)
	return out, nil
}

// adjustedRand returns (index - expected) / (maximum - expected). The divisor is 0 only if both clusterings are all
// singletons or both are one cluster; then they are the same.
func adjustedRand(g Agreement) float64 {
	a, b := float64(g.A.Together), float64(g.B.Together)
	if g.A.Together == g.B.Together && (a == 0 || g.A.Clusters == 1) {
		return 1
	}
	expected := a * b / float64(pairs(g.Elements))
	return (float64(g.Together) - expected) / ((a+b)/2 - expected)
}

func sizes(labels []uint32) map[uint32]int {
	out := map[uint32]int{}
	for _, l := range labels {
		out[l]++
	}
	return out
}

func count(sizes map[uint32]int) Clustering {
	c := Clustering{Clusters: len(sizes)}
	for _, n := range sizes {
		c.Largest = max(c.Largest, n)
		c.Together += pairs(n)
		if n == 1 {
			c.Singletons++
		}
	}
	return c
}

// cells yields the number of elements in cluster cell[0] of a and cell[1] of b, if it is not 0. The cells are in
// ascending order, so that sums over them are always the same.
func cells(a, b []uint32) func(yield func(cell [2]uint32, n int) bool) {
	keys := make([]uint64, len(a))
	for i := range a {
		keys[i] = uint64(a[i])<<32 | uint64(b[i])
	}
	slices.Sort(keys)
	return func(yield func([2]uint32, int) bool) {
		for same := range sets.Runs(keys, func(a, b uint64) bool { return a == b }) {
			if !yield([2]uint32{uint32(same[0] >> 32), uint32(same[0])}, len(same)) {
				return
			}
		}
	}
}

// pairs returns the number of pairs of n elements.
func pairs(n int) uint64 { return uint64(n) * uint64(n-1) / 2 }
