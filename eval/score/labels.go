package score

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
	"github.com/lshclust/lshclust/text"
)

// LabelScores tells how well the labels of clusters fit the names of gold categories.
//
// Only clusters with two or more targets among the queries are measured. The category of a cluster at a level is the
// one that more than half of these targets have; a cluster without one is left out of that level. A label fits if it
// shares a word with the name of the category. Words are lower-cased and stemmed as English. Stop words, numbers, and
// words in the names of many categories of the level ("Awesome") are ignored.
type LabelScores struct {
	Labels   string       `json:"labels"`   // name of the labels
	Clusters int          `json:"clusters"` // with two or more targets among the queries
	Targets  int          `json:"targets"`  // in these clusters
	Words    float64      `json:"words"`    // in a label, mean over the clusters
	Levels   []LabelLevel `json:"levels"`   // from level 1; the last one combines the names of all levels
}

// LabelLevel holds the figures of one level. Chance is the exact expectation if the labels are dealt to the clusters of
// the level at random. In the weighted figures a cluster counts once for each of its targets.
type LabelLevel struct {
	Level          string `json:"level"`           // "1", "2", …, "any"
	Fit            Figure `json:"fit"`             // share of the clusters whose label fits
	Chance         Figure `json:"chance"`          //
	Weighted       Figure `json:"weighted"`        //
	WeightedChance Figure `json:"weighted_chance"` //

	// Less is how much more often the first of the measured labels fit than these. For the interval, the same clusters
	// are resampled for both.
	Less         Figure `json:"less"`
	WeightedLess Figure `json:"weighted_less"`
}

// Figures lists the figures of all levels under their names in tables: fit1, chance1, … weighted_less_any.
func (s *LabelScores) Figures() []Named {
	var out []Named
	for _, l := range s.Levels {
		at := l.Level
		if at == anyLevel {
			at = "_" + at
		}
		out = append(out, Named{"fit" + at, l.Fit}, Named{"chance" + at, l.Chance}, Named{"less" + at, l.Less},
			Named{"weighted" + at, l.Weighted}, Named{"weighted_chance" + at, l.WeightedChance}, Named{"weighted_less" + at, l.WeightedLess})
	}
	return out
}

const anyLevel = "any"

// LabelSet is one way to label clusters.
type LabelSet struct {
	Name string
	Of   func(cluster uint32) []string // phrases of the label
}

// namedCluster is a cluster that is measured.
type namedCluster struct {
	cluster uint32
	query   int32 // its first target
	targets int
	names   []map[string]bool // words in the name of its category at each level; nil if it has none
}

// ScoreLabels measures several sets of labels of the same clusters. It uses the Queries, Bootstrap and Seed of o.
func (d *Directory) ScoreLabels(c Clusters, sets []LabelSet, o Options) []LabelScores {
	clusters := d.namedClusters(c, o)
	var first []*table
	var out []LabelScores
	for _, set := range sets {
		s := LabelScores{Labels: set.Name, Clusters: len(clusters)}
		labels := make([]map[string]bool, len(clusters))
		words := 0
		for i, x := range clusters {
			labels[i] = map[string]bool{}
			for _, phrase := range set.Of(x.cluster) {
				addWords(labels[i], phrase)
				words += len(LabelWords(phrase))
			}
			s.Targets += x.targets
		}
		if len(clusters) > 0 {
			s.Words = float64(words) / float64(len(clusters))
		}
		var tables []*table
		for k := range d.depth + 1 {
			tables = append(tables, d.labelTable(clusters, labels, k))
		}
		if first == nil {
			first = tables
		}
		for k, t := range tables {
			f, less := t.figures(o), first[k].less(t, o)
			l := LabelLevel{Level: anyLevel, Fit: f[0], Chance: f[1], Weighted: f[2], WeightedChance: f[3], Less: less[0], WeightedLess: less[2]}
			if k < d.depth {
				l.Level = fmt.Sprint(k + 1)
			}
			s.Levels = append(s.Levels, l)
		}
		out = append(out, s)
	}
	return out
}

// namedClusters returns the clusters that are measured, with their categories.
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
				continue // the name holds no word that counts
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

// majority returns the category of a level that more than half of the targets have.
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

// tooCommon is the share of the categories of a level at which a word in their names is ignored, such as "Awesome" in
// the names of lists. A level of fewer than fewestCommon categories has no such words.
const (
	tooCommon    = 0.1
	fewestCommon = 20
)

// commonWords returns, for each level, the words in the names of many of its categories.
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
			if categories >= fewestCommon && float64(n) >= tooCommon*float64(categories) {
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

// addWords adds the stems of the words of s, without stop words and numbers.
func addWords(to map[string]bool, s string) {
	for _, w := range LabelWords(s) {
		if !english.IsStopWord(w) && strings.Trim(w, "0123456789") != "" {
			to[english.Stem(w, true)] = true
		}
	}
}

// LabelWords returns the words of s in lower case.
func LabelWords(s string) (words []string) {
	var at text.Splitter
	at.Split([]byte(s), func(_, _ int, lower []byte) { words = append(words, string(lower)) })
	return words
}

// labelTable has a row for each cluster with a category at a level; the level after the last stands for the names of
// all levels. A row holds whether the label fits, the probability that a random label fits, and both of them weighted.
func (d *Directory) labelTable(clusters []namedCluster, labels []map[string]bool, level int) *table {
	having := map[string][]int{} // for each word, the measured clusters whose labels contain it
	some := 0
	for i, x := range clusters {
		if x.names[level] == nil {
			continue
		}
		some++
		for w := range labels[i] {
			having[w] = append(having[w], i)
		}
	}
	t := &table{columns: make([]column, 4)}
	met := make([]int, len(clusters)) // the last cluster that the label of this one fits, counted from 1
	for i, x := range clusters {
		if x.names[level] == nil {
			continue
		}
		fitting := 0
		for w := range x.names[level] {
			for _, j := range having[w] {
				if met[j] != i+1 {
					met[j] = i + 1
					fitting++
				}
			}
		}
		fit, chance, weight := 0.0, float64(fitting)/float64(some), float64(x.targets)
		if met[i] == i+1 {
			fit = 1
		}
		for column, v := range [][2]float64{{fit, 1}, {chance, 1}, {fit * weight, weight}, {chance * weight, weight}} {
			t.add(d, x.query, column, v[0], v[1])
		}
	}
	return t
}
