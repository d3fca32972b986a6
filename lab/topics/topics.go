// Package topics measures how well the topical clusters of runs, and their trees of topics, agree with the categories of a
// gold.
//
//	lab topics -gold gold.tsv RUN...
//
// It prints the B-cubed precision, recall and F at each level of the gold, for the tops, for the topics one, two, … steps
// below, and for the leaves, as means over the runs, which may differ in their seeds. With -again it divides the pairs of
// the runs again, with other settings.
package topics

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"text/tabwriter"
	"time"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/clusters"
	"github.com/lshclust/lshclust/internal/topic/tree"
	"github.com/lshclust/lshclust/lab/evaluate"
	"github.com/lshclust/lshclust/lab/score"
)

const (
	depth = 3 // levels of a category that are compared
	cuts  = 6 // cuts through a tree: the tops, four levels below, the leaves
)

// row has the sums of the figures of a clustering over the runs.
type row struct {
	name    string
	figures [depth][3]float64
}

// command holds the flags.
type command struct {
	gold  string
	half  score.Half
	again bool
	tree  tree.Config
	rows  [1 + cuts]row
}

// Command reads the flags, measures and prints.
func Command(args []string) (err error) {
	c := command{tree: tree.Defaults}
	flags := flag.NewFlagSet("topics", flag.ContinueOnError)
	flags.StringVar(&c.gold, "gold", "", "the gold with the categories")
	half := flags.String("half", "all", "targets to measure: dev, test or all")
	flags.BoolVar(&c.again, "again", false, "divide the pairs again, with the settings below")
	flags.IntVar(&c.tree.Nearest, "nearest", c.tree.Nearest, "pairs of which one side is among so many nearest of the other")
	flags.Float64Var(&c.tree.Middle, "middle", c.tree.Middle, "resolution of the middle topics")
	flags.Float64Var(&c.tree.Tops, "tops", c.tree.Tops, "resolution of the tops")
	flags.Float64Var(&c.tree.Share, "share", c.tree.Share, "of all documents that a top may have")
	flags.Float64Var(&c.tree.Parts, "parts", c.tree.Parts, "resolution of the parts of a topic")
	flags.IntVar(&c.tree.Least, "least", c.tree.Least, "nodes of a topic that is divided")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if c.half, err = score.ParseHalf(*half); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("give a run")
	}
	for _, run := range flags.Args() {
		if err = c.measure(run); err != nil {
			return fmt.Errorf("%s: %w", run, err)
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprint(w, "clusters")
	for level := range depth {
		fmt.Fprintf(w, "\tlevel %d: P\tR\tF", level+1)
	}
	fmt.Fprintln(w)
	for _, r := range c.rows {
		fmt.Fprint(w, r.name)
		for _, level := range r.figures {
			for _, x := range level {
				fmt.Fprintf(w, "\t%.3f", x/float64(flags.NArg()))
			}
		}
		fmt.Fprintln(w)
	}
	return nil
}

// measure adds the figures of a run to the rows.
func (c *command) measure(path string) error {
	r, err := runs.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	g, err := gold.Read(c.gold, r.Rules)
	if err != nil {
		return err
	}
	s, err := evaluate.NewSubject(r, g.Labels, depth)
	if err != nil {
		return err
	}
	f, err := c.forest(path)
	if err != nil {
		return err
	}
	c.rows[0].add("flat", s, r.Clusters.Centers(), c.half)
	for cut := range cuts {
		name := [cuts]string{"tops", "", "", "", "", "leaves"}[cut]
		if name == "" {
			name = fmt.Sprintf("%d below", cut)
		}
		center, n, largest := cutAt(f, cut)
		c.rows[1+cut].add(fmt.Sprintf("%s: %d, largest %d", name, n, largest), s, center, c.half)
	}
	return r.Err()
}

// forest returns the topics of a run, or those that the settings make of its pairs.
func (c *command) forest(path string) (*clusters.Forest, error) {
	if !c.again {
		t, err := tables.OpenTree(filepath.Join(path, tables.TreeFile))
		if err != nil {
			return nil, err
		}
		return clusters.ForestOf(t), nil
	}
	nodes, err := tables.OpenNodes(filepath.Join(path, tables.NodesFile))
	if err != nil {
		return nil, err
	}
	pairs, err := tables.OpenPairs(filepath.Join(path, tables.PairsFile))
	if err != nil {
		return nil, err
	}
	if to := os.Getenv("PROFILE"); to != "" {
		f, err := os.Create(to)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return nil, err
		}
		defer pprof.StopCPUProfile()
	}
	t, start := &clusters.Tables{Nodes: nodes, Pairs: pairs}, time.Now()
	built, err := t.Tree(context.Background(), c.tree)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "%.1f s\n", time.Since(start).Seconds())
	return t.Forest(built), nil
}

// cutAt returns for each document the center of the topic so many steps below the top, or of the leaf if that is nearer; the
// number of these topics with two documents or more, and the size of the largest.
func cutAt(f *clusters.Forest, cut int) (center []uint32, n int, largest uint32) {
	center = make([]uint32, len(f.LeafOf))
	var up []uint32 // nodes above node i, with itself
	for i := range uint32(f.Len()) {
		at := f.Node(i)
		for len(up) > 0 && up[len(up)-1] != at.Parent {
			up = up[:len(up)-1]
		}
		up = append(up, i)
		if leaf := at.Level == 0; cut == cuts-1 && !leaf || cut < cuts-1 && len(up)-1 != cut && (!leaf || len(up)-1 > cut) {
			continue
		}
		for _, id := range f.Documents(i) {
			center[id] = at.Center
		}
		if at.Size > 1 {
			n, largest = n+1, max(largest, at.Size)
		}
	}
	return center, n, largest
}

func (r *row) add(name string, s *evaluate.Subject, center []uint32, half score.Half) {
	r.name = name
	of := s.Directory.ScoreClusters(s.Clusters(name, center), score.Options{Queries: s.Directory.In(half)})
	for i := range of.Levels {
		b := &of.Levels[i].BCubed
		for j, f := range []score.Figure{b.Precision, b.Recall, b.F} {
			r.figures[i][j] += f.Value
		}
	}
}
