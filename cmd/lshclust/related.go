package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lshclust/lshclust/label"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// sharedWords is the number of words that a list shows as the reason for a neighbour.
const sharedWords = 6

func newRelated() *cobra.Command {
	list := &relatedList{}
	c := &cobra.Command{
		Use:   "related RUN [URL...]",
		Short: "What is related to a page, by what the web says about it",
		Long: `Related lists the documents whose bags are most similar to that of a URL, crawled or not, with the words that they
share. With --all it does so for every document of the run, and with --urls for the URLs in a file. If the run does not hold
a URL, related names it on standard error with the nearest URLs that the run holds, answers the others, and exits with 1.

A run stores only the nearest neighbours of each document (--neighbours of lshclust cluster). Related expands them: in each
round it takes the nearest documents so far and compares the document with the neighbours of each. --rounds 0 lists what
the run has stored. With --deep, related searches the index of the run instead, which takes some seconds for any number of
URLs. With --exact, it compares the URLs with the bags of all documents, which misses none and takes milliseconds a URL.

Documents that some page lists together are mostly known together already. Related shows the number of these pages, and
--apart leaves such documents out.

With --words, related lists the documents whose bags fit some words best: the pages that the web calls by these words. A row
shows which of the words the bag holds. Words that the run does not know are named on standard error.`,
		Example: `  lshclust related RUN https://www.sqlite.org/
  lshclust related RUN sqlite.org --top 25 --format jsonl
  lshclust related RUN sqlite.org --apart
  lshclust related RUN sqlite.org --deep --top 500
  lshclust related RUN sqlite.org --exact
  lshclust related RUN --words "incremental backup postgres"
  lshclust related RUN --urls urls.txt --format csv > related.csv
  lshclust related RUN --all --top 10 > neighbours.tsv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := list.check(c, args[1:]); err != nil {
				return err
			}
			return withTopical(args[0], func(r *query.Run) error { return list.write(c.Context(), printed, r, args[1:]) })
		},
	}
	list.bind(c)
	return c
}

// relatedList is the flags of related: which documents, how many neighbours of each, and in what format.
type relatedList struct {
	output
	batch
	relatedBeyond
	query.Lookup
	all  bool
	deep bool
}

func (l *relatedList) bind(c *cobra.Command) {
	f := c.Flags()
	l.Lookup = query.DefaultLookup
	f.IntVar(&l.Top, "top", l.Top, "list at most `N` neighbours of each document")
	f.BoolVar(&l.all, "all", false, "list the neighbours of every document of the run")
	l.batch.bind(c, 1, "one URL a line")
	f.IntVar(&l.Rounds, "rounds", l.Rounds, "look for neighbours of neighbours in `N` rounds; 0 lists the stored neighbours")
	f.IntVar(&l.Width, "width", l.Width, "in a round, expand the `N` nearest documents so far, and compare with the N nearest neighbours of each")
	f.BoolVar(&l.Apart, "apart", false, "list only documents that no page links to together with the URL")
	f.BoolVar(&l.deep, "deep", false, "search the index of the run instead of looking for neighbours of neighbours")
	l.relatedBeyond.bind(f)
	counting(f, 1, "top", "width")
	inRange(f, "rounds", 0, mostRounds)
	l.output.bind(f, "")
	f.SortFlags = false
}

func (l *relatedList) check(c *cobra.Command, urls []string) error {
	if l.all && !c.Flags().Changed("format") {
		l.format = formatTSV
	}
	switch {
	case l.all && (len(urls) > 0 || l.file != ""):
		return usage(errors.New("--all lists every document: leave out the URLs, or --all"))
	case !l.all && len(urls) == 0 && l.file == "" && !c.Flags().Changed("words"):
		return usage(errors.New("give URLs, --urls FILE, --words WORDS, or --all for every document"))
	case l.all && l.deep:
		return usage(errors.New("--deep searches for some URLs only: leave out --all or --deep"))
	case (l.deep || l.exact) && (c.Flags().Changed("rounds") || c.Flags().Changed("width")):
		return usage(errors.New("--deep and --exact do not look for neighbours of neighbours: leave out --rounds and --width, or --deep and --exact"))
	case l.all && l.format == formatTable:
		return usage(errors.New("--all does not write a table for a terminal; choose --format tsv, csv, json or jsonl"))
	}
	if err := l.relatedBeyond.check(c, l, len(urls) > 0 || l.file != ""); err != nil {
		return err
	}
	return l.output.check()
}

func (l *relatedList) write(ctx context.Context, w io.Writer, r *query.Run, urls []string) error {
	if l.words != "" {
		return l.writeWords(w, r)
	}
	put, end := l.tables(w, r)
	if l.format != formatTable {
		put, end = l.lists(w, r)
	}
	if l.all {
		return cmp.Or(r.EachRelated(ctx, l.Lookup, put), end())
	}
	err := l.each(ctx, r, urls, put)
	return cmp.Or(errors.Join(err, end()), l.tell(r))
}

// each calls put with the neighbours of every URL.
func (l *relatedList) each(ctx context.Context, r *query.Run, urls []string, put func(uint32, []query.Neighbour) error) error {
	var ids []uint32 // for which the index is searched
	for question, err := range l.questions(urls) {
		if err != nil {
			return err
		}
		id, ok := l.lookup(r, question[0])
		switch {
		case !ok:
		case l.deep || l.exact:
			ids = append(ids, id)
		default:
			if err := put(id, r.Related(id, l.Lookup)); err != nil {
				return err
			}
		}
	}
	if !l.deep && !l.exact {
		return nil
	}
	lists, err := l.search(ctx, r, ids)
	if err != nil {
		return err
	}
	for i, near := range lists {
		if err := put(ids[i], near); err != nil {
			return err
		}
	}
	return nil
}

// lists returns functions that write one neighbour a row.
func (l *relatedList) lists(w io.Writer, r *query.Run) (put func(uint32, []query.Neighbour) error, end func() error) {
	out := l.rows(w, "query", "neighbour", "similarity", "agreement", "shared", "found", "together")
	return func(id uint32, near []query.Neighbour) error {
		q := r.Document(id).URL
		for _, n := range near {
			if err := out.row(q, n.URL, n.Similarity, n.Agreement, r.Shared(id, n.ID, sharedWords), n.Found.String(), n.Together); err != nil {
				return err
			}
		}
		return nil
	}, out.close
}

// tables returns functions that write a table for each document.
func (l *relatedList) tables(w io.Writer, r *query.Run) (put func(uint32, []query.Neighbour) error, end func() error) {
	first, more := true, false
	var seen relatedMarks
	return func(id uint32, near []query.Neighbour) error {
			if !first {
				fmt.Fprintln(w)
			}
			first = false
			relatedTable(w, r, id, near, l.Apart)
			seen.see(near)
			more = more || !l.deep && !l.exact && l.Rounds == 0 && l.Top > r.Config.Neighbours && r.Truncated(id)
			return nil
		}, func() error {
			if more {
				fmt.Fprintf(os.Stderr, "the run stores the nearest %d; --rounds and --deep find more\n", r.Config.Neighbours)
			}
			if s := seen.String(); s != "" {
				say("%s", s)
			}
			return nil
		}
}

func relatedTable(w io.Writer, r *query.Run, id uint32, near []query.Neighbour, apart bool) {
	d := r.Document(id)
	fmt.Fprintln(w, whole(d.URL))
	fold(w, about(r, id), 2)
	if len(near) == 0 {
		fold(w, noNeighbours(r, id, apart), 2)
		return
	}
	urls, words := make([]string, len(near)), make([]string, len(near))
	for i, n := range near {
		urls[i], words[i] = n.URL, strings.Join(r.Shared(id, n.ID, sharedWords), " ")
	}
	marks := relatedMarksOf(near)
	before := 11 + widest(marks) // columns of rank and similarity, and of the marks
	for i, row := range stdout().urlsAndWords(urls, words, before) {
		fmt.Fprintln(w, joined(fmt.Sprintf("%4d  %.3f%s", i+1, near[i].Similarity, marks[i]), row))
	}
}

// noNeighbours tells why nothing is related to a document.
func noNeighbours(r *query.Run, id uint32, apart bool) string {
	url := r.Document(id).URL
	plain, _, capture := strings.Cut(url, "#")
	switch {
	case capture && len(r.Captures(plain)) > 0:
		return "links do not point at a capture; ask about " + plain
	case apart && len(r.Related(id, query.Lookup{Top: 1})) > 0:
		return "some page links to it together with every related document that was found"
	case r.Bag(id).Len() > 0:
		return "no document is similar enough for this run to store it (--floor and --min-similarity of lshclust cluster)"
	}
	return "the web says nothing about it: no link to it, and no title of its own, has a term of the run"
}

// about describes a document in a line: title, links, cluster.
func about(r *query.Run, id uint32) string {
	d := r.Document(id)
	parts := []string{}
	captures := r.Captures(d.URL)
	switch {
	case d.Title != "":
		parts = append(parts, "“"+d.Title+"”")
	case len(captures) > 0:
		parts = append(parts, "captured "+count(len(captures), "time"))
	case !d.Crawled:
		parts = append(parts, "not crawled")
	}
	if d.InLinks == 0 {
		parts = append(parts, "no page links to it")
	} else {
		parts = append(parts, fmt.Sprintf("linked from %s on %s", count(d.InLinks, "page"), count(d.InHosts, "host")))
	}
	if c := r.TopicalMembership(id); len(c.Label) > 0 {
		parts = append(parts, fmt.Sprintf("cluster %s (%s)", c.ID, label.Join(c.Label)))
	}
	return strings.Join(parts, "; ")
}

// count returns a number with its noun: 1 page, 2 pages.
func count[N uint32 | int | int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
