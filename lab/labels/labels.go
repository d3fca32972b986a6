// Package labels measures whether the labels of topical clusters share words with the names of the categories of a gold.
//
//	lab labels -gold gold.tsv RUN
//
// Only clusters with two or more targets of the gold (of the chosen half) are measured. The category of a cluster at a
// level is the one that more than half of these targets have. A label fits if it shares a word with the name of the
// category of any level. Words are stemmed in English; stop words, numbers, and words in at least a tenth of the names of
// a level ("Awesome") are ignored. Chance is the exact expectation if the labels are dealt to the clusters at random.
package labels

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/kljensen/snowball/english"

	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/topic/label"
	"github.com/lshclust/lshclust/lab/evaluate"
	"github.com/lshclust/lshclust/lab/score"
)

// depth is the number of levels of a category that are compared, and countsWords the number of words in a label made of
// the greatest counts.
const (
	depth       = 3
	countsWords = 5
)

// cluster is a cluster that is measured.
type cluster struct {
	topics.TopicalCluster
	targets int
	path    []string        // the deepest category that it has
	names   map[string]bool // words in the names of its categories
}

// Command reads the flags, measures and prints.
func Command(args []string) error {
	flags := flag.NewFlagSet("labels", flag.ContinueOnError)
	path := flags.String("gold", "", "the gold with the categories")
	half := flags.String("half", "test", "targets to measure: dev, test or all")
	again := flags.Bool("again", false, "label the clusters again instead of reading the labels of the run")
	each := flags.Bool("each", false, "print each cluster")
	tree := flags.Bool("topics", false, "measure the topics of 20 documents and more instead of the clusters")
	some := flags.String("relabel", "", "with -topics, label \"all\" topics again, or \"some\": those that are measured")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("give one run")
	}
	r, err := runs.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer r.Close()
	of, err := score.ParseHalf(*half)
	if err != nil {
		return err
	}
	if *tree {
		return ofTopics(r, flags.Arg(0), *path, of, *some, *each)
	}
	found, err := measured(r, *path, of)
	if err != nil {
		return err
	}
	sets, names := map[string][][]string{}, make([]map[string]bool, len(found))
	all := make([]topics.TopicalCluster, len(found))
	for i := range found {
		all[i], names[i] = found[i].TopicalCluster, found[i].names
	}
	if *again {
		if err := topics.LabelClusters(context.Background(), r, all); err != nil {
			return err
		}
	}
	for i, c := range found {
		own, counts := all[i].Label, byCounts(r, c.TopicalCluster)
		sets["run"], sets["counts"] = append(sets["run"], own), append(sets["counts"], counts)
		sets["counts, as long"] = append(sets["counts, as long"], counts[:min(len(counts), len(words(own...)))])
		if *each {
			fit := "-"
			if fits(stems(own...), c.names) {
				fit = "fits"
			}
			fmt.Printf("%d\t%d\t%s\t%s\t%s\t%s\t%s\n", c.Size, c.targets, fit, label.Join(own), strings.Join(c.path, "/"), label.Join(counts), r.URL(c.Center))
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "labels of %d clusters\twords\tfit\tchance\n", len(found))
	for _, name := range []string{"run", "counts", "counts, as long"} {
		n, fit, chance := Score(sets[name], names)
		fmt.Fprintf(w, "%s\t%.1f\t%.3f\t%.3f\n", name, n, fit, chance)
	}
	return w.Flush()
}

// Score returns the mean number of words of some labels, the share that has a word of the names of its own cluster, and
// the share expected of labels dealt at random.
func Score(labels [][]string, names []map[string]bool) (length, fit, chance float64) {
	n := float64(len(labels))
	for i, l := range labels {
		length += float64(len(words(l...))) / n
		has := stems(l...)
		for j := range names {
			if fits(has, names[j]) {
				chance += 1 / n / n
				if i == j {
					fit += 1 / n
				}
			}
		}
	}
	return length, fit, chance
}

func fits(label, names map[string]bool) bool {
	for w := range label {
		if names[w] {
			return true
		}
	}
	return false
}

