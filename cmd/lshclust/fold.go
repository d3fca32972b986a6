package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/spf13/cobra"
)

// folding is the flags of fold.
type folding struct {
	output
	query.FoldOptions
	keep   string
	column string
	best   bool
}

func newFold() *cobra.Command {
	f := &folding{}
	c := &cobra.Command{
		Use:   "fold RUN [FILE|-]",
		Short: "Fold near-copies in a ranked list of URLs",
		Long: `Fold reads a ranked list of URLs, such as the results of a search, and folds near-copies under the best one, so that each text
is shown once. A page is folded if it equals or resembles the page that stays; a chain of resemblances does not fold it. The
order stays, and so do URLs that the run does not know, with a mark.

The list is a line for each URL, a table of tab-separated values with a column of URLs, or JSON Lines with a field of URLs,
from a file or standard input. Other columns and fields come out again. Fold looks up the pairs that the run has stored.`,
		Example: `  lshclust fold RUN results.txt
  lshclust related RUN example.org --top 100 --format tsv | lshclust fold RUN - --url neighbour
  lshclust fold RUN results.jsonl --keep date --best --format jsonl > folded.jsonl`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return f.run(append(args, "-"))
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.keep, "keep", string(query.KeepRank), "of near-copies, keep the one that comes first in the list (rank), was fetched last (date), or has most links (links), as `WHICH` says")
	flags.Float64Var(&f.Least, "threshold", 0, "fold a page if its resemblance to the one that stays is at least `R`; 0 means the threshold of the run, which stores no pairs below it")
	flags.BoolVar(&f.Contained, "contained", false, "also fold a page that is contained in the one that stays")
	flags.BoolVar(&f.best, "best", false, "leave out the URLs that are folded")
	flags.StringVar(&f.column, "url", "", "`NAME` of the column or field with the URL, if it is not url, document, uri, link or href")
	inRange(flags, "threshold", 0, 1)
	f.bind(flags, "a URL, with the one that it is folded under")
	flags.SortFlags = false
	return c
}

func (f *folding) check() error {
	if f.Keep = query.Keep(f.keep); !slices.Contains(query.Keeps, f.Keep) {
		return usage(fmt.Errorf("--keep %q is not one of %s", f.keep, "rank, date, links"))
	}
	return f.output.check()
}

// run folds the list in args[1] by the run in args[0].
func (f *folding) run(args []string) error {
	r, err := openRun(args[0])
	if err != nil {
		return err
	}
	defer r.Close()
	if f.Least > 0 && f.Least < r.Config.Resemblance {
		return usage(fmt.Errorf("--threshold %g: the run stores only pairs with a resemblance of at least %g", f.Least, r.Config.Resemblance))
	}
	in, err := openList(args[1])
	if err != nil {
		return err
	}
	defer in.Close()
	list, err := readRanked(in, args[1], f.column)
	if err != nil {
		return err
	}
	folded, err := r.Fold(list.urls, f.FoldOptions)
	if err != nil {
		return err
	}
	tally := tallyOf(folded)
	if f.best {
		folded = slices.DeleteFunc(folded, func(x query.Folded) bool { return x.Under >= 0 })
	}
	if f.format == formatTable {
		foldTable(printed, list, folded, tally)
		return nil
	}
	say("%s", tally)
	return f.write(printed, list, folded)
}

// tally counts what became of a list.
type tally struct{ all, folded, links, nothing int }

func tallyOf(list []query.Folded) (t tally) {
	t.all = len(list)
	for _, x := range list {
		switch {
		case x.Under >= 0:
			t.folded++
		case x.Known == query.KnownLinks:
			t.links++
		case x.Known == query.KnownNothing:
			t.nothing++
		}
	}
	return t
}

// String puts the counts into words.
func (t tally) String() string {
	s := fmt.Sprintf("%s: %d stay, %d folded", count(t.all, "URL"), t.all-t.folded, t.folded)
	if t.links > 0 {
		s += fmt.Sprintf("; · %d known only from links", t.links)
	}
	if t.nothing > 0 {
		s += fmt.Sprintf("; ? %d not in the run", t.nothing)
	}
	return s
}

// foldTable shows each URL that stays, and below it those that are folded under it.
func foldTable(w io.Writer, list *ranked, folded []query.Folded, t tally) {
	out, flush := narrow(w)
	defer flush()
	fmt.Fprintln(out, t)
	const kept, under = 7, 28 // columns before URLs
	urls := [2][]string{}
	for _, x := range folded {
		urls[level(x)] = append(urls[level(x)], x.URL)
	}
	for i, before := range []int{kept, under} {
		urls[i] = stdout().lastColumn(urls[i], before)
	}
	for _, x := range folded {
		i := level(x)
		row := fmt.Sprintf("%5d %s", x.Rank+1, map[query.Known]string{query.KnownPage: " ", query.KnownLinks: "·", query.KnownNothing: "?"}[x.Known])
		if i == 1 {
			row = fmt.Sprintf("%10d  %-9s %s", x.Rank+1, x.Overlap.Relation, resemblanceCell(x.Overlap))
		}
		fmt.Fprintln(out, joined(row, urls[i][0]))
		urls[i] = urls[i][1:]
	}
}

