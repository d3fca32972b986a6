package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/label"
)

// Words for what export writes besides the Parquet tables of a run.
const (
	pairsName    = "topical_pairs"
	clustersName = "topical_clusters"
	textName     = "text"
)

// exporting is a call of export.
type exporting struct {
	output
	sketches exportingSketches
}

// export is what export writes under a name. A run has it if it has the file; "" is in every run.
type export struct {
	name, file string
	write      func(ctx context.Context, path string, x *exporting) error // path of a Parquet table, or else of the run
}

// isTable reports whether it is a Parquet table of the run.
func (e *export) isTable() bool { return strings.HasSuffix(e.file, ".parquet") }

// exports are what export writes, in the order in which errors name them.
var exports = []export{
	{"pages", run.PagesTable, exportTable[run.PageRow]},
	{"redirects", run.RedirectsTable, exportTable[run.RedirectRow]},
	{"topical_tree", run.TopicalTreeTable, exportTable[run.TopicalTreeRow]},
	{"syntactic_pairs", run.SyntacticPairsTable, exportSyntacticPairs},
	{"syntactic_clusters", run.SyntacticClustersTable, exportTable[run.SyntacticClusterRow]},
	{sketchesName, tables.ShinglesFile, func(ctx context.Context, run string, x *exporting) error { return x.sketches.write(ctx, run) }},
	{clustersName, tables.ClustersFile, exportRows(topics.EachClusterRow)},
	{pairsName, tables.ClustersFile, exportRows(topics.EachPairRow)},
	{textName, "", exportText},
}

func newExport() *cobra.Command {
	x := &exporting{}
	var names []string
	for _, e := range exports {
		if e.isTable() {
			names = append(names, e.name)
		}
	}
	c := &cobra.Command{
		Use:   "export RUN TABLE",
		Short: "Write a table of a run, the texts of its pages, or their sketches",
		Long: `Export writes a table of a finished run to standard output. Tables: ` + strings.Join(names, ", ") + `.
The run directory has the same tables as Parquet files, for DuckDB, pandas or Spark.

export RUN topical_clusters writes for every document its cluster in the topical view, and export RUN topical_pairs the pairs of
that view, each once; with -o FILE as a Parquet file.

export RUN text writes the text of every page without menus, headers and footers, for search indexes and corpora, as JSON
Lines unless --format says otherwise: url, title, language, text, words, left_out (words that are not in the text). The
text of a page is the passage that keeps most of its words and fewest of the lines that other pages of the host repeat. The
command reads the inputs of the run again, twice.

export RUN sketches -o FILE writes a file of sketches of all pages, which query --by host, moved, changes and compare take
in place of a run. So two archives can compare their holdings without giving texts away. The file holds URLs, dates and sizes, and
fingerprints of some shingles: whoever guesses a text can verify that it is there. docs/format.md says what it reveals.`,
		Example: `  lshclust export RUN topical_clusters > clusters.csv
  lshclust export RUN topical_pairs --format tsv | awk '$3 > 0.5'
  lshclust export RUN text > texts.jsonl
  lshclust export RUN sketches -o holdings.sketches
  duckdb -c "select * from 'RUN/pages.parquet' order by n_inlink_hosts desc limit 20"`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := x.sketches.refuse(c, args[1]); err != nil {
				return err
			}
			if args[1] == textName && !c.Flags().Changed("format") {
				x.format = formatJSONL
			}
			r, err := run.Open(args[0])
			if err != nil {
				return err
			}
			e := find(args[1], r)
			switch {
			case e == nil:
				return unknownTable(args[1], r)
			case e.isTable():
				return errors.Join(r.Verify(c.Context(), e.file), e.write(c.Context(), r.Path(e.file), x))
			}
			return e.write(c.Context(), args[0], x)
		},
	}
	f := c.Flags()
	oneOf(f, &x.format, "format", formatCSV, everyFormat[1:], "`FORMAT` of the output")
	x.bindCells(f)
	x.sketches.bind(c)
	return c
}

