package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/harmless"
)

// openNamed opens runs. It returns the opened runs even if there is an error.
func openNamed(paths []string) (runs []eval.NamedRun, err error) {
	for _, path := range paths {
		r, err := openRun(path)
		if err != nil {
			return runs, err
		}
		runs = append(runs, eval.NamedRun{Name: runName(path), Run: r})
	}
	return runs, nil
}

// orderNames lists the orders of CENTER for --help.
func orderNames() string {
	var names []string
	for _, o := range center.Orders() {
		names = append(names, string(o))
	}
	return strings.Join(names, ", ")
}

// parseOrders returns the orders of CENTER with the given names, in the order in which center.Orders has them.
func parseOrders(names []string, thresholds []float64) (out []center.Order, err error) {
	if len(names) > 0 && len(thresholds) == 0 {
		return nil, errors.New("--orders needs --thresholds, at which the pairs are clustered in each order")
	}
	for _, name := range names {
		if name == "all" {
			return center.Orders(), nil
		}
		order, err := center.ParseOrder(name)
		if err != nil {
			return nil, fmt.Errorf("--orders: %w", err)
		}
		out = append(out, order)
	}
	return slices.DeleteFunc(center.Orders(), func(o center.Order) bool { return !slices.Contains(out, o) }), nil
}

// several evaluates several runs of the same inputs and writes the means of their figures.
func (f *directoryFlags) several(ctx context.Context, w io.Writer, runs []eval.NamedRun) error {
	if err := eval.SameInputs(runs); err != nil {
		return usage(fmt.Errorf("%w; only runs of the same inputs can be compared", err))
	}
	f.options.Web = f.web()
	var all []*eval.Spread
	err := f.each(ctx, runs[0].Run, func(g *gold.Gold) error {
		s, err := eval.EvaluateRuns(ctx, runs, g, f.options)
		if err == nil {
			spreadNotes(os.Stderr, s, f.format == formatTable)
			all = append(all, s)
		}
		return err
	})
	if len(all) > 0 && ctx.Err() == nil {
		err = errors.Join(err, f.writeSpreads(w, all))
	}
	return err
}

// spreadNotes prints what was left out, and the settings in which the runs differ unless the table names them.
func spreadNotes(w io.Writer, s *eval.Spread, told bool) {
	e := *s.First()
	e.Warnings = s.Warnings
	directoryNotes(w, &e, told)
	if !told {
		for _, setting := range s.Settings {
			fmt.Fprintln(w, harmless.Cell(s.Gold+": "+settingSentence(setting)))
		}
	}
}

// settingSentence tells how runs differ in a setting.
func settingSentence(s eval.SpreadSetting) string {
	return fmt.Sprintf("the runs differ in %s: %s", s.Name, strings.Join(s.Values, ", "))
}

func (f *directoryFlags) writeSpreads(w io.Writer, all []*eval.Spread) error {
	if done, err := writeWhole(w, f.format, all, spreadTable); done {
		return err
	}
	out := f.rows(w, "gold", "half", "part", "colinked", "figure", "runs", "mean", "sd", "min", "max", "low", "high", "list_low", "list_high")
	for _, s := range all {
		for _, x := range s.Figures {
			row := []any{s.Gold, s.Half.String(), x.Part, x.CoLinked, x.Name, x.Runs, orNone(x.Mean), orNone(x.SD), orNone(x.Min), orNone(x.Max)}
			if err := out.row(append(row, intervalCells(x.Interval)...)...); err != nil {
				return err
			}
		}
	}
	return out.close()
}

// orNone returns a number, or nil if there is none.
func orNone(x *float64) any {
	if x == nil {
		return nil
	}
	return *x
}

