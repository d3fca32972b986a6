package labels

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/clusters"
	"github.com/lshclust/lshclust/internal/topic/label"
	"github.com/lshclust/lshclust/lab/evaluate"
	"github.com/lshclust/lshclust/lab/score"
)

// sizes are the least sizes of the topics in each row of the table.
var sizes = []uint32{5, 20, 100, 1000}

// topicNames measures the names of topics.
type topicNames struct {
	forest *clusters.Forest
	label  [][]string // of each node
	target [][]int    // targets of the gold in each node
}

// ofTopics measures the labels of the topics of a run: how many begin with a phrase that fits the category, and how many have one
// that fits.
func ofTopics(r *runs.Run, path, goldPath string, half score.Half, again string, each bool) error {
	g, err := gold.Read(goldPath, r.Rules)
	if err != nil {
		return err
	}
	s, err := evaluate.NewSubject(r, g.Labels, depth)
	if err != nil {
		return err
	}
	t, err := openTopics(path)
	if err != nil {
		return err
	}
	t.find(s, half)
	if again != "" {
		if err := t.relabel(path, again == "all"); err != nil {
			return err
		}
	}
	d, names := s.Directory, nameWords(s.Directory)
	type sum struct{ n, first, any, path, words int }
	rows := make([]sum, len(sizes))
	for i := range uint32(t.forest.Len()) {
		n := t.forest.Node(i)
		if n.Size < sizes[0] || len(t.target[i]) < 2 {
			continue
		}
		want, category := map[string]bool{}, ""
		for level := 1; level <= depth; level++ {
			if most := majority(d, t.target[i], level); most != "" {
				category = strings.ReplaceAll(most, "\n", "/")
				for _, w := range names[most] {
					want[w] = true
				}
			}
		}
		if len(want) == 0 {
			continue
		}
		l := t.label[i]
		first, some := len(l) > 0 && fits(stems(l[0]), want), fits(stems(l...), want)
		row := 0
		for row+1 < len(sizes) && n.Size >= sizes[row+1] {
			row++
		}
		of := &rows[row]
		of.n++
		of.words += len(words(l...))
		if first {
			of.first++
		}
		if some {
			of.any++
		}
		for up := i; up != tables.None; up = t.forest.Node(up).Parent {
			if l := t.label[up]; len(l) > 0 && fits(stems(l[0]), want) {
				of.path++
				break
			}
		}
		if each {
			fmt.Printf("%d\t%d\t%v\t%v\t%s\t%s\n", n.Size, len(t.target[i]), first, some, label.Join(l), category)
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "size\ttopics\twords\tfirst fits\tany fits\tfirst fits on the path\n")
	for i, row := range rows {
		n := float64(max(1, row.n))
		fmt.Fprintf(w, "%d+\t%d\t%.1f\t%.3f\t%.3f\t%.3f\n", sizes[i], row.n, float64(row.words)/n, float64(row.first)/n, float64(row.any)/n, float64(row.path)/n)
	}
	fmt.Fprintf(w, "siblings with an equal first phrase\t%.3f\n", t.equal())
	return w.Flush()
}

func openTopics(path string) (*topicNames, error) {
	tree, err := tables.OpenTree(filepath.Join(path, tables.TreeFile))
	if err != nil {
		return nil, err
	}
	t := &topicNames{forest: clusters.ForestOf(tree), label: make([][]string, tree.Len()), target: make([][]int, tree.Len())}
	for i := range t.label {
		t.label[i] = tree.At(uint32(i)).Label
	}
	return t, nil
}

// relabel labels the topics again: all, or those that are measured.
func (t *topicNames) relabel(path string, all bool) error {
	r, err := runs.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	from := &clusters.Tables{}
	var errs [6]error
	from.Nodes, errs[0] = tables.OpenNodes(filepath.Join(path, tables.NodesFile))
	from.Pairs, errs[1] = tables.OpenPairs(filepath.Join(path, tables.PairsFile))
	from.Bags, errs[2] = tables.OpenBags(filepath.Join(path, tables.BagsFile))
	from.Terms, errs[3] = tables.OpenTerms(filepath.Join(path, tables.TermsFile))
	from.Documents, errs[4] = tables.OpenDocuments(filepath.Join(path, tables.DocumentsFile))
	from.Evidence, errs[5] = tables.OpenEvidence(filepath.Join(path, tables.EvidenceFile))
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	l, err := from.NewLabeller(r.Config.TextAnalysis())
	if err != nil {
		return err
	}
	if to := os.Getenv("PROFILE"); to != "" {
		f, err := os.Create(to)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	start, of := time.Now(), l.NewTreeLabeller(t.forest)
	for i := range uint32(len(t.label)) {
		t.label[i] = nil
		if t.forest.Node(i).Size < 2 || !all && (t.forest.Node(i).Size < sizes[0] || len(t.target[i]) < 2) {
			continue
		}
		t.label[i] = of.Label(i)
	}
	fmt.Fprintf(os.Stderr, "labels: %.1f s\n", time.Since(start).Seconds())
	return nil
}

// find sets the targets of each node.
func (t *topicNames) find(s *evaluate.Subject, half score.Half) {
	for target, id := range s.IDs {
		if id == eval.NoDocument || half != score.All && s.Directory.Half(target) != half {
			continue
		}
		for at := t.forest.LeafOf[id]; at != tables.None; at = t.forest.Node(at).Parent {
			t.target[at] = append(t.target[at], target)
		}
	}
}

// equal returns the share of topics of 20 or more whose first phrase is that of an earlier sibling.
func (t *topicNames) equal() float64 {
	seen, twice, n := map[string]bool{}, 0, 0
	for i := range uint32(t.forest.Len()) {
		if node := t.forest.Node(i); node.Size >= 20 && len(t.label[i]) > 0 {
			key := fmt.Sprint(node.Parent, " ", strings.ToLower(t.label[i][0]))
			if n++; seen[key] {
				twice++
			}
			seen[key] = true
		}
	}
	return float64(twice) / float64(max(1, n))
}
