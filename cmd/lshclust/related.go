package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// sharedWords is the number of words that a list shows as the reason of a neighbour.
const sharedWords = 6

func newRelated() *cobra.Command {
	var (
		top    int
		all    bool
		format string
	)
	c := &cobra.Command{
		Use:   "related RUN [URL...]",
		Short: "What is related to a page, by what the web says about it",
		Long: `Related lists the documents whose bags are most similar to that of a URL, crawled or not, with the words that they
share. With --all it does so for every document of the run, one neighbour a line.`,
		Example: `  lshclust related RUN https://www.sqlite.org/
  lshclust related RUN sqlite.org --top 25 --format jsonl
  lshclust related RUN --all --top 10 --format tsv > neighbours.tsv   # query, neighbour, similarity`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if all != (len(args) == 1) {
				return usage(errors.New("give URLs, or --all for every document"))
			}
			if top < 1 {
				return usage(fmt.Errorf("--top %d: must be 1 or more", top))
			}
			if all && !c.Flags().Changed("format") {
				format = formatTSV
			}
			if err := checkFormat(format, formatTable, formatJSONL, formatCSV, formatTSV); err != nil {
				return err
			}
			r, err := query.Open(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			if err := r.Need(pipeline.Topical); err != nil {
				return err
			}
			if format == formatTable {
				if all {
					return usage(errors.New("--all is no table for a terminal; choose --format tsv, csv or jsonl"))
				}
				return relatedTables(os.Stdout, r, args[1:], top)
			}
			return relatedRows(os.Stdout, r, args[1:], top, format)
		},
	}
	f := c.Flags()
	f.IntVar(&top, "top", 10, "`N` neighbours a document")
	f.BoolVar(&all, "all", false, "every document of the run")
	f.StringVar(&format, "format", formatTable, "table, jsonl, csv or tsv (query, neighbour, similarity)")
	return c
}

// relatedRows writes one neighbour a line, of the URLs given, or of every document if there are none.
func relatedRows(w io.Writer, r *query.Run, urls []string, top int, format string) error {
	columns := []string{"query", "neighbour", "similarity", "agreement", "shared"}
	if format == formatTSV {
		columns = columns[:3]
	}
	out := newRowWriter(w, format, columns...)
	put := func(id uint32, near []query.Neighbour) error {
		q := r.Document(id).URL
		for _, n := range near {
			row := []any{q, n.URL, n.Similarity}
			if format != formatTSV {
				row = append(row, n.Agreement, r.Shared(id, n.ID, sharedWords))
			}
			if err := out.row(row...); err != nil {
				return err
			}
		}
		return nil
	}
	if len(urls) == 0 {
		if err := r.All(top, put); err != nil {
			return err
		}
		return out.close()
	}
	for _, u := range urls {
		id, err := r.Lookup(u)
		if err != nil {
			return errors.Join(out.close(), err)
		}
		if err := put(id, r.Related(id, top)); err != nil {
			return err
		}
	}
	return out.close()
}

// relatedTables writes a list for people for each URL.
func relatedTables(w io.Writer, r *query.Run, urls []string, top int) error {
	for i, u := range urls {
		id, err := r.Lookup(u)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		relatedTable(w, r, id, top)
	}
	return nil
}

func relatedTable(w io.Writer, r *query.Run, id uint32, top int) {
	d := r.Document(id)
	fmt.Fprintln(w, line(d.URL, width()))
	fmt.Fprintln(w, "  "+line(about(r, id), width()-2))
	near := r.Related(id, top)
	if len(near) == 0 {
		fmt.Fprintln(w, "  no neighbours at the floor of this run")
		return
	}
	url := 8
	for _, n := range near {
		url = max(url, len(n.URL))
	}
	url = min(url, (width()-16)*6/10)
	for i, n := range near {
		fmt.Fprintf(w, "%4d  %.3f  %s  %s\n", i+1, n.Similarity, pad(n.URL, url), line(strings.Join(r.Shared(id, n.ID, sharedWords), " "), width()-url-16))
	}
}

// about is a line on a document: title, links, cluster.
func about(r *query.Run, id uint32) string {
	d := r.Document(id)
	parts := []string{}
	switch {
	case d.Title != "":
		parts = append(parts, "“"+d.Title+"”")
	case !d.Crawled:
		parts = append(parts, "not crawled")
	}
	parts = append(parts, fmt.Sprintf("linked from %s on %s", count(d.InLinks, "page"), count(d.InHosts, "host")))
	if c := r.Cluster(id); len(c.Label) > 0 {
		parts = append(parts, fmt.Sprintf("cluster %s (%s)", c.ID, strings.Join(c.Label, " ")))
	}
	return strings.Join(parts, "; ")
}

func count[N uint32 | int | int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
