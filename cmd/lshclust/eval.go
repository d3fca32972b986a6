package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/spf13/cobra"
)

func newEval() *cobra.Command {
	c := &cobra.Command{
		Use:   "eval COMMAND",
		Short: "Measure how good the results of a run are",
		Long: `Eval measures a run against what people say, or against comparing everything with everything. Each command answers one question:

  directory  with URLs that have categories: are related pages and clusters better than chance and exact bags?
  sample     with an hour of a person: how many neighbours are good?
  recall     with a run alone: how many similar pairs did the index miss?

A gold is what people say: a file of URLs with categories. If a gold cannot tell a good result from a bad one,
for example because it has a single category, the command says so and exits with 1.`,
		Example: `  lshclust eval directory RUN --gold gold.tsv                # lines of URL, tab, category/path
  lshclust eval directory RUN --gold tree                    # the folders of the site itself as categories
  lshclust eval sample RUN --gold gold.tsv --html s.html     # a page on which to mark neighbours good or bad
  lshclust eval sample --marks marks.tsv                     # what the marks say
  lshclust eval recall RUN`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return usage(&hint{unknownCommand(c, args[0]), c})
		},
	}
	c.AddCommand(newEvalDirectory(), newEvalSample(), newEvalRecall())
	return c
}

// cell formats a figure with its interval over lists, or over queries if there is only one list.
func cell(f score.Figure) string {
	if i := f.Interval(); i != nil && f.Defined() {
		return fmt.Sprintf("%.3f [%.3f %.3f]", f.Value, i.Low, i.High)
	}
	return bare(f)
}

func bare(f score.Figure) string {
	if !f.Defined() {
		return "-"
	}
	return fmt.Sprintf("%.3f", f.Value)
}

// figureColumns are the last columns of a row with one figure, in every format. low and high bound the 95 % interval
// from resampling queries; list_low and list_high bound the one from resampling whole lists.
var figureColumns = []string{"figure", "value", "n", "low", "high", "list_low", "list_high"}

// figureCells returns the values of figureColumns. An undefined value is empty, or null in JSON.
func figureCells(n score.Named) []any {
	cells := []any{n.Name, number(n.Figure), n.Figure.N, nil, nil, nil, nil}
	for i, interval := range []*score.Interval{n.Figure.Queries, n.Figure.Lists} {
		if interval != nil && n.Figure.Defined() {
			cells[3+2*i], cells[4+2*i] = interval.Low, interval.High
		}
	}
	return cells
}

// number returns the value of a figure, or nil if it is undefined.
func number(f score.Figure) any {
	if !f.Defined() {
		return nil
	}
	return f.Value
}

// numbers returns the value of a figure and the ends of its interval.
func numbers(f score.Figure) []any {
	if !f.Defined() || f.Queries == nil {
		return []any{number(f), nil, nil}
	}
	return []any{f.Value, f.Queries.Low, f.Queries.High}
}

// skippedNotes prints which parts of a gold were skipped.
func skippedNotes(skipped gold.Skips) {
	for _, s := range skipped {
		fmt.Fprintf(os.Stderr, "gold: %d × %s, such as %s\n", s.Count, s.Reason, harmless.Line(s.Examples[0]))
	}
}

// writeFile writes a file completely or not at all.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".lshclust-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // no such file after a successful rename
	err = write(f)
	if err == nil {
		err = f.Chmod(0o644)
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func runName(path string) string { return filepath.Base(filepath.Clean(path)) }
