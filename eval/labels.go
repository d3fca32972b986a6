package eval

import (
	"cmp"
	"slices"

	"github.com/kljensen/snowball/english"
	"github.com/lshclust/lshclust/text"
)

// LabelScores tells how well the labels of clusters fit the names of gold categories.
//
// Only clusters with two or more targets among the queries count. The category of a cluster on a level is the one that
// more than half of these targets have; a cluster without one is left out of that level. A label fits if it shares a
// word with the name of the category: lower-case, stemmed as English, stop words, numbers and the words of no meaning
// (see common) left out.
type LabelScores struct {
	Labels   string       `json:"labels"`   // name of the labels
	Clusters int          `json:"clusters"` // with two or more targets among the queries
	Targets  int          `json:"targets"`  // in them
	Words    float64      `json:"words"`    // of a label, mean over the clusters
	Levels   []LabelLevel `json:"levels"`   // from level 1; last "any": the names of all levels together
}

// LabelLevel are the figures of a level. Chance is the expected figure when the labels are dealt to the clusters at random,
// worked out exactly.
type LabelLevel struct {
	Level          string `json:"level"`
	Fit            Figure `json:"fit"`    // share of the clusters whose label fits
	Chance         Figure `json:"chance"` //
	Weighted       Figure `json:"weighted"`
	WeightedChance Figure `json:"weighted_chance"` // the same, a cluster counting as often as it has targets
}

// LabelSet is one way of labelling clusters.
type LabelSet struct {
	Name string
	Of   func(cluster uint32) []string // phrases of the label
}

// namedCluster is a cluster that is measured.
type namedCluster struct {
	cluster uint32
	query   int32 // its first target
	targets int
	names   []map[string]bool // words of the name of its category, by level; nil: it has none there
}

// ScoreLabels measures labels of clusters, all over the same clusters.
func (d *Directory) ScoreLabels(c Clusters, sets []LabelSet, o Options) []LabelScores {
	clusters := d.namedClusters(c, o)
	var out []LabelScores
	for _, set := range sets {
		s := LabelScores{Labels: set.Name, Clusters: len(clusters)}
		labels := make([]map[string]bool, len(clusters))
		words := 0
		for i, x := range clusters {
			labels[i] = map[string]bool{}
			for _, phrase := range set.Of(x.cluster) {
				addWords(labels[i], phrase)
				words += countWords(phrase)
			}
			s.Targets += x.targets
		}
		if len(clusters) > 0 {
			s.Words = float64(words) / float64(len(clusters))
		}
		for k := range d.depth + 1 {
			s.Levels = append(s.Levels, d.labelLevel(clusters, labels, k, o))
		}
		out = append(out, s)
	}
	return out
}

// namedClusters finds the clusters that are measured, and their categories.
func (d *Directory) namedClusters(c Clusters, o Options) []namedCluster {
	members := map[uint32][]int32{}
	for i, of := range c.Of {
		if of != NoCluster && (o.Queries == nil || o.Queries(i)) {
			members[of] = append(members[of], int32(i))
		}
	}
	common := d.commonWords()
	var out []namedCluster
	for of, m := range members {
		if len(m) < 2 {
			continue
		}
		x := namedCluster{cluster: of, query: m[0], targets: len(m), names: make([]map[string]bool, d.depth+1)}
		for k := 1; k <= d.depth; k++ {
			node, ok := d.majority(m, k)
			if !ok {
				continue
			}
			words := d.nameWords(node, common[k])
			if len(words) == 0 {
				continue // a name that says nothing
			}
			x.names[k-1] = words
			if x.names[d.depth] == nil {
				x.names[d.depth] = map[string]bool{}
			}
			for w := range words {
				x.names[d.depth][w] = true
			}
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b namedCluster) int { return cmp.Compare(a.query, b.query) })
	return out
}

// majority is the category of a level that more than half of some targets have.
func (d *Directory) majority(targets []int32, level int) (of int32, ok bool) {
	count := map[int32]int{}
	for _, t := range targets {
		seen := map[int32]bool{}
		for _, leaf := range d.leaves[t] {
			if int(d.nodes[leaf].level) >= level {
				seen[d.above(leaf, level)] = true
			}
		}
		for n := range seen {
			count[n]++
		}
	}
	most := 0
	for n, c := range count {
		if c > most || c == most && n < of {
			of, most = n, c
		}
	}
	return of, 2*most > len(targets)
}

// tooCommon is the share of the categories of a level from which on a word of their names means nothing, as "Awesome" in
// the names of lists; a level of fewer than so many categories has no such words.
const (
	tooCommon      = 0.1
	fewestToCommon = 20
)

// commonWords are, by level, the words that stand in the names of many categories.
func (d *Directory) commonWords() []map[string]bool {
	out := make([]map[string]bool, d.depth+1)
	for k := 1; k <= d.depth; k++ {
		out[k] = map[string]bool{}
		categories, count := 0, map[string]int{}
		for n, x := range d.nodes {
			if int(x.level) == k {
				categories++
				for w := range d.nameWords(int32(n), nil) {
					count[w]++
				}
			}
		}
		for w, n := range count {
			if categories >= fewestToCommon && float64(n) >= tooCommon*float64(categories) {
				out[k][w] = true
			}
		}
	}
	return out
}

func (d *Directory) nameWords(node int32, without map[string]bool) map[string]bool {
	words := map[string]bool{}
	addWords(words, d.nodes[node].name)
	for w := range without {
		delete(words, w)
	}
	return words
}

// addWords adds the stems of the words of s that mean something.
func addWords(to map[string]bool, s string) {
	var split text.Splitter
	split.Split([]byte(s), func(_, _ int, lower []byte) {
		w := string(lower)
		if !english.IsStopWord(w) && !allDigits(w) {
			to[english.Stem(w, true)] = true
		}
	})
}

func allDigits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func countWords(s string) (n int) {
	var split text.Splitter
	split.Split([]byte(s), func(_, _ int, _ []byte) { n++ })
	return n
}

// labelLevel measures the labels on one level of names.
func (d *Directory) labelLevel(clusters []namedCluster, labels []map[string]bool, level int, o Options) LabelLevel {
	l := LabelLevel{Level: "any"}
	if level < d.depth {
		l.Level = string(rune('1' + level))
	}
	having := map[string][]int{} // of each stem the labels that have it, of clusters that are measured here
	var some []int
	for i, x := range clusters {
		if x.names[level] == nil {
			continue
		}
		some = append(some, i)
		for w := range labels[i] {
			having[w] = append(having[w], i)
		}
	}
	t := &table{columns: make([]column, 4)}
	met := make([]int, len(clusters)) // cluster for which a label was last found to fit, from 1
	for _, i := range some {
		x := clusters[i]
		fits := 0
		for w := range x.names[level] {
			for _, j := range having[w] {
				if met[j] != i+1 {
					met[j] = i + 1
					fits++
				}
			}
		}
		fit, chance, weight := 0.0, float64(fits)/float64(len(some)), float64(x.targets)
		if met[i] == i+1 {
			fit = 1
		}
		for column, v := range [][2]float64{{fit, 1}, {chance, 1}, {fit * weight, weight}, {chance * weight, weight}} {
			t.add(d, x.query, column, v[0], v[1])
		}
	}
	f := t.figures(o)
	l.Fit, l.Chance, l.Weighted, l.WeightedChance = f[0], f[1], f[2], f[3]
	return l
}
