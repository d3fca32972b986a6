// Package topics measures how well the topical clusters of runs, and the levels of their trees of topics, agree with the
// categories of a gold.
//
//	lab topics -gold gold.tsv RUN...
//
// It prints the B-cubed precision, recall and F at each level of the gold, as means over the runs, which may differ in
// their seeds.
package topics

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/query"
)

// depth is the number of levels of a category that are compared.
const depth = 3

// row has the sums of the figures of a clustering over the runs.
type row struct {
	name    string
	figures [depth][3]float64
}

// Command reads the flags, measures and prints.
func Command(args []string) error {
	flags := flag.NewFlagSet("topics", flag.ContinueOnError)
	path := flags.String("gold", "", "the gold with the categories")
	half := flags.String("half", "all", "targets to measure: dev, test or all")
	if err := flags.Parse(args); err != nil {
		return err
	}
	of, err := score.ParseHalf(*half)
	if err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("give a run")
	}
	var rows []row
	for _, run := range flags.Args() {
		if rows, err = measured(rows, run, *path, of); err != nil {
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
	for _, r := range rows {
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

// measured adds the figures of a run to rows.
func measured(rows []row, path, labels string, half score.Half) ([]row, error) {
	r, err := query.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	g, err := gold.Read(labels, r.Rules())
	if err != nil {
		return nil, err
	}
	s, err := eval.NewSubject(r, g.Labels, depth)
	if err != nil {
		return nil, err
	}
	levels := r.Config.TreeLevels()
	if rows == nil {
		rows = make([]row, 1+len(levels))
	}
	if len(rows) != 1+len(levels) {
		return nil, fmt.Errorf("%d levels, others have %d", len(levels), len(rows)-1)
	}
	rows[0].add("flat", s, r.TopicalCenters(), half)
	for level, center := range centers(r, len(levels)) {
		rows[1+level].add(fmt.Sprintf("level %d, %g", level, levels[level]), s, center, half)
	}
	return rows, r.Err()
}

// centers returns for each level the center of the topic of each document.
func centers(r *query.Run, levels int) [][]uint32 {
	of := make([][]uint32, levels)
	for level := range of {
		of[level] = make([]uint32, r.Len())
	}
	for id := range uint32(r.Len()) {
		level := levels
		for _, n := range r.TopicalPath(id) { // from the top
			for level > n.Level {
				level--
				of[level][id] = n.Center
			}
		}
	}
	return of
}

func (r *row) add(name string, s *eval.Subject, center []uint32, half score.Half) {
	r.name = name
	of := s.Directory.ScoreClusters(s.Clusters(name, center), score.Options{Queries: s.Directory.In(half)})
	for i := range of.Levels {
		b := &of.Levels[i].BCubed
		for j, f := range []score.Figure{b.Precision, b.Recall, b.F} {
			r.figures[i][j] += f.Value
		}
	}
}
