package score

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lshclust/lshclust/compare"
)

// blocks is the number of parts that the jackknife leaves out one by one.
const blocks = 20

// shuffles is the number of random clusterings behind the chance level of purity.
const shuffles = 20

// partitions sets the measures that compare two partitions. Resampling with replacement would put copies of an element
// into the same cluster and raise these measures, so their intervals come from a jackknife: the elements, or the lists,
// are dealt into 20 blocks, each block is left out in turn, and the interval is the value ± 1.96 standard errors,
// clipped to the range of the measure.
func (d *Directory) partitions(l *ClusterLevel, c Clusters, some []int32, o Options) {
	cluster, class := make([]uint32, len(some)), make([]uint32, len(some))
	v := d.whole()
	for j, e := range some {
		cluster[j], class[j] = c.Of[e], uint32(v.first(e, l.Level))
	}
	l.Categories = len(slices.Compact(slices.Sorted(slices.Values(class))))
	if l.Categories < 2 || l.Categories == len(some) {
		return // nothing to distinguish, or nothing that belongs together
	}
	figures := []*Figure{&l.AdjustedRand, &l.AdjustedMI, &l.Homogeneity, &l.Completeness, &l.V, &l.Purity}
	for i, value := range partitionValues(cluster, class) {
		*figures[i] = Figure{Value: value, N: len(some)}
	}
	info, _ := compare.Inform(cluster, class) // no error: the lengths are equal
	l.ChanceV = Figure{Value: info.ChanceV, N: len(some)}
	l.ChancePurity = Figure{Value: chancePurity(cluster, class, o.Seed), N: len(some)}
	if o.Bootstrap < 1 {
		return
	}
	rng := rand.New(rand.NewPCG(o.Seed, uint64(l.Level)))
	jackknife(figures, cluster, class, deal(rng, len(some), func(j int) int { return j }), func(f *Figure) **Interval { return &f.Queries })
	names := map[string]int{}
	jackknife(figures, cluster, class, deal(rng, len(some), func(j int) int {
		name := d.lists[some[j]]
		if _, ok := names[name]; !ok {
			names[name] = len(names)
		}
		return names[name]
	}), func(f *Figure) **Interval { return &f.Lists })
}

// first returns the category of a level on the smallest path that has one.
func (v *view) first(target int32, level int) int32 {
	for _, leaf := range v.leaves[target] {
		if int(v.d.nodes[leaf].level) >= level {
			return v.d.above(leaf, level)
		}
	}
	return -1
}

func partitionValues(cluster, class []uint32) [6]float64 {
	agreement, _ := compare.Partitions(cluster, class) // no error: the lengths are equal
	x, _ := compare.Inform(cluster, class)
	return [6]float64{agreement.AdjustedRand, x.Adjusted, x.Homogeneity, x.Completeness, x.V, x.Purity}
}

func chancePurity(cluster, class []uint32, seed uint64) (sum float64) {
	rng := rand.New(rand.NewPCG(seed, shuffles))
	class = slices.Clone(class)
	for range shuffles {
		rng.Shuffle(len(class), func(i, j int) { class[i], class[j] = class[j], class[i] })
		x, _ := compare.Inform(cluster, class) // no error: the lengths are equal
		sum += x.Purity
	}
	return sum / shuffles
}

// deal deals groups into blocks at random and returns the block of each element. group returns the group of an element;
// groups are numbered from 0.
func deal(rng *rand.Rand, n int, group func(j int) int) []int {
	groups := 0
	out := make([]int, n)
	for j := range out {
		out[j] = group(j)
		groups = max(groups, out[j]+1)
	}
	block := rng.Perm(groups)
	for j, g := range out {
		out[j] = block[g] % blocks
	}
	return out
}

// least is the smallest possible value of each measure.
var least = [6]float64{-1, -1}

func jackknife(figures []*Figure, cluster, class []uint32, block []int, at func(*Figure) **Interval) {
	var values [][6]float64
	for b := range blocks {
		var x, y []uint32
		for j := range block {
			if block[j] != b {
				x, y = append(x, cluster[j]), append(y, class[j])
			}
		}
		if len(x) < len(block) && len(x) > 0 {
			values = append(values, partitionValues(x, y))
		}
	}
	if len(values) < 2 {
		return
	}
	n := float64(len(values))
	for i, f := range figures {
		var m, square float64
		for _, v := range values {
			m += v[i] / n
		}
		for _, v := range values {
			square += (v[i] - m) * (v[i] - m)
		}
		wide := 1.96 * math.Sqrt(square*(n-1)/n)
		*at(f) = &Interval{max(f.Value-wide, least[i]), min(f.Value+wide, 1)}
	}
}
