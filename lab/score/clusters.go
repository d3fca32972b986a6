package score

import (
	"cmp"
	"fmt"
	"slices"
)

// NoCluster is the cluster of a target that is not in the clustering.
const NoCluster = ^uint32(0)

// Clusters is a clustering of the targets of a directory.
type Clusters struct {
	Name string
	Of   []uint32 // cluster of each target, or NoCluster
	Size []int    // number of documents in the cluster of each target, including documents that are not targets
}

// ClusterScores says how well a clustering agrees with a directory. Its elements are the queries in the clustering; the
// figures of a level cover the elements with a category at that level.
type ClusterScores struct {
	Clustering string         `json:"clustering"`
	Targets    int            `json:"targets"`    // queries
	Unknown    int            `json:"unknown"`    // queries that are not in the clustering
	Clusters   int            `json:"clusters"`   // clusters that hold a query
	Largest    int            `json:"largest"`    // number of targets in the fullest cluster
	Singletons int            `json:"singletons"` // targets in a cluster of one document
	Alone      int            `json:"alone"`      // targets without another target in their cluster, singletons included
	Coverage   Figure         `json:"coverage"`   // share of the queries that are in a cluster of two or more documents
	Levels     []ClusterLevel `json:"levels"`
}

// ClusterLevel holds the figures of one level. Two targets belong together if any of their paths agree.
//
// Precision is the share of a target's cluster that belongs with the target, itself included. Recall is the share of
// what belongs with the target that is in its cluster. Both are averaged over the targets (B-cubed).
type ClusterLevel struct {
	Level   int         `json:"level"`
	Targets int         `json:"targets"` // with a category at this level
	BCubed  PrecisionOf `json:"bcubed"`
}

// PrecisionOf holds precision, recall and their harmonic mean F, and what clusters of the same sizes with random
// members would reach. The chance levels of precision and recall are exact; that of F is the harmonic mean of the two.
type PrecisionOf struct {
	Precision       Figure `json:"precision"`
	Recall          Figure `json:"recall"`
	F               Figure `json:"f"`
	ChancePrecision Figure `json:"chance_precision"`
	ChanceRecall    Figure `json:"chance_recall"`
	ChanceF         Figure `json:"chance_f"`
}

// Figures lists the figures of all levels under their names in tables, such as bcubed_precision_1.
func (s *ClusterScores) Figures() []Named {
	out := []Named{{"cluster_coverage", s.Coverage}}
	for _, l := range s.Levels {
		b := &l.BCubed
		for _, n := range []Named{
			{"precision", b.Precision}, {"recall", b.Recall}, {"f", b.F},
			{"chance_precision", b.ChancePrecision}, {"chance_recall", b.ChanceRecall}, {"chance_f", b.ChanceF},
		} {
			out = append(out, Named{fmt.Sprintf("bcubed_%s_%d", n.Name, l.Level), n.Figure})
		}
	}
	return out
}

// ScoreClusters measures a clustering. It uses the Queries, Bootstrap and Seed of o. Targets that are not queries stay
// in the clusters.
func (d *Directory) ScoreClusters(c Clusters, o Options) ClusterScores {
	s := ClusterScores{Clustering: c.Name}
	t := &table{name: c.Name, columns: make([]column, 1)}
	targets := map[uint32]int{} // number of targets in each cluster
	for _, of := range c.Of {
		targets[of]++
	}
	here := map[uint32]bool{}
	for i, of := range c.Of {
		if o.Queries != nil && !o.Queries(i) {
			continue
		}
		s.Targets++
		covered := 0.0
		switch {
		case of == NoCluster:
			s.Unknown++
		default:
			here[of] = true
			s.Largest = max(s.Largest, targets[of])
			if targets[of] == 1 {
				s.Alone++
			}
			if c.Size[i] == 1 {
				s.Singletons++
			} else {
				covered = 1
			}
		}
		t.add(d, int32(i), 0, covered, 1)
	}
	s.Clusters = len(here)
	s.Coverage = t.figures(o)[0]
	for k := 1; k <= d.depth; k++ {
		s.Levels = append(s.Levels, d.scoreLevel(c, k, o))
	}
	return s
}