// measured returns the clusters with targets and a category, in the order of their first targets.
func measured(r *runs.Run, path string, half score.Half) ([]cluster, error) {
	g, err := gold.Read(path, r.Rules)
	if err != nil {
		return nil, err
	}
	s, err := evaluate.NewSubject(r, g.Labels, depth)
	if err != nil {
		return nil, err
	}
	d, centers := s.Directory, r.Clusters.Centers()
	targets := map[uint32][]int{}
	var order []uint32
	for t, id := range s.IDs {
		if id == eval.NoDocument || half != score.All && d.Half(t) != half {
			continue
		}
		if targets[centers[id]] == nil {
			order = append(order, centers[id])
		}
		targets[centers[id]] = append(targets[centers[id]], t)
	}
	names := nameWords(d)
	var out []cluster
	for _, center := range order {
		c := cluster{targets: len(targets[center]), names: map[string]bool{}}
		if c.targets < 2 {
			continue
		}
		for level := 1; level <= depth; level++ {
			if most := majority(d, targets[center], level); most != "" {
				c.path = strings.Split(most, "\n")
				for _, w := range names[most] {
					c.names[w] = true
				}
			}
		}
		if len(c.names) == 0 {
			continue
		}
		if c.TopicalCluster, err = topics.ClusterOf(r, center); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// majority returns the category of a level that more than half of the targets have, or "".
func majority(d *score.Directory, targets []int, level int) string {
	count := map[string]int{}
	for _, t := range targets {
		seen := map[string]bool{}
		for _, p := range d.Paths(t) {
			if len(p) >= level {
				seen[strings.Join(p[:level], "\n")] = true
			}
		}
		for c := range seen {
			count[c]++
		}
	}
	best := ""
	for c, n := range count {
		if 2*n > len(targets) && (n > count[best] || n == count[best] && c < best) {
			best = c
		}
	}
	return best
}

// A level of at least fewest categories ignores words in at least a share of their names.
const (
	tooCommon = 0.1
	fewest    = 20
)

// nameWords returns the words that count in the name of each category.
func nameWords(d *score.Directory) map[string][]string {
	names := map[string][]string{}
	count, categories := map[int]map[string]int{}, map[int]int{}
	for t := range d.Len() {
		for _, p := range d.Paths(t) {
			for level := 1; level <= len(p); level++ {
				key := strings.Join(p[:level], "\n")
				if _, ok := names[key]; ok {
					continue
				}
				names[key] = []string{}
				if categories[level]++; count[level] == nil {
					count[level] = map[string]int{}
				}
				for w := range stems(p[level-1]) {
					names[key] = append(names[key], w)
					count[level][w]++
				}
			}
		}
	}
	for key, of := range names {
		level := 1 + strings.Count(key, "\n")
		names[key] = slices.DeleteFunc(of, func(w string) bool {
			return categories[level] >= fewest && float64(count[level][w]) >= tooCommon*float64(categories[level])
		})
	}
	return names
}

// words returns the words of some texts in lower case.
func words(of ...string) (out []string) {
	var split text.Splitter
	for _, s := range of {
		split.Split([]byte(s), func(_, _ int, lower []byte) { out = append(out, string(lower)) })
	}
	return out
}

// stems returns the stems of the words, without stop words and numbers.
func stems(of ...string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words(of...) {
		if !english.IsStopWord(w) && strings.Trim(w, "0123456789") != "" {
			out[english.Stem(w, true)] = true
		}
	}
	return out
}

// byCounts returns the words with the greatest counts over the bags of the members of a cluster, each word once.
func byCounts(r *runs.Run, c topics.TopicalCluster) (out []string) {
	sum := map[string]int{}
	for _, m := range topics.Members(r, c, 0, c.Size) {
		bag := topics.Bag(r, m.ID)
		for i, t := range bag.Terms {
			sum[r.Terms.Word(t)] += int(bag.Counts[i])
		}
	}
	for w := range sum {
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(sum[b], sum[a]), cmp.Compare(a, b)) })
	return out[:min(len(out), countsWords)]
}
