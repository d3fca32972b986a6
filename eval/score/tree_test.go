package score

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// purityByPairs follows the definition of ScoreTree pair by pair.
func purityByPairs(d *Directory, levels []Clusters, k int, o Options) (sum float64, pairs int) {
	of := func(i int) []int32 {
		if levels[0].Of[i] == NoCluster {
			return nil
		}
		return d.whole().at(nil, int32(i), k)
	}
	for i := range d.Len() {
		for j := range d.Len() {
			if i == j || o.Queries != nil && !o.Queries(i) {
				continue
			}
			for _, c := range of(i) {
				for _, e := range of(j) {
					if e == c {
						pairs++
						sum += shareOf(d, levels, of, i, j, c)
					}
				}
			}
		}
	}
	return sum, pairs
}

// shareOf is the share of category c in the smallest cluster that has i and j.
func shareOf(d *Directory, levels []Clusters, of func(int) []int32, i, j int, c int32) float64 {
	in := func(int) bool { return true }
	for _, l := range levels {
		if l.Of[i] == l.Of[j] {
			in = func(x int) bool { return l.Of[x] == l.Of[i] }
			break
		}
	}
	all, same := 0, 0
	for x := range d.Len() {
		if own := of(x); len(own) > 0 && in(x) {
			all++
			for _, e := range own {
				if e == c {
					same++
				}
			}
		}
	}
	return float64(same) / float64(all)
}

func TestScoreTreeIsDefinition(t *testing.T) {
	d, _ := worked(t)
	rapid.Check(t, func(t *rapid.T) {
		low, high := randomClusters(d, rapid.Uint64().Draw(t, "seed")), Clusters{Of: make([]uint32, d.Len()), Size: make([]int, d.Len())}
		for i, c := range low.Of {
			if high.Of[i] = c % 2; c == NoCluster {
				high.Of[i] = NoCluster
			}
		}
		o := Options{Queries: func(i int) bool { return i%3 > 0 }}
		for n, levels := range [][]Clusters{{low}, {low, high}} {
			for _, l := range d.ScoreTree(levels, o) {
				sum, pairs := purityByPairs(d, levels, l.Level, o)
				if pairs != l.Purity.N || pairs > 0 && math.Abs(sum/float64(pairs)-l.Purity.Value) > 1e-12 {
					t.Fatalf("%d levels: level %d is %+v, want %g of %d pairs", n+1, l.Level, l.Purity, sum/float64(pairs), pairs)
				}
			}
		}
	})
}

func TestScoreTreeEnds(t *testing.T) {
	d, _ := worked(t)
	own := Clusters{Of: make([]uint32, d.Len()), Size: make([]int, d.Len())}
	for i := range own.Of {
		own.Of[i] = uint32(d.whole().first(int32(i), 1))
	}
	if l := d.ScoreTree([]Clusters{own}, Options{})[0]; l.Purity.Value < l.Chance.Value {
		t.Errorf("clusters that are the categories: %+v", l)
	}
	if l := d.ScoreTree(nil, Options{})[0]; l.Purity.Defined() {
		t.Errorf("no levels: %+v", l)
	}
}
