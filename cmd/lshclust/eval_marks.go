package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/spf13/cobra"
)

func newEvalMarks() *cobra.Command {
	var (
		to output
		o  score.Options
	)
	c := &cobra.Command{
		Use:   "marks MARKS.tsv",
		Short: "Compute the share of good neighbours from a person's marks",
		Long: `Marks reads the marks that a person gave to the neighbours in eval sample. For each method it prints the share of good ones
among those marked good or bad (precision); "don't know" and missing marks are counted separately. There are two 95 %
intervals. The first resamples queries, because the neighbours of one query tend to be good or bad together. Wilson's
treats all marks as independent and is therefore too narrow. Then every two methods are compared query by query, over the
queries that have marks for both. If the interval contains 0, the difference may be due to chance.

It exits with 1 if there are no marks yet, and with 3 if lines of the file were left out.`,
		Example: `  lshclust eval marks marks-8c1f0e2a5b7d9f13.tsv
  lshclust eval marks marks.tsv --format json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := to.check(); err != nil {
				return err
			}
			m, err := gold.ReadMarks(args[0])
			if err != nil {
				return err
			}
			s := score.Marks(m.Marks, o)
			switch to.format {
			case formatJSON:
				err = writeJSON(printed, s)
			case formatTable:
				marksTable(printed, s)
			default:
				err = marksRows(printed, s, &to)
			}
			if s.Marked == 0 && err == nil {
				err = errors.New(args[0] + ": nothing is marked yet")
			}
			return errors.Join(err, skippedRows(os.Stderr, args[0], m.Skipped))
		},
	}
	f := c.Flags()
	f.IntVar(&o.Bootstrap, "bootstrap", 2000, "number of `RESAMPLES` for the intervals over queries; 0: no such intervals")
	f.Uint64Var(&o.Seed, "seed", 1, "`SEED` of the resamples")
	evaluating(f)
	to.bind(f, "a method")
	return c
}

// marksRows writes a row for each method. Comparisons of two methods are only in the table and in JSON.
func marksRows(w io.Writer, s score.MarkScores, to *output) error {
	out := to.rows(w, "method", "listed", "good", "bad", "unknown", "unmarked", "precision", "low", "high", "wilson_low", "wilson_high")
	for _, m := range s.Methods {
		row := append([]any{m.Method, m.Listed, m.Good, m.Bad, m.DontKnow, m.Unmarked}, numbers(m.Precision)...)
		if m.Wilson != nil {
			row = append(row, m.Wilson.Low, m.Wilson.High)
		} else {
			row = append(row, nil, nil)
		}
		if err := out.row(row...); err != nil {
			return err
		}
	}
	return out.close()
}

func marksTable(w io.Writer, s score.MarkScores) {
	w, flush := narrow(w)
	defer flush()
	fmt.Fprintf(w, "%d of %d neighbours marked, of %s\n\n", s.Marked, s.Rows, plural2(s.Queries, "query", "queries"))
	fmt.Fprintf(w, "%-15s %6s %5s %4s %3s %8s\n", "method", "listed", "good", "bad", "?", "unmarked")
	for _, m := range s.Methods {
		fmt.Fprintf(w, "%s %6d %5d %4d %3d %8d\n", pad(m.Method, 15), m.Listed, m.Good, m.Bad, m.DontKnow, m.Unmarked)
	}
	fmt.Fprintf(w, "\n%-15s %-26s %s\n", "", "precision, 95 % over queries", "95 % by Wilson")
	for _, m := range s.Methods {
		fmt.Fprintf(w, "%s %-28s %s\n", pad(m.Method, 15), cell(m.Precision), intervalCell(m.Wilson))
	}
	fmt.Fprintf(w, "\n%-31s %-23s %7s %6s %5s\n", "A less B, query by query", "difference", "better", "worse", "same")
	for _, p := range s.Pairs {
		fmt.Fprintf(w, "%s %-23s %7d %6d %5d\n", pad(p.A+" - "+p.B, 31), signedCell(p.Difference), p.Better, p.Worse, p.Same)
	}
	fmt.Fprint(w, "\nprecision: share of good among good and bad. ?: don't know. better, worse: queries\nfor which A or B has the larger share of good neighbours.\n")
}

func plural2(n int, one, more string) string { return fmt.Sprintf("%d %s", n, plural(n, one, more)) }

// signedCell formats a difference with its interval.
func signedCell(f score.Figure) string {
	if !f.Defined() {
		return "-"
	}
	if f.Queries == nil {
		return fmt.Sprintf("%+.3f", f.Value)
	}
	return fmt.Sprintf("%+.3f [%+.3f %+.3f]", f.Value, f.Queries.Low, f.Queries.High)
}

func intervalCell(i *score.Interval) string {
	if i == nil {
		return ""
	}
	return fmt.Sprintf("[%.3f %.3f]", i.Low, i.High)
}

// skippedRows prints which rows of a file were left out, and returns an error with the exit code for that if there are
// any.
func skippedRows(w io.Writer, path string, skipped []gold.Skipped) error {
	if len(skipped) == 0 {
		return nil
	}
	n := 0
	for _, s := range skipped {
		n += s.Count
		fmt.Fprintf(w, "%s: %d × %s\n", harmless.Cell(path), s.Count, s.Reason)
		for _, e := range s.Examples {
			fmt.Fprintf(w, "  %s\n", detail(e, 2))
		}
	}
	return &exit{code: exitSkipped, told: true, err: fmt.Errorf("%s: %d rows were left out", path, n)}
}