// find returns the export with a name, or nil if the run lacks the table. Others say themselves what the run lacks.
func find(name string, r *run.Run) *export {
	for i := range exports {
		if e := &exports[i]; e.name == name && (!e.isTable() || r.Has(e.file)) {
			return e
		}
	}
	return nil
}

// unknownTable returns an error that names what the run has.
func unknownTable(name string, r *run.Run) error {
	var there []string
	for _, e := range exports {
		if e.file == "" || r.Has(e.file) {
			there = append(there, e.name)
		}
	}
	return usage(fmt.Errorf("the run has no table %q; there are %s", name, strings.Join(there, ", ")))
}

// exportRows writes the rows of a table that is made of binary tables, to a Parquet file if -o names one.
func exportRows[T run.Row](rows func(context.Context, *runs.Run, func(T) error) error) func(context.Context, string, *exporting) error {
	return func(ctx context.Context, path string, x *exporting) error {
		return withRun(path, func(r *runs.Run) error {
			if x.sketches.path == "" {
				put, end := tableRows[T](x.output)
				return errors.Join(rows(ctx, r, put), end())
			}
			t, err := run.CreateTable[T](x.sketches.path)
			if err != nil {
				return err
			}
			defer t.Abort()
			if err := rows(ctx, r, func(row T) error { return t.Write(row) }); err != nil {
				return err
			}
			return t.Close()
		})
	}
}

// exportText writes the text of every page without what its host repeats.
func exportText(ctx context.Context, path string, x *exporting) error {
	return withRun(path, func(r *runs.Run) error {
		out := ask.NewRows(printed, x.encoding(true), "url", "title", "language", "text", "words", "left_out")
		err := texts.MainTexts(ctx, r, func(t *texts.MainText) error { return out.Row(t.URL, t.Title, t.Language, t.Text, t.Words, t.LeftOut) })
		return errors.Join(err, out.Close())
	})
}

// exportTable writes the rows of a Parquet table.
func exportTable[T run.Row](_ context.Context, path string, x *exporting) error {
	put, end := tableRows[T](x.output)
	for row, err := range run.ReadTable[T](path) {
		if err != nil {
			return err
		}
		if err := put(row); err != nil {
			return err
		}
	}
	return end()
}

// tableRows returns functions that print the rows of a Parquet table in another format, with the same column names.
func tableRows[T any](o output) (put func(T) error, end func() error) {
	t := reflect.TypeFor[T]()
	columns, isTime, isOptional := make([]string, t.NumField()), make([]bool, t.NumField()), make([]bool, t.NumField())
	for i := range columns {
		tag := strings.Split(t.Field(i).Tag.Get("parquet"), ",")
		columns[i], isOptional[i] = tag[0], slices.Contains(tag, "optional")
		isTime[i] = slices.Contains(tag, "timestamp(millisecond)")
	}
	out := ask.NewRows(printed, o.encoding(true), columns...)
	return func(row T) error {
		v := reflect.ValueOf(row)
		values := make([]any, len(columns))
		for i := range values {
			switch values[i] = v.Field(i).Interface(); {
			case isOptional[i] && v.Field(i).IsZero():
				values[i] = nil
			case isTime[i]:
				values[i] = time.UnixMilli(v.Field(i).Int()).UTC().Format(time.RFC3339)
			}
			if list, ok := values[i].([]string); ok {
				values[i] = listCell(columns[i], list, o.format)
			}
		}
		return out.Row(values...)
	}, out.Close
}

// listCell returns a list as a cell: a list, never null, in JSON, and text in other formats.
func listCell(column string, list []string, format string) any {
	switch {
	case format == formatJSON || format == formatJSONL:
		return append([]string{}, list...)
	case column == "label_terms":
		return label.Join(list)
	}
	return list
}

// exportSyntacticPairs writes the pairs of the syntactic view. Estimates from sketches have further columns.
func exportSyntacticPairs(ctx context.Context, path string, x *exporting) error {
	estimates, err := run.HasColumn(path, "estimated")
	switch {
	case err != nil:
		return err
	case estimates:
		return exportTable[run.SyntacticEstimateRow](ctx, path, x)
	}
	return exportTable[run.SyntacticPairRow](ctx, path, x)
}
