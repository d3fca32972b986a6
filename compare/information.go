package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Information is what a clustering A tells about the classes B of the same elements, in nats. Homogeneity is 1 if every
// cluster has one class, Completeness if every class is in one cluster; V is their harmonic mean [Rosenberg and
// Hirschberg, V-measure, 2007]. They grow with the number of clusters whatever is in them: Expected is the mutual
// information of a random clustering with the same sizes, exactly, and Adjusted the share of what lies above it that A
// reaches, 0 by chance [Vinh, Epps and Bailey 2010, with the mean of the entropies].
type Information struct {
	EntropyA     float64 `json:"entropy_a"`
	EntropyB     float64 `json:"entropy_b"`
	Mutual       float64 `json:"mutual"`
	Expected     float64 `json:"expected"` // of Mutual by chance
	Homogeneity  float64 `json:"homogeneity"`
	Completeness float64 `json:"completeness"`
	V            float64 `json:"v"`
	ChanceV      float64 `json:"chance_v"` // V by chance
	Adjusted     float64 `json:"adjusted"` // adjusted mutual information
	Purity       float64 `json:"purity"`   // share of elements in the most frequent class of their cluster
}

// Inform compares clustering a with classes b: a[i] and b[i] are labels of element i. Without elements all figures
// are 0.
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
	most, of := 0, uint32(0) // in the cluster that is being read
	for cell, k := range cells(a, b) {
		if cell[0] != of {
			x.Purity, most, of = x.Purity+float64(most), 0, cell[0]
		}
		most = max(most, k)
		x.Mutual += float64(k) / n * math.Log(n*float64(k)/(float64(sizesA[cell[0]])*float64(sizesB[cell[1]])))
	}
	x.Purity = (x.Purity + float64(most)) / n
	x.Mutual = min(max(0, x.Mutual), x.EntropyA, x.EntropyB) // but for rounding
	x.Expected = expected(counts(sizesA), counts(sizesB), len(a))
	x.finish()
	return x, nil
}

// finish works the ratios out. Where there is nothing to tell (one class, one cluster) the clustering tells all of it.
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
		x.Adjusted = 1 // every clustering of these sizes is the same
	}
}

func entropy(sizes map[uint32]int, n float64) (h float64) {
	for _, s := range counts(sizes) {
		p := float64(s.size) / n
		h -= float64(s.times) * p * math.Log(p)
	}
	return max(0, h)
}

// sized is how many clusters have a size.
type sized struct{ size, times int }

// counts returns the sizes of clusters, ascending, so that sums over them are the same every time.
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

// expected is the mean of the mutual information over all ways to put n elements into clusters of these sizes: the size
// of the common part of a cluster and a class is hypergeometric. The sum runs over distinct sizes, of which there are
// at most about √(2n).
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