// add appends the query if column is the first one, and sets the column.
func (t *table) add(d *Directory, q int32, column int, num, den float64) {
	if column == 0 {
		t.queries = append(t.queries, q)
		t.lists = append(t.lists, d.lists[q])
	}
	c := &t.columns[column]
	c.num, c.den = append(c.num, num), append(c.den, den)
}

// Columns of the table of a level.
const (
	precision = iota
	recall
	fMeasure // not a column; computed from the other two
)

func (d *Directory) scoreLevel(c Clusters, level int, o Options) ClusterLevel {
	l := ClusterLevel{Level: level}
	elements, gold, mates, both := d.overlaps(c, level)
	t := &table{columns: make([]column, fMeasure)}
	var some []int32 // elements that are queries
	var size, other float64
	for j, e := range elements {
		if o.Queries != nil && !o.Queries(int(e)) {
			continue
		}
		some = append(some, e)
		t.add(d, e, precision, float64(both[j])/float64(mates[j]), 1)
		t.add(d, e, recall, float64(both[j])/float64(gold[j]), 1)
		size, other = size+1/float64(mates[j]), other+float64(mates[j]-1)
	}
	if l.Targets = len(some); l.Targets == 0 {
		return l
	}
	l.BCubed = t.precisions(o)
	l.chance(gold, elements, some, len(elements), size/float64(len(some)), other/float64(len(some)))
	return l
}

// overlaps returns the targets that are in the clustering and have a category at the level. For each it returns how
// many of them belong with it, how many are in its cluster, and how many are both; itself included.
func (d *Directory) overlaps(c Clusters, level int) (elements []int32, gold, mates, both []int) {
	v := d.whole()
	var at []int32
	for i, of := range c.Of {
		if at = v.at(at[:0], int32(i), level); len(at) > 0 && of != NoCluster {
			elements = append(elements, int32(i))
		}
	}
	gold = v.together(elements, level)
	mates, both = make([]int, len(elements)), make([]int, len(elements))
	order := make([]int, len(elements)) // indices of elements, sorted by cluster
	for j := range order {
		order[j] = j
	}
	cluster := func(j int) uint32 { return c.Of[elements[j]] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cluster(a), cluster(b)) })
	var members []int32
	for from := 0; from < len(order); {
		to := from
		members = members[:0]
		for ; to < len(order) && cluster(order[to]) == cluster(order[from]); to++ {
			members = append(members, elements[order[to]])
		}
		for i, n := range v.together(members, level) {
			mates[order[from+i]], both[order[from+i]] = len(members), n
		}
		from = to
	}
	return elements, gold, mates, both
}

// precisions adds up the columns.
func (t *table) precisions(o Options) PrecisionOf {
	f := append(t.values(), Figure{})
	f[fMeasure] = Figure{Value: harmonic(f[precision].Value, f[recall].Value), N: max(f[precision].N, f[recall].N)}
	ratio := func(s []float64, c int) float64 { return s[2*c] / s[2*c+1] }
	t.resample(f, o, func(s []float64, figure int) float64 {
		if figure == fMeasure {
			return harmonic(ratio(s, precision), ratio(s, recall))
		}
		return ratio(s, figure)
	})
	return PrecisionOf{Precision: f[precision], Recall: f[recall], F: f[fMeasure]}
}

// harmonic returns the harmonic mean, or 0 for two zeros.
func harmonic(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}

// chance sets what random members would reach if n elements were dealt into clusters of the given sizes: a query would
// then meet each other element with the same probability. single is the mean of 1 over the size of a query's cluster,
// others the mean number of other members.
func (l *ClusterLevel) chance(gold []int, elements, some []int32, n int, single, others float64) {
	if n < 2 {
		return
	}
	met := others / float64(n-1) // probability that another element is in the cluster
	var belong, found float64
	j := 0
	for _, e := range some {
		for elements[j] != e {
			j++
		}
		with := float64(gold[j] - 1)
		belong += with / float64(n-1)
		found += (1 + with*met) / (1 + with)
	}
	count := float64(len(some))
	belong, found = belong/count, found/count
	f := func(v float64) Figure { return Figure{Value: v, N: len(some)} }
	right := single + (1-single)*belong
	l.BCubed.ChancePrecision, l.BCubed.ChanceRecall, l.BCubed.ChanceF = f(right), f(found), f(harmonic(right, found))
}
