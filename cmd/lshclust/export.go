package main

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/lshclust/lshclust/label"
	"github.com/lshclust/lshclust/run"
	"github.com/spf13/cobra"
)

// exports are the tables that a run may hold, by the name on the command line.
var exports = []struct {
	name  string
	write func(w io.Writer, path string, o *output) error
}{
	{"pages", exportTable[run.PageRow]},
	{"redirects", exportTable[run.RedirectRow]},
	{"topical_pairs", exportTable[run.TopicalPairRow]},
	{"topical_clusters", exportTable[run.TopicalClusterRow]},
	{"syntactic_pairs", exportTable[run.SyntacticPairRow]},
	{"syntactic_clusters", exportTable[run.SyntacticClusterRow]},
}

func newExport() *cobra.Command {
	o := &output{}
	var names []string
	for _, x := range exports {
		names = append(names, x.name)
	}
	c := &cobra.Command{
		Use:   "export RUN TABLE",
		Short: "Write a table of a run as CSV, TSV or JSON Lines",
		Long: `Export writes a table of a finished run to standard output. Tables: ` + strings.Join(names, ", ") + `.
They are Parquet files in the run directory too, for DuckDB, pandas or Spark.`,
		Example: `  lshclust export RUN topical_clusters > clusters.csv
  lshclust export RUN topical_pairs --format tsv | awk '$4 > 0.5'
  duckdb -c "select * from 'RUN/topical_clusters.parquet' order by cluster_size desc limit 20"`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(o.format, everyFormat[1:]...); err != nil {
				return err
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
					return x.write(os.Stdout, r.Path(x.name+".parquet"), o)
				}
			}
			var there []string
			for _, x := range exports {
				if r.Has(x.name + ".parquet") {
					there = append(there, x.name)
				}
			}
			return usage(fmt.Errorf("the run has no table %q; there are %s", args[1], strings.Join(there, ", ")))
		},
	}
	f := c.Flags()
	f.StringVar(&o.format, "format", formatCSV, strings.Join(everyFormat[1:], ", "))
	f.BoolVar(&o.noHeader, "no-header", false, noHeaderUse)
	return c
}

// exportTable writes the rows of a Parquet table under its own column names.
func exportTable[T run.Row](w io.Writer, path string, o *output) error {
	t := reflect.TypeFor[T]()
	columns, isTime := make([]string, t.NumField()), make([]bool, t.NumField())
	for i := range columns {
		tag := t.Field(i).Tag.Get("parquet")
		columns[i], _, _ = strings.Cut(tag, ",")
		isTime[i] = strings.Contains(tag, "timestamp")
	}
	out := o.rows(w, columns...)
	for row, err := range run.ReadTable[T](path) {
		if err != nil {
			return err
		}
		v := reflect.ValueOf(row)
		values := make([]any, len(columns))
		for i := range values {
			if values[i] = v.Field(i).Interface(); isTime[i] {
				values[i] = timestamp(v.Field(i).Int())
			}
			if phrases, ok := values[i].([]string); ok && columns[i] == "label_terms" && o.format != formatJSONL {
				values[i] = label.Join(phrases)
			}
		}
		if err := out.row(values...); err != nil {
			return err
		}
	}
	return out.close()
}

// timestamp is a time in milliseconds since 1970 as text, nil for 0.
func timestamp(millis int64) any {
	if millis == 0 {
		return nil
	}
	return time.UnixMilli(millis).UTC().Format(time.RFC3339)
}