// level is 1 for a URL that is folded, else 0.
func level(x query.Folded) int { return min(x.Under+1, 1) }

// resemblanceCell formats a resemblance. Only that of equal pages is 1, and is not shown.
func resemblanceCell(d query.Duplicate) string {
	if d.Resemblance == 1 {
		return "      "
	}
	return fmt.Sprintf("%.4f", min(d.Resemblance, 0.9999))
}

// foldColumns are the columns that fold adds to those of the list.
var foldColumns = []string{"fold_rank", "fold_known", "fold_under", "fold_relation", "fold_resemblance", "fold_of_this", "fold_of_other", "fold_std_error"}

// foldValues returns the values of foldColumns. A URL that stays has only the first two.
func foldValues(list *ranked, x query.Folded) []any {
	values := []any{x.Rank + 1, string(x.Known), nil, nil, nil, nil, nil, nil}
	if x.Under < 0 {
		return values
	}
	copy(values[2:], []any{list.urls[x.Under], x.Overlap.Relation, x.Overlap.Resemblance, x.Overlap.OfThis, x.Overlap.OfOther})
	if x.Overlap.Estimated {
		values[7] = x.Overlap.StdErr
	}
	return values
}

// write writes the list in a data format, with all its fields.
func (f *folding) write(w io.Writer, list *ranked, folded []query.Folded) error {
	if f.format == formatJSON || f.format == formatJSONL {
		return f.objects(w, list, folded)
	}
	fields := list.fields
	if len(fields) == 0 {
		fields = []string{"url"}
	}
	fields = slices.DeleteFunc(slices.Clone(fields), func(name string) bool { return slices.Contains(foldColumns, name) })
	columns := make([]string, 0, len(fields)+len(foldColumns))
	for _, name := range fields {
		if name = harmless.Cell(name); f.safe {
			name = harmless.Formula(name)
		}
		columns = append(columns, name)
	}
	out := f.rows(w, append(columns, foldColumns...)...)
	for _, x := range folded {
		row := make([]any, len(fields), len(columns)+len(foldColumns))
		for i, name := range fields {
			row[i] = list.cell(x, name, i)
		}
		if err := out.row(append(row, foldValues(list, x)...)...); err != nil {
			return err
		}
	}
	return out.close()
}

// cell returns a field of a row, nil if the row does not have it. It is probably at the given place.
func (l *ranked) cell(x query.Folded, name string, at int) any {
	row := l.rows[x.Rank]
	if row == nil {
		return x.URL
	}
	if at >= len(row) || row[at].name != name {
		at = slices.IndexFunc(row, func(f field) bool { return f.name == name })
	}
	if at < 0 {
		return nil
	}
	return row[at].text
}

// objects writes the list as JSON objects, whose fields are those of the list and then those of fold.
func (f *folding) objects(w io.Writer, list *ranked, folded []query.Folded) error {
	out := bufio.NewWriterSize(w, 1<<16)
	var b bytes.Buffer
	put := func(name string, value any) error {
		key, err := marshal(name)
		if err != nil {
			return err
		}
		cell, err := marshal(value)
		if err != nil {
			return err
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(cell)
		return nil
	}
	before, between, after := "", "\n", "\n"
	if f.format == formatJSON {
		before, between, after = "[\n  ", ",\n  ", "\n]\n"
	}
	for i, x := range folded {
		b.Reset()
		b.WriteByte('{')
		if err := list.put(x, put); err != nil {
			return err
		}
		for j, v := range foldValues(list, x) {
			if err := put(foldColumns[j], v); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		fmt.Fprint(out, before, b.String())
		if before = between; i == len(folded)-1 {
			out.WriteString(after)
		}
	}
	return out.Flush()
}

// put calls put with the fields of a row that are not those of fold.
func (l *ranked) put(x query.Folded, put func(name string, value any) error) error {
	if l.rows[x.Rank] == nil {
		return put("url", x.URL)
	}
	for _, f := range l.rows[x.Rank] {
		var value any = f.text
		if f.value != nil {
			value = f.value
		}
		if slices.Contains(foldColumns, f.name) {
			continue
		}
		if err := put(f.name, value); err != nil {
			return err
		}
	}
	return nil
}
