package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/resemble"
	"github.com/spf13/cobra"
)

// viewFlags are the flags of compare that are for the two views of one run only.
var viewFlags = []string{"same-text", "other-text", "same-links", "other-links"}

// across finds the pages with the same or similar texts in two runs, or files of sketches.
func (f *comparing) across(ctx context.Context, c *cobra.Command, w io.Writer, first, second string) error {
	for _, name := range viewFlags {
		if c.Flags().Changed(name) {
			return usage(fmt.Errorf("--%s compares the two views of one run, not two runs", name))
		}
	}
	a, err := openEither(first)
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := openEither(second)
	if err != nil {
		return err
	}
	defer b.Close()
	var t *run.TableWriter[run.SharedRow]
	if f.directory != "" {
		if err := directoryOfTable(f.directory); err != nil {
			return err
		}
		if t, err = run.CreateTable[run.SharedRow](filepath.Join(f.directory, run.SharedTable)); err != nil {
			return err
		}
	}
	pairs := pairsAcross{a, b, t}
	if f.format == formatTable {
		err = f.acrossTable(ctx, w, pairs)
	} else {
		err = f.acrossRows(ctx, w, pairs)
	}
	switch {
	case t != nil && err != nil:
		t.Abort()
	case t != nil:
		err = t.Close()
	}
	return alike(err, []*query.Run{a, b})
}

// pairsAcross is two runs with similar pages.
type pairsAcross struct {
	a, b  *query.Run
	table *run.TableWriter[run.SharedRow] // to which all pairs are written, or nil
}

// each calls do with every pair.
func (x *pairsAcross) each(ctx context.Context, do func(query.CrossPair) error) (query.AcrossStats, error) {
	return query.Across(ctx, x.a, x.b, resemble.Resources{}, func(p query.CrossPair) error {
		if x.table != nil {
			if err := x.table.Write(sharedRow(p)); err != nil {
				return err
			}
		}
		return do(p)
	})
}

func sharedRow(p query.CrossPair) run.SharedRow {
	row := run.SharedRow{
		URLA: p.URLA, URLB: p.URLB, Relation: p.Relation, Resemblance: float32(p.Resemblance), AInB: float32(p.AInB), BInA: float32(p.BInA),
		CopiesA: int32(p.CopiesA), CopiesB: int32(p.CopiesB), Estimated: p.Estimated,
	}
	if p.Estimated {
		row.Samples, row.StdError = int32(p.Samples), float32(p.StdErr)
	}
	return row
}

// acrossRows writes every pair.
func (f *comparing) acrossRows(ctx context.Context, w io.Writer, x pairsAcross) error {
	out := f.rows(w, "url_a", "url_b", "relation", "resemblance", "a_in_b", "b_in_a", "copies_a", "copies_b", "samples", "std_error")
	untold := x.a.NeedContainment() != nil || x.b.NeedContainment() != nil
	_, err := x.each(ctx, func(p query.CrossPair) error {
		row := []any{p.URLA, p.URLB, p.Relation, p.Resemblance, p.AInB, p.BInA, p.CopiesA, p.CopiesB, p.Samples, p.StdErr}
		if p.Estimated && untold {
			row[4], row[5] = nil, nil
		}
		if !p.Estimated {
			row[8], row[9] = nil, nil
		}
		return out.row(row...)
	})
	if err != nil {
		return err
	}
	return out.close()
}

// relations are those of pairs, the closest first.
var relations = []string{
	resemble.Identical.String(), resemble.Lexical.String(), resemble.Shingle.String(), resemble.Similar.String(), resemble.Contained,
}

// relationMeans explains relations in a table.
var relationMeans = map[string]string{
	resemble.Identical.String(): " with the same bytes",
	resemble.Lexical.String():   " with the same words",
	resemble.Shingle.String():   " with the same shingles",
	resemble.Contained:          " in which one page contains the other",
}

// acrossTable counts the pairs by their relation and lists the closest of each.
func (f *comparing) acrossTable(ctx context.Context, w io.Writer, x pairsAcross) error {
	pairs, best := map[string]int{}, map[string][]query.CrossPair{}
	stats, err := x.each(ctx, func(p query.CrossPair) error {
		pairs[p.Relation]++
		best[p.Relation] = addClosest(best[p.Relation], p, f.options.Top)
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s and %s: %s of equal texts, %s of similar ones\n", count(stats.PagesA, "page"), count(stats.PagesB, "page"),
		count(stats.Equal, "pair"), count(stats.Pairs, "pair"))
	for _, relation := range relations {
		if pairs[relation] == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s: %s\n", relation, count(pairs[relation], "pair")+relationMeans[relation])
		for _, p := range best[relation] {
			fmt.Fprintf(w, "  %s\n", detail(crossNote(p), 4))
			for _, url := range stdout().lastColumn([]string{p.URLA, p.URLB}, 4) {
				fmt.Fprintf(w, "    %s\n", url)
			}
		}
	}
	return nil
}

// addClosest inserts a pair into a list of at most top pairs, the closest first.
func addClosest(list []query.CrossPair, p query.CrossPair, top int) []query.CrossPair {
	closeness := func(p query.CrossPair) float64 {
		if p.Relation == resemble.Contained {
			return max(p.AInB, p.BInA)
		}
		return p.Resemblance
	}
	at := slices.IndexFunc(list, func(x query.CrossPair) bool { return closeness(x) < closeness(p) })
	switch {
	case at < 0 && len(list) == top:
		return list
	case at < 0:
		return append(list, p)
	}
	return slices.Insert(list[:min(len(list), top-1)], at, p)
}

// crossNote describes a pair.
func crossNote(p query.CrossPair) string {
	note := fmt.Sprintf("resemblance %.3f", p.Resemblance)
	if p.Estimated {
		note += fmt.Sprintf(" ±%.3f", p.StdErr)
	}
	if p.Relation == resemble.Contained {
		note += fmt.Sprintf("; %s of the first page, %s of the second", portion(p.AInB), portion(p.BInA))
	}
	if p.CopiesA+p.CopiesB > 0 {
		note += fmt.Sprintf("; copies: %d and %d", p.CopiesA, p.CopiesB)
	}
	return note
}
