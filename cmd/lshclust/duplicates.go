package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/spf13/cobra"
)

// duplicateColumns are the columns of duplicates and query in data formats.
var duplicateColumns = []string{"query", "url", "relation", "resemblance", "of_this", "of_other", "estimate", "samples"}

func newDuplicates() *cobra.Command {
	o, b := &output{}, &batch{}
	c := &cobra.Command{
		Use:   "duplicates RUN URL...",
		Short: "Which pages have a text similar to that of a page",
		Long: `Duplicates lists the pages that equal a page (identical bytes, the same words, or the same shingles), resemble it, contain
it or are contained in it. It shows exact figures from the stored shingles: the resemblance, the share of this page that is
in the other one, and the share of the other page that is in this one. It also shows what the samples estimate. In a run that keeps
sketches, all figures are estimates, with the standard error of the resemblance and the number of samples. The relation
"chain" means that a page is in the same cluster, but only through other pages.

With --urls it reads the URLs from a file. If the run does not hold a URL, duplicates names it on standard error with the
nearest URLs that the run holds, answers the others, and exits with 1.

In a run with all captures (cluster --captures all), a time after # names a capture: URL#2024-05. A plain URL lists its captures.`,
		Example: `  lshclust duplicates RUN https://example.org/page.html
  lshclust duplicates RUN https://example.org/page.html --format jsonl
  lshclust duplicates RUN --urls urls.txt --format csv > duplicates.csv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if len(args) == 1 && b.file == "" {
				return usage(errors.New("give URLs, or --urls FILE"))
			}
			r, err := openRun(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			rows := newDuplicateRows(printed, o, r)
			rows.hint = "; " + invocation() + " query " + shellWord(args[0]) + " URL lists pages that have less in common with it"
			for question, err := range b.questions(args[1:]) {
				if err != nil {
					return err
				}
				if err := duplicatesOf(r, b, rows, question[0]); err != nil {
					return err
				}
			}
			if err := rows.close(); err != nil {
				return err
			}
			return b.tell(r)
		},
	}
	b.bind(c, 1, "one URL a line")
	o.bind(c.Flags(), "")
	c.Flags().SortFlags = false
	return c
}

// duplicatesOf writes the list of one URL.
func duplicatesOf(r *query.Run, b *batch, rows *duplicateRows, url string) error {
	id, ok := b.lookupPage(r, url)
	if !ok {
		return nil
	}
	list, err := r.Duplicates(id)
	if err != nil {
		b.miss(url, err, false)
		return nil
	}
	about := sketchOf(r, id)
	if n, leftOut, err := r.Boilerplate(id); err == nil && about == "" {
		about = count(n, "distinct shingle") + boilerplateLeftOut(leftOut)
		if p, err := r.DuplicateProbability(id); err == nil {
			about += "; " + duplicateProbability(p, r.Config.Resemblance)
		}
	}
	return rows.write(r.Document(id).URL, about, list)
}

// duplicateRows writes the lists of documents, one after the other.
type duplicateRows struct {
	w     io.Writer
	lists int
	rows  *rowWriter // nil for a table
	hint  string     // after "no page found"

	estimates       bool // the run keeps sketches
	resemblanceOnly bool // which tell nothing of containment
}

func newDuplicateRows(w io.Writer, o *output, r *query.Run) *duplicateRows {
	d := &duplicateRows{w: w, estimates: r.Config.Sketched(), resemblanceOnly: r.NeedContainment() != nil}
	if o.format != formatTable {
		d.rows = o.rows(w, d.columns()...)
	}
	return d
}

// write writes the list of a document. The table shows about, a line on the document, above it.
func (d *duplicateRows) write(of, about string, list []query.Duplicate) error {
	d.lists++
	if d.rows == nil {
		if d.lists > 1 {
			fmt.Fprintln(d.w)
		}
		d.table(of, about, list)
		return nil
	}
	for _, x := range list {
		if err := d.rows.row(d.row(of, x)...); err != nil {
			return err
		}
	}
	return nil
}

// boilerplateLeftOut tells how many shingles of a page were left out of comparisons, if there are any.
func boilerplateLeftOut(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them boilerplate of the host and left out", n)
}

func (d *duplicateRows) close() error {
	if d.rows == nil {
		return nil
	}
	return d.rows.close()
}

func (d *duplicateRows) table(of, about string, list []query.Duplicate) {
	w, flush := narrow(d.w)
	defer flush()
	fmt.Fprintln(w, whole(of))
	if about != "" {
		fold(w, about, 2)
	}
	if len(list) == 0 {
		stdout().fold(w, "no page found"+d.hint, 2, 4)
		return
	}
	const before = 58 // columns of the figures
	fmt.Fprintf(w, "  %-9s %11s %8s %9s  %-14s  %s\n", "relation", "resemblance", "of this", "of other", sketchColumn(d.estimates), "url")
	urls := make([]string, len(list))
	for i, x := range list {
		urls[i] = x.URL
	}
	urls = stdout().lastColumn(urls, before)
	for i, x := range list {
		sketch := ""
		if x.Samples > 0 {
			sketch = sketchCell(x)
		}
		fmt.Fprintf(w, "  %-9s %11.4f %8s %9s  %-14s%s\n", x.Relation, x.Resemblance, d.shareCell(x, x.OfThis), d.shareCell(x, x.OfOther), sketch, urls[i])
	}
}
