package main

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/runs"
)

// folding holds the flags of fold.
type folding struct {
	output
	ask.Fold
	Best   bool   `doc:"leave out the URLs that are folded"`
	Column string `name:"url" value:"NAME" doc:"NAME of the field with the URL, if it is not url, document, uri, link or href"`
}

func newFold() *cobra.Command {
	f := &folding{Fold: ask.Defaults(ask.Fold{})}
	c := &cobra.Command{
		Use:   "fold RUN [FILE|-]",
		Short: "Fold near-copies in a ranked list of URLs",
		Long: `Fold reads a ranked list of URLs, such as the results of a search, and folds near-copies under the best one, so that each text
is shown once. A page is folded if it equals or resembles the page that stays; a chain of resemblances does not fold it. It is
also folded if it is another version of that page: the same place in another version, such as /1.0/ and /2.0/, with the same
title but for numbers. The order stays, and so do URLs that the run does not know, with a mark.

The list is a line for each URL, or JSON Lines with a field of URLs, from a file or standard input. Other fields are kept. If
records with one id have different texts, only the one whose text is in the run is taken for its page. Fold looks up the pairs
that the run has stored.`,
		Example: `  lshclust fold RUN results.txt
  lshclust related RUN example.org --limit 100 --format jsonl | lshclust fold RUN -
  lshclust fold RUN results.jsonl --keep date --best --format jsonl > folded.jsonl`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			return withRun(args[0], func(r *runs.Run) error { return f.run(c.Context(), r, append(args, "-")[1]) })
		},
	}
	flags := c.Flags()
	bindQuestion(flags, f)
	f.bind(flags, "a URL, with the one that it is folded under")
	return c
}

// run folds the list in a file.
func (f *folding) run(ctx context.Context, r *runs.Run, name string) error {
	if f.Min > 0 && f.Min < r.Config.Resemblance {
		return usage(fmt.Errorf("--min %g: the run stores only pairs with a resemblance of at least %g", f.Min, r.Config.Resemblance))
	}
	in, err := openList(name)
	if err != nil {
		return err
	}
	defer in.Close()
	list, err := readRanked(in, name, f.Column)
	if err != nil {
		return err
	}
	f.URLs, f.Digests = list.urls, list.digests()
	a, err := f.Ask(ctx, r)
	if err != nil {
		return err
	}
	said := fmt.Sprintf("%s: %d stay, %d folded", count(len(a.Items), "URL"), a.Stay, len(a.Items)-a.Stay)
	if a.Links > 0 {
		said += fmt.Sprintf("; · %d known only from links", a.Links)
	}
	if a.Nothing > 0 {
		said += fmt.Sprintf("; ? %d not in the run", a.Nothing)
	}
	if f.Best {
		a.Items = slices.DeleteFunc(a.Items, func(x texts.Folded) bool { return x.Under != "" })
	}
	if f.format == formatTable {
		tabled(func(w io.Writer) { foldTable(w, said, a.Items) })
		return nil
	}
	say("%s", said)
	return f.write(list, a.Items)
}

// foldTable lists each URL that stays and, below it, the URLs folded under it.
func foldTable(w io.Writer, said string, items []texts.Folded) {
	fold(w, said, 0)
	rows := make([]pageRow, len(items))
	for i, x := range items {
		mark, note := map[texts.Known]string{texts.KnownPage: " ", texts.KnownLinks: "·", texts.KnownNothing: "?"}[x.Known], ""
		if x.Under != "" {
			mark, note = "↳", x.Relation+", "+alikeBy(x.Resemblance)+" alike"
		}
		rows[i] = pageRow{fmt.Sprintf("%5d %s", x.Rank, mark), x.Name, note, x.URL}
	}
	pageList(w, pageRow{" rank", "page", "how", "url"}, rows)
}

// foldFields are the fields of the answer that fold adds to the list as columns: all but the URL and the name.
var foldFields = ask.Fields(reflect.TypeFor[texts.Folded]())[2:]

// foldColumns are the names of these columns.
var foldColumns = func() (names []string) {
	for _, f := range foldFields {
		names = append(names, "fold_"+f.Name)
	}
	return names
}()

// foldValues returns the values of foldColumns.
func foldValues(x texts.Folded) (values []any) {
	for _, f := range foldFields {
		v := reflect.ValueOf(x).FieldByIndex(f.Field.Index)
		if f.Optional && v.IsZero() {
			values = append(values, nil)
		} else {
			values = append(values, v.Interface())
		}
	}
	return values
}

// write writes the list in a data format: the fields of the list, then the columns of fold.
func (f *folding) write(list *ranked, items []texts.Folded) error {
	fields := slices.DeleteFunc(slices.Clone(list.fields), func(name string) bool { return slices.Contains(foldColumns, name) })
	if len(list.fields) == 0 {
		fields = []string{"url"}
	}
	rows := ask.NewRows(printed, f.encoding(true), slices.Concat(fields, foldColumns)...)
	for _, x := range items {
		row := make([]any, len(fields), len(fields)+len(foldColumns))
		for i, name := range fields {
			row[i] = list.value(x, name, f.format == formatJSON || f.format == formatJSONL)
		}
		if err := rows.Row(append(row, foldValues(x)...)...); err != nil {
			return err
		}
	}
	return rows.Close()
}

// value returns a field of a row as text or, if asJSON is set, as the original JSON.
func (l *ranked) value(x texts.Folded, name string, asJSON bool) any {
	row := l.rows[x.Rank-1]
	at := slices.IndexFunc(row, func(f field) bool { return f.name == name })
	switch {
	case row == nil:
		return x.URL
	case at < 0:
		return ask.Missing
	case asJSON:
		return row[at].value
	}
	return row[at].text
}
