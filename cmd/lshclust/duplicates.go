package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// duplicateColumns are those of duplicates and query in a pipe.
var duplicateColumns = []string{"query", "url", "relation", "resemblance", "of_this", "of_other", "estimate", "samples"}

func newDuplicates() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "duplicates RUN URL...",
		Short: "Which pages have much the same text as a page",
		Long: `Duplicates lists the pages that equal a page (identical bytes, the same words, the same shingles), resemble it, contain
it or are contained in it, with exact figures from the stored shingles: resemblance, the share of this page that is in the
other, the share of the other that is in this one; and the estimate of the sketches. "chain" means that a page is in the
same cluster through others only.`,
		Example: `  lshclust duplicates RUN https://example.org/page.html
  lshclust duplicates RUN https://example.org/page.html --format jsonl`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format, formatTable, formatJSONL, formatCSV, formatTSV); err != nil {
				return err
			}
			r, err := query.Open(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			rows := newDuplicateRows(os.Stdout, format)
			for _, u := range args[1:] {
				id, err := r.Lookup(u)
				if err != nil {
					return err
				}
				list, err := r.Duplicates(id)
				if err != nil {
					return err
				}
				name := r.Document(id).URL
				if n, leftOut, err := r.Boilerplate(id); err == nil && format == formatTable {
					name += fmt.Sprintf("\n  %d distinct shingles, %d of them boilerplate of the host and left out", n, leftOut)
					if sure, err := r.SureOfDuplicates(id); err == nil {
						name += "\n  " + sureOfDuplicates(sure, r.Config.Resemblance)
					}
				}
				if err := rows.write(name, list); err != nil {
					return err
				}
			}
			return rows.close()
		},
	}
	c.Flags().StringVar(&format, "format", formatTable, "table, jsonl, csv or tsv")
	return c
}

// duplicateRows writes the lists of documents, one after the other.
type duplicateRows struct {
	w    io.Writer
	rows *rowWriter // nil for a table
}

func newDuplicateRows(w io.Writer, format string) *duplicateRows {
	d := &duplicateRows{w: w}
	if format != formatTable {
		d.rows = newRowWriter(w, format, duplicateColumns...)
	}
	return d
}

func (d *duplicateRows) write(of string, list []query.Duplicate) error {
	if d.rows == nil {
		duplicatesTable(d.w, of, list)
		return nil
	}
	for _, x := range list {
		if err := d.rows.row(of, x.URL, x.Relation, x.Resemblance, x.OfThis, x.OfOther, x.Estimate, x.Samples); err != nil {
			return err
		}
	}
	return nil
}

func (d *duplicateRows) close() error {
	if d.rows == nil {
		return nil
	}
	return d.rows.close()
}

func duplicatesTable(w io.Writer, of string, list []query.Duplicate) {
	url, about, _ := strings.Cut(of, "\n")
	fmt.Fprintln(w, line(url, width()))
	if about != "" {
		fmt.Fprintln(w, about)
	}
	if len(list) == 0 {
		fmt.Fprintln(w, "  no page found")
		return
	}
	fmt.Fprintf(w, "  %-9s %11s %8s %9s  %-16s %s\n", "relation", "resemblance", "of this", "of other", "by sketch", "url")
	for _, d := range list {
		sketch := ""
		if d.Samples > 0 {
			sketch = fmt.Sprintf("%.3f (%d)", d.Estimate, d.Samples)
		}
		fmt.Fprintf(w, "  %-9s %11.4f %8.4f %9.4f  %-16s %s\n", d.Relation, d.Resemblance, d.OfThis, d.OfOther, sketch, line(d.URL, width()-62))
	}
}
