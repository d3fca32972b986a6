package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/label"
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
		deep   bool
		format string
	)
	c := &cobra.Command{
		Use:   "related RUN [URL...]",
		Short: "What is related to a page, by what the web says about it",
		Long: `Related lists the documents whose bags are most similar to that of a URL, crawled or not, with the words that they
share. With --all it does so for every document of the run, one neighbour a line.

A run stores the nearest of each document (--neighbours of lshclust cluster). --deep asks its index anew for all that it
finds, which takes some seconds however many URLs are given.`,
		Example: `  lshclust related RUN https://www.sqlite.org/
  lshclust related RUN sqlite.org --top 25 --format jsonl
  lshclust related RUN sqlite.org --deep --top 500
  lshclust related RUN --all --top 10 --format tsv > neighbours.tsv   # query, neighbour, similarity`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if all != (len(args) == 1) {
				return usage(errors.New("give URLs, or --all for every document"))
			}
			if all && deep {
				return usage(errors.New("--all lists what is stored, --deep is for some URLs: leave one of them out"))
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
				return relatedTables(c.Context(), os.Stdout, r, args[1:], relatedList{top, deep})
			}
			return relatedRows(c.Context(), os.Stdout, r, args[1:], relatedList{top, deep}, format)
		},
	}
	f := c.Flags()
	f.IntVar(&top, "top", 10, "`N` neighbours a document")
	f.BoolVar(&all, "all", false, "every document of the run")
	f.BoolVar(&deep, "deep", false, "ask the index for more than is stored")
	f.StringVar(&format, "format", formatTable, "table, jsonl, csv or tsv (query, neighbour, similarity)")
	return c
}

// relatedList says what is listed of a document.
type relatedList struct {
	top  int
	deep bool
}

// of returns documents and the list of each.
func (l relatedList) of(ctx context.Context, r *query.Run, urls []string) (ids []uint32, lists [][]query.Neighbour, err error) {
	for _, u := range urls {
		id, lookup := r.Lookup(u)
		if err = lookup; err != nil {
			break // what comes before it is listed
		}
		ids = append(ids, id)
	}
	if l.deep {
		lists, search := r.Search(ctx, ids, l.top)
		return ids, lists, cmp.Or(search, err)
	}
	for _, id := range ids {
		lists = append(lists, r.Related(id, l.top))
	}
	return ids, lists, err
}

// relatedRows writes one neighbour a line, of the URLs given, or of every document if there are none.
func relatedRows(ctx context.Context, w io.Writer, r *query.Run, urls []string, list relatedList, format string) error {
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
		if err := r.All(list.top, put); err != nil {
			return err
		}
		return out.close()
	}
	ids, lists, err := list.of(ctx, r, urls)
	for i := range lists {
		if err := put(ids[i], lists[i]); err != nil {
			return err
		}
	}
	return errors.Join(out.close(), err)
}

// relatedTables writes a list for people for each URL.
func relatedTables(ctx context.Context, w io.Writer, r *query.Run, urls []string, list relatedList) error {
	ids, lists, err := list.of(ctx, r, urls)
	for i := range lists {
		if i > 0 {
			fmt.Fprintln(w)
		}
		relatedTable(w, r, ids[i], lists[i])
	}
	if !list.deep && slices.ContainsFunc(ids, func(id uint32) bool { return list.top > r.Config.Neighbours && r.Cut(id) }) {
		fmt.Fprintf(os.Stderr, "the run stores the nearest %d; --deep finds more\n", r.Config.Neighbours)
	}
	return err
}

func relatedTable(w io.Writer, r *query.Run, id uint32, near []query.Neighbour) {
	d := r.Document(id)
	fmt.Fprintln(w, line(d.URL, width()))
	fmt.Fprintln(w, "  "+line(about(r, id), width()-2))
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
		parts = append(parts, fmt.Sprintf("cluster %s (%s)", c.ID, label.Join(c.Label)))
	}
	return strings.Join(parts, "; ")
}

func count[N uint32 | int | int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
