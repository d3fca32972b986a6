package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/label"
	"github.com/spf13/cobra"
)

// exports lists the tables that a run may have, by their names on the command line.
var exports = []struct {
	name  string
	write func(w io.Writer, path string, o *output) error
}{
	{"pages", exportTable[run.PageRow]},
	{"redirects", exportTable[run.RedirectRow]},
	{"topical_tree", exportTable[run.TopicalTreeRow]},
	{"syntactic_pairs", exportSyntacticPairs},
	{"syntactic_clusters", exportTable[run.SyntacticClusterRow]},
}

func newExport() *cobra.Command {
	o, sketches := &output{}, &exportingSketches{}
	var names []string
	for _, x := range exports {
		names = append(names, x.name)
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
			if args[1] == sketchesName {
				return sketches.write(c.Context(), args[0])
			}
			if err := sketches.refuse(c, args[1]); err != nil {
				return err
			}
			switch args[1] {
			case pairsName:
				return withRun(args[0], func(r *query.Run) error { return exportRows(c.Context(), printed, r.TopicalPairs, sketches.path, o) })
			case clustersName:
				return withRun(args[0], func(r *query.Run) error { return exportRows(c.Context(), printed, r.TopicalRows, sketches.path, o) })
			case textName:
				if !c.Flags().Changed("format") {
					o.format = formatJSONL
				}
				return withRun(args[0], func(r *query.Run) error { return exportText(c.Context(), printed, r, o) })
			}
			r, err := run.Open(args[0])
			if err != nil {
				return err
			}
			for _, x := range exports {
				if x.name == args[1] && r.Has(x.name+".parquet") {
					if err := r.Verify(c.Context(), x.name+".parquet"); err != nil {
						return err
					}
					return x.write(printed, r.Path(x.name+".parquet"), o)
				}
			}
			var there []string
			for _, x := range exports {
				if r.Has(x.name + ".parquet") {
					there = append(there, x.name)
				}
			}
			if r.Has(tables.ShinglesFile) {
				there = append(there, sketchesName)
			}
			if r.Has(tables.ClustersFile) {
				there = append(there, clustersName, pairsName)
			}
			there = append(there, textName)
			return usage(fmt.Errorf("the run has no table %q; there are %s", args[1], strings.Join(there, ", ")))
		},
	}
	f := c.Flags()
	oneOf(f, &o.format, "format", formatCSV, everyFormat[1:], "`FORMAT` of the output")
	o.bindCells(f)
	sketches.bind(c)
	return c
}

// Words for the tables of the topical view that export makes of binary tables.
const (
	pairsName    = "topical_pairs"
	clustersName = "topical_clusters"
)

// exportRows writes the rows of a table, to a Parquet file if a path is given.
func exportRows[T run.Row](ctx context.Context, w io.Writer, rows func(context.Context, func(T) error) error, path string, o *output) error {
	if path == "" {
		put, end := tableRows[T](w, o)
		return errors.Join(rows(ctx, put), end())
	}
	t, err := run.CreateTable[T](path, run.TableOptions{Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		return err
	}
	defer t.Abort()
	if err := rows(ctx, func(row T) error { return t.Write(row) }); err != nil {
		return err
	}
	return t.Close()
}

// textName is the word for the texts of the pages among the tables of export.
const textName = "text"

// exportText writes the text of every page without what its host repeats.
func exportText(ctx context.Context, w io.Writer, r *query.Run, o *output) error {
	out := ask.NewRows(w, o.encoding(true), "url", "title", "language", "text", "words", "left_out")
	err := r.MainTexts(ctx, func(t *query.MainText) error { return out.Row(t.URL, t.Title, t.Language, t.Text, t.Words, t.LeftOut) })
	return errors.Join(err, out.Close())
}

// exportTable writes the rows of a Parquet table.
func exportTable[T run.Row](w io.Writer, path string, o *output) error {
	put, end := tableRows[T](w, o)
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

// tableRows returns functions that write the rows of a Parquet table in another format, with the same column names.
func tableRows[T run.Row](w io.Writer, o *output) (put func(T) error, end func() error) {
	t := reflect.TypeFor[T]()
	columns, isTime, isOptional := make([]string, t.NumField()), make([]bool, t.NumField()), make([]bool, t.NumField())
	for i := range columns {
		tag := strings.Split(t.Field(i).Tag.Get("parquet"), ",")
		columns[i], isOptional[i] = tag[0], slices.Contains(tag, "optional")
		isTime[i] = slices.Contains(tag, "timestamp(millisecond)")
	}
	out := ask.NewRows(w, o.encoding(true), columns...)
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
func exportSyntacticPairs(w io.Writer, path string, o *output) error {
	estimates, err := run.HasColumn(path, "estimated")
	switch {
	case err != nil:
		return err
	case estimates:
		return exportTable[run.SyntacticEstimateRow](w, path, o)
	}
	return exportTable[run.SyntacticPairRow](w, path, o)
}
