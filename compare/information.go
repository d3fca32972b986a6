package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Information holds the information that a clustering A gives about the classes B of the same elements, in nats.
// Homogeneity is 1 if each cluster has one class, Completeness is 1 if each class is in one cluster, and V is their
// harmonic mean [Rosenberg and Hirschberg, V-measure, 2007]. All three tend to grow with the number of clusters, no
// matter what is in them. Expected is the exact mean mutual information of random clusterings with the same sizes, and
// Adjusted is the share of the possible excess over it that A reaches, 0 by chance [Vinh, Epps and Bailey 2010, with
// the mean of the entropies].
type Information struct {
	EntropyA     float64 `json:"entropy_a"`
	EntropyB     float64 `json:"entropy_b"`
	Mutual       float64 `json:"mutual"`
	Expected     float64 `json:"expected"` // mean of Mutual by chance
	Homogeneity  float64 `json:"homogeneity"`
	Completeness float64 `json:"completeness"`
	V            float64 `json:"v"`
	ChanceV      float64 `json:"chance_v"` // V by chance
	Adjusted     float64 `json:"adjusted"` // adjusted mutual information
	Purity       float64 `json:"purity"`   // share of elements in the most frequent class of their cluster
}

// Inform compares the clustering a with the classes b, in which a[i] and b[i] are the labels of element i. If there are
// no elements, all measures are 0.
func Inform(a, b []uint32) (Information, error) {
	if len(a) != len(b) {
		return Information{}, fmt.Errorf("compare: clusterings of %d and %d elements", len(a), len(b))
	}
	var x Information
	if len(a) == 0 {
		return x, nil
	}
	n := float64(len(a))
	sizesA, sizesB := sizes(a), sizes(b)
	x.EntropyA, x.EntropyB = entropy(sizesA, n), entropy(sizesB, n)
	most, of := 0, uint32(0) // of the current cluster
	for cell, k := range cells(a, b) {
		if cell[0] != of {
			x.Purity, most, of = x.Purity+float64(most), 0, cell[0]
		}
		most = max(most, k)
		x.Mutual += float64(k) / n * math.Log(n*float64(k)/(float64(sizesA[cell[0]])*float64(sizesB[cell[1]])))
	}
	x.Purity = (x.Purity + float64(most)) / n
	x.Mutual = min(max(0, x.Mutual), x.EntropyA, x.EntropyB) // rounding may have left it outside
	x.Expected = expected(counts(sizesA), counts(sizesB), len(a))
	x.finish()
	return x, nil
}

// finish computes the ratios. If there is no information to give (one class, one cluster), the clustering gives all of
// it.
func (x *Information) finish() {
	ratio := func(a, b float64) float64 {
		if b <= 0 {
			return 1
		}
		return a / b
	}
	x.Homogeneity, x.Completeness = ratio(x.Mutual, x.EntropyB), ratio(x.Mutual, x.EntropyA)
	both := (x.EntropyA + x.EntropyB) / 2
	x.V, x.ChanceV = ratio(x.Mutual, both), ratio(x.Expected, both)
	if room := both - x.Expected; room > 1e-12*both {
		x.Adjusted = (x.Mutual - x.Expected) / room
	} else {
		x.Adjusted = 1 // all clusterings of these sizes have the same information
	}
}

func entropy(sizes map[uint32]int, n float64) (h float64) {
	for _, s := range counts(sizes) {
		p := float64(s.size) / n
		h -= float64(s.times) * p * math.Log(p)
	}
	return max(0, h)
}

// sized is the number of clusters that have a size.
type sized struct{ size, times int }

// counts returns the sizes of clusters, ascending, so that sums over them are always the same.
func counts(sizes map[uint32]int) []sized {
	times := map[int]int{}
	for _, n := range sizes {
		times[n]++
	}
	var out []sized
	for _, n := range slices.Sorted(maps.Keys(times)) {
		out = append(out, sized{n, times[n]})
	}
	return out
}

// expected returns the mean of the mutual information over all ways to put n elements into clusters of these sizes. The
// size of the intersection of a cluster and a class has a hypergeometric distribution. The sum is over distinct sizes,
// of which there are at most about √(2n).
func expected(a, b []sized, n int) (sum float64) {
	logFactorial := make([]float64, n+1)
	for i := 2; i <= n; i++ {
		logFactorial[i] = logFactorial[i-1] + math.Log(float64(i))
	}
	f := func(i int) float64 { return logFactorial[i] }
	for _, x := range a {
		for _, y := range b {
			fixed := f(x.size) + f(y.size) + f(n-x.size) + f(n-y.size) - f(n)
			cell := 0.0
			for k := max(1, x.size+y.size-n); k <= min(x.size, y.size); k++ {
				p := math.Exp(fixed - f(k) - f(x.size-k) - f(y.size-k) - f(n-x.size-y.size+k))
				cell += p * float64(k) / float64(n) * math.Log(float64(n)*float64(k)/(float64(x.size)*float64(y.size)))
			}
			sum += float64(x.times) * float64(y.times) * cell
		}
	}
	return max(0, sum)
}
