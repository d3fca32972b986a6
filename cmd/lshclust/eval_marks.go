package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/lshclust/lshclust/eval"
	"github.com/spf13/cobra"
)

func newEvalMarks() *cobra.Command {
	var (
		format string
		o      eval.Options
	)
	c := &cobra.Command{
		Use:   "marks MARKS.tsv",
		Short: "Precision of the methods of a sample, from a person's marks",
		Long: `Marks reads the marks that a person gave the neighbours of eval sample and prints the precision of each method: good over
good and bad; don't know and no mark are counted apart. Two intervals, both of 95 %: one by resampling queries, since the
neighbours of one query stand and fall together, and Wilson's, which takes every mark as independent and is too narrow for
that. Then every two methods, query by query, over the queries where both are marked: an interval that holds 0 says that
the difference may be nothing.`,
		Example: `  lshclust eval marks marks-8c1f0e2a5b7d9f13.tsv
  lshclust eval marks marks.tsv --format json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format, formatTable, formatJSON); err != nil {
				return err
			}
			if o.Bootstrap < 0 {
				return usage(fmt.Errorf("--bootstrap %d: must be 0 (none) or more", o.Bootstrap))
			}
			m, err := eval.ReadMarks(args[0])
			if err != nil {
				return err
			}
			s := eval.ScoreMarks(m.Marks, o)
			if format == formatJSON {
				err = writeJSON(os.Stdout, s)
			} else {
				marksTable(os.Stdout, s)
			}
			if s.Marked == 0 && err == nil {
				err = errors.New(args[0] + ": nothing is marked yet")
			}
			return errors.Join(err, skippedRows(os.Stderr, args[0], m.Skipped))
		},
	}
	f := c.Flags()
	f.IntVar(&o.Bootstrap, "bootstrap", 2000, "`RESAMPLES` of the queries; 0: no intervals by them")
	f.Uint64Var(&o.Seed, "seed", 1, "of the resampling")
	f.StringVar(&format, "format", formatTable, "table or json")
	return c
}

func marksTable(w io.Writer, s eval.MarkScores) {
	fmt.Fprintf(w, "%d of %d neighbours marked, of %s\n\n", s.Marked, s.Rows, plural2(s.Queries, "query", "queries"))
	fmt.Fprintf(w, "%-16s %6s %6s %6s %6s %8s  %-23s %s\n", "method", "listed", "good", "bad", "?", "unmarked", "precision (queries)", "Wilson")
	for _, m := range s.Methods {
		fmt.Fprintf(w, "%-16s %6d %6d %6d %6d %8d  %-23s %s\n", line(m.Method, 16), m.Listed, m.Good, m.Bad, m.DontKnow, m.Unmarked,
			cell(m.Precision), intervalCell(m.Wilson))
	}
	fmt.Fprintf(w, "\n%-34s  %-26s %7s %6s %6s\n", "A less B, query by query", "difference", "better", "worse", "same")
	for _, p := range s.Pairs {
		fmt.Fprintf(w, "%-34s  %-26s %7d %6d %6d\n", line(p.A+" - "+p.B, 34), signedCell(p.Difference), p.Better, p.Worse, p.Same)
	}
}

func plural2(n int, one, more string) string { return fmt.Sprintf("%d %s", n, plural(n, one, more)) }

// signedCell is a difference with its interval.
func signedCell(f eval.Figure) string {
	if !f.Defined() {
		return "-"
	}
	if f.Queries == nil {
		return fmt.Sprintf("%+.3f", f.Value)
	}
	return fmt.Sprintf("%+.3f [%+.3f %+.3f]", f.Value, f.Queries.Low, f.Queries.High)
}

func intervalCell(i *eval.Interval) string {
	if i == nil {
		return ""
	}
	return fmt.Sprintf("[%.3f %.3f]", i.Low, i.High)
}

// skippedRows tells which rows of a file were left out, and returns an error of their exit code if there are any.
func skippedRows(w io.Writer, path string, skipped []eval.Skipped) error {
	if len(skipped) == 0 {
		return nil
	}
	n := 0
	for _, s := range skipped {
		n += s.Count
		fmt.Fprintf(w, "%s: %d × %s\n", clean(path), s.Count, s.Reason)
		for _, e := range s.Examples {
			fmt.Fprintf(w, "  %s\n", line(e, 200))
		}
	}
	return &exit{code: exitSkipped, told: true, err: fmt.Errorf("%s: %d rows were left out", path, n)}
}