// spreadTable prints the figures of several runs as text.
func spreadTable(w io.Writer, s *eval.Spread) {
	w, flush := narrow(w)
	defer flush()
	fmt.Fprintf(w, "%s: %s, %d of them in the first run\n", line(s.Gold, width()-44), count(s.Targets, "target"), s.Known)
	fmt.Fprintf(w, "queries: %d targets in %s%s\n", s.Queries, count(s.Lists, "list"), map[bool]string{true: ", half " + s.Half.String()}[s.Half != 0])
	var names []string
	for _, r := range s.Runs {
		names = append(names, fmt.Sprintf("%s (seed %d)", r.Name, r.Seed))
	}
	prose(w, fmt.Sprintf("%s: %s", count(len(s.Runs), "run"), strings.Join(names, ", ")), 0, 2)
	for _, setting := range s.Settings {
		prose(w, settingSentence(setting), 0, 2)
	}
	for _, level := range s.First().Indistinct {
		prose(w, level, 0, 2)
	}
	levels := s.First().Levels()
	for i := range s.First().Related {
		spreadWays(w, s, i, levels)
	}
	spreadClusters(w, s, levels)
	fmt.Fprintln(w)
	prose(w, "Each figure is the mean over the runs ± the standard deviation; below it are the least and the greatest figure of a run. The other formats have all figures, with the means of the ends of the 95 % intervals.", 0, 0)
}

// spreadWays prints a block of rows for the run, each baseline and chance.
func spreadWays(w io.Writer, s *eval.Spread, kind, levels int) {
	e := s.First()
	fmt.Fprintf(w, "\nnearest target in the same category, share of all queries: %s\n", pairKinds[kind])
	if e.Related[kind].TellsNothing() {
		fold(w, "This tells nothing here: for any two targets of one category there is a page that links to both.", 2)
		return
	}
	colinked := e.Related[kind].CoLinked
	names, heads := []string{"coverage"}, []string{"coverage"}
	for k := range levels {
		names, heads = append(names, fmt.Sprint("same_category_", k+1)), append(heads, fmt.Sprint("level ", k+1))
	}
	row := func(name, part string) {
		var figures []eval.SpreadOfFigure
		for _, n := range names {
			figures = append(figures, s.Figure(part, colinked, n))
		}
		spreadRow(w, name, figures)
	}
	spreadHead(w, heads)
	row("related", "related")
	for _, b := range e.Baselines {
		row(b.Name, "baseline "+b.Name)
	}
	var chance []string
	for _, l := range e.Related[kind].Levels[:levels] {
		chance = append(chance, bare(l.Chance))
	}
	spreadLine(w, "chance", append([]string{""}, chance...))
}

// spreadClusters prints B-cubed figures of the clusters: a row for each level, and for each threshold and order.
func spreadClusters(w io.Writer, s *eval.Spread, levels int) {
	fmt.Fprintf(w, "\nB-cubed figures of the clusters\n")
	spreadHead(w, []string{"precision", "recall", "F"})
	parts := []string{"clusters"}
	for _, p := range s.First().Curve {
		parts = append(parts, p.Name())
	}
	for _, part := range parts {
		name := part
		if part == "clusters" {
			name = "clusters of the runs"
		}
		fmt.Fprintf(w, " %s\n", name)
		for k := range levels {
			var figures []eval.SpreadOfFigure
			for _, n := range []string{"precision", "recall", "f"} {
				figures = append(figures, s.Figure(part, "kept", fmt.Sprintf("bcubed_%s_%d", n, k+1)))
			}
			spreadRow(w, fmt.Sprint("level ", k+1), figures)
		}
	}
}

func spreadHead(w io.Writer, heads []string) { spreadLine(w, "", heads) }

// spreadRow prints two lines: the means with their standard deviations, and the ranges.
func spreadRow(w io.Writer, name string, figures []eval.SpreadOfFigure) {
	var means, ranges []string
	for _, f := range figures {
		mean, low := "-", ""
		if f.Mean != nil {
			mean, low = fmt.Sprintf("%.3f", *f.Mean), fmt.Sprintf("%.3f-%.3f", *f.Min, *f.Max)
		}
		if f.SD != nil {
			mean += fmt.Sprintf(" ±%.3f", *f.SD)
		}
		means, ranges = append(means, mean), append(ranges, low)
	}
	spreadLine(w, name, means)
	spreadLine(w, "", ranges)
}

func spreadLine(w io.Writer, name string, cells []string) {
	b := fmt.Sprintf("  %-18s", name)
	for _, c := range cells {
		b += fmt.Sprintf("%-15s", c)
	}
	fmt.Fprintln(w, strings.TrimRight(b, " "))
}
