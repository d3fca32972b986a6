package score

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// TreeLevel tells how well a tree of clusters agrees with one level of a directory.
type TreeLevel struct {
	Level  int    `json:"level"` // of the directory
	Purity Figure `json:"dendrogram_purity"`
	Chance Figure `json:"chance_dendrogram_purity"` // mean over trees of the same shape with shuffled targets
}

// treeShuffles is the number of shuffled trees behind the chance level.
const treeShuffles = 5

// ScoreTree measures the dendrogram purity of a tree, given its levels, each a coarsening of the one before. It uses
// the Queries and Seed of o.
//
// Take a query and another target of a category of the query, and the smallest cluster of any level that has both, or
// all targets if no cluster has. The purity is the share of the targets in it that are of this category, averaged over
// all such pairs; a target is of every category on its paths. Targets that the tree does not know are left out.
func (d *Directory) ScoreTree(levels []Clusters, o Options) []TreeLevel {
	var out []TreeLevel
	for k := 1; k <= d.depth; k++ {
		t := d.treeScorer(levels, k, o)
		l := TreeLevel{Level: k, Purity: t.purity()}
		if l.Purity.Defined() {
			rng := rand.New(rand.NewPCG(o.Seed, uint64(k)))
			l.Chance.N = l.Purity.N
			for range treeShuffles {
				rng.Shuffle(len(t.categories), func(i, j int) {
					t.categories[i], t.categories[j] = t.categories[j], t.categories[i]
					t.query[i], t.query[j] = t.query[j], t.query[i]
				})
				l.Chance.Value += t.purity().Value / treeShuffles
			}
		}
		out = append(out, l)
	}
	return out
}

// treeScorer is the state of ScoreTree for one level of the directory. Its targets are those that have a category and
// that the tree knows.
type treeScorer struct {
	levels     [][]uint32 // cluster of each target at each level; the last level has a single cluster
	categories [][]int32  // of each target
	query      []bool
}

func (d *Directory) treeScorer(levels []Clusters, k int, o Options) *treeScorer {
	t := &treeScorer{levels: make([][]uint32, len(levels)+1)}
	v := d.whole()
	for i := range d.Len() {
		own := v.at(nil, int32(i), k)
		if len(own) == 0 || len(levels) == 0 || levels[0].Of[i] == NoCluster {
			continue
		}
		t.categories = append(t.categories, own)
		t.query = append(t.query, o.Queries == nil || o.Queries(i))
		for l := range levels {
			t.levels[l] = append(t.levels[l], levels[l].Of[i])
		}
		t.levels[len(levels)] = append(t.levels[len(levels)], 0)
	}
	return t
}

// within is the targets of one category in one cluster.
type within struct {
	cluster  uint32
	category int32
}

// present counts the targets of one category in one cluster.
type present struct {
	all, queries int
	joined       int // pairs of a query and another target that are together here or in a smaller cluster
}

// purity returns the dendrogram purity.
func (t *treeScorer) purity() Figure {
	var sum float64
	pairs := 0
	var below map[within]present
	for l, of := range t.levels {
		size, now := map[uint32]int{}, map[within]present{}
		up := map[uint32]uint32{} // cluster of this level, by that of the level below
		for i, c := range of {
			size[c]++
			for _, category := range t.categories[i] {
				s := now[within{c, category}]
				if s.all++; t.query[i] {
					s.queries++
				}
				now[within{c, category}] = s
			}
			if l > 0 {
				up[t.levels[l-1][i]] = c
			}
		}
		before := map[within]int{}
		for w, s := range below {
			before[within{up[w.cluster], w.category}] += s.joined
		}
		for _, w := range sorted(now) {
			s := now[w]
			s.joined = s.queries * (s.all - 1)
			now[w] = s
			fresh := s.joined - before[w]
			pairs += fresh
			sum += float64(fresh) * float64(s.all) / float64(size[w.cluster])
		}
		below = now
	}
	if pairs == 0 {
		return Figure{}
	}
	return Figure{Value: sum / float64(pairs), N: pairs}
}

// sorted returns the keys in a fixed order, so that sums come out the same.
func sorted(m map[within]present) []within {
	var out []within
	for w := range m {
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b within) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.category, b.category))
	})
	return out
}
