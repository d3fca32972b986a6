package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/topic/label"
	"github.com/spf13/cobra"
)

func newRelated() *cobra.Command {
	l := &relatedList{Related: ask.Defaults(ask.Related{})}
	c := &cobra.Command{
		Use:   "related RUN [URL...]",
		Short: "What is related to a page, by what the web says about it and by its own words",
		Long: `Related lists the documents whose bags are most similar to that of a URL, crawled or not, with the words that they share. A
bag has two fields: the words around the links to a document, and its own words, if it was crawled. A row says how much
of the similarity comes from links, and the rest comes from own words; --by links and --by content compare one field only.
The order also counts how alike the neighbours of both are, and shared words of little weight. With --all, related answers for
every document of the run, and with --urls for the URLs in a file. If the run does not hold a URL, related names it on standard
error with the nearest URLs that the run holds, answers the others, and exits with 1.

A run stores only the nearest neighbours of each document (neighbours in lshclust config). Related compares the document
with these and with their neighbours. With --exact, it compares the URLs with the bags of all documents, which misses none
and takes milliseconds a URL.

Documents that some page lists together are mostly known together already. Related shows the number of these pages, and
--apart leaves such documents out. --elsewhere leaves out those on the host of the URL.
Mirrors, forks and versions of a listed document, which have its name and the same end of their URL, have no rows of
their own, unless --all is given.

With --words, related finds documents by words. First come those with this name, which may be the text of links to them,
their title, their host or the end of their path. The name may have one typo, or be the beginning of a longer one; those
with the most links come first. Then come the documents whose bags fit the words best and which many hosts link to. A row says how its name
matches (whole, typo, beginning), and shows which of the words the bag holds. Words that are in no bag are named on
standard error.`,
		Example: `  lshclust related RUN https://www.sqlite.org/
  lshclust related RUN sqlite.org --limit 25 --format jsonl
  lshclust related RUN sqlite.org --apart
  lshclust related RUN sqlite.org --by links
  lshclust related RUN sqlite.org --exact
  lshclust related RUN --words "incremental backup postgres"
  lshclust related RUN --urls urls.txt --format csv > related.csv
  lshclust related RUN --all --limit 10 > neighbours.tsv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := l.check(c, args[1:]); err != nil {
				return err
			}
			l.batch.words = invocation() + " related " + strings.ReplaceAll(shellWord(args[0]), "%", "%%") + " --words %s"
			return withTopical(args[0], func(r *query.Run) error { return l.write(c.Context(), printed, r, args[1:]) })
		},
	}
	f := c.Flags()
	f.BoolVar(&l.all, "all", false, "list the neighbours of every document of the run")
	l.batch.bind(c, 1, "one URL a line")
	bindQuestion(f, &l.Related)
	f.StringVar(&l.words, "words", "", "list the documents that the web calls by these `WORDS`, instead of those related to a URL")
	l.output.bind(f, "")
	return c
}

// relatedList holds the flags of related.
type relatedList struct {
	output
	batch
	ask.Related
	words string
}

func (l *relatedList) check(c *cobra.Command, urls []string) error {
	some, words := len(urls) > 0 || l.file != "", c.Flags().Changed("words")
	switch {
	case words && (some || l.all):
		return usage(errors.New("--words asks about words: leave out the URLs, --urls and --all, or --words"))
	case words && (l.Exact || l.Apart || l.Elsewhere || c.Flags().Changed("by")):
		return usage(errors.New("--words always compares with all documents: leave out --exact, --apart, --elsewhere and --by"))
	case words && strings.TrimSpace(l.words) == "":
		return usage(errors.New("--words: give some words"))
	case words:
		return nil
	case l.all && (l.Exact || l.By != query.ByBoth):
		return usage(errors.New("--exact and --by compare some URLs only: leave out --all, or them"))
	}
	return l.batch.check(c, &l.output, urls, ", --words WORDS, or --all for every document")
}

func (l *relatedList) write(ctx context.Context, w io.Writer, r *query.Run, urls []string) error {
	if l.words != "" {
		return l.writeWords(ctx, w, r)
	}
	shared, plus, dot, mirrors := false, false, false, false // whether a table contains the mark
	put, end := answers(w, l.output, l.all || l.file != "" || len(urls) > 1, func(w io.Writer, a *ask.RelatedAnswer) {
		relatedTable(ctx, w, r, a)
		for _, n := range a.Items {
			shared = shared || n.Relatedness > 0
			plus, dot = plus || n.Found == query.FoundBeyond, dot || n.Together > 0
			mirrors = mirrors || len(n.Mirrors) > 0
		}
	})
	if l.all {
		return errors.Join(ask.EachRelated(ctx, r, l.Related, put), end())
	}
	err := askEach(ctx, &l.batch, r, urls, func(url []string) (*ask.RelatedAnswer, error) {
		q := l.Related
		q.URL = url[0]
		return q.Ask(ctx, r)
	}, put)
	if err := errors.Join(err, end()); err != nil {
		return err
	}
	var marks []string
	if shared {
		marks = append(marks, "+.NN for shared neighbours and words of little weight, which count in the order")
	}
	if plus {
		marks = append(marks, "+ a neighbour of a neighbour")
	}
	if dot {
		marks = append(marks, "·N listed together on N pages")
	}
	if mirrors {
		marks = append(marks, "(+N) with N mirrors or versions, which --format json lists")
	}
	if len(marks) > 0 {
		say("%s", strings.Join(marks, "; "))
	}
	return l.tell(r)
}

func relatedTable(ctx context.Context, w io.Writer, r *query.Run, a *ask.RelatedAnswer) {
	fmt.Fprintln(w, whole(a.Of))
	page, err := ask.Page{URL: a.Of}.Ask(ctx, r)
	if err == nil {
		fold(w, about(page), 2)
	}
	if a.None != "" {
		fold(w, a.None, 2)
		return
	}
	if a.Note != "" {
		fold(w, a.Note, 2)
	}
	listing(w, a.Items, func(i int, n query.Neighbour) (figures, url, words string) {
		marks := ""
		if n.Found == query.FoundBeyond {
			marks = "+"
		}
		if n.Together > 0 {
			marks = fmt.Sprintf("%1s ·%d", marks, n.Together)
		}
		if r.HasContent() {
			marks = fmt.Sprintf("  %-10s%s", sharedFields(n), marks)
		} else if marks != "" {
			marks = " " + marks
		}
		if n.Relatedness > 0 {
			marks = " +" + strings.TrimPrefix(fmt.Sprintf("%.2f", n.Relatedness-n.Similarity), "0") + marks
		}
		name := n.Name
		if len(n.Mirrors) > 0 {
			name += fmt.Sprintf(" (+%d)", len(n.Mirrors))
		}
		return fmt.Sprintf("%4d  %.3f%s", i+1, n.Similarity, marks), n.URL, titled(name, n.Shared)
	})
}

// titled returns what a row says about a document: its name, and the words that it was found by.
func titled(name string, words []string) string {
	return strings.Trim(name+" · "+strings.Join(words, " "), " ·")
}

// sharedFields names the field of the bags from which the similarity of a neighbour comes, or says how much comes from
// links.
func sharedFields(n query.Neighbour) string {
	switch {
	case n.Content == 0:
		return "links"
	case n.Links == 0:
		return "content"
	}
	return fmt.Sprintf("%.0f %% links", min(99, max(1, 100*n.FromLinks)))
}

// about describes a document in one line: title, links, cluster.
func about(p *ask.PageAnswer) string {
	d, parts := p.Document, []string{}
	switch {
	case d.Title != "":
		parts = append(parts, "“"+d.Title+"”")
	case len(p.Captures) > 0:
		parts = append(parts, "captured "+count(len(p.Captures), "time"))
	case !d.Crawled:
		parts = append(parts, "not crawled")
	}
	parts = append(parts, linksTo(int(d.InLinks), int(d.InHosts)))
	if c := p.Topical; c != nil && len(c.Label) > 0 {
		parts = append(parts, fmt.Sprintf("cluster %s (%s)", c.ID, label.Join(c.Label)))
	}
	return strings.Join(parts, "; ")
}

func linksTo(links, hosts int) string {
	if links == 0 {
		return "no page links to it"
	}
	return fmt.Sprintf("linked from %s on %s", count(links, "page"), count(hosts, "host"))
}

// count returns a number with its noun: 1 page, 2 pages.
func count[N uint32 | int | int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writeWords lists the documents that match the words.
func (l *relatedList) writeWords(ctx context.Context, w io.Writer, r *query.Run) error {
	found, err := ask.Search{Words: l.words, Window: l.Window}.Ask(ctx, r)
	if err != nil {
		return err
	}
	for _, x := range []struct {
		what  string
		words []string
	}{{"the run knows no such word", found.Unknown}, {"left out, since bags hold no stop words", found.Stop}} {
		if len(x.words) > 0 {
			fmt.Fprintf(os.Stderr, "%s: %s\n", x.what, harmless.Line(strings.Join(x.words, " ")))
		}
	}
	if len(found.Items) == 0 {
		return fmt.Errorf("%s: %w", harmless.Line(l.words), query.ErrNoWords)
	}
	put, end := answers(w, l.output, false, func(w io.Writer, a *ask.SearchAnswer) {
		asked := a.Known
		if len(asked) == 0 {
			asked = strings.Fields(a.Query)
		}
		fmt.Fprintln(w, whole(strings.Join(asked, " ")))
		listing(w, a.Items, func(i int, m ask.SearchItem) (figures, url, words string) {
			figures = fmt.Sprintf("%4d  %.3f", i+1, m.Score)
			if a.Items[0].Called != "" { // the first, if any
				figures += fmt.Sprintf("  %-9s", m.Called)
			}
			return figures, m.URL, titled(m.Name, m.Matched)
		})
	})
	return errors.Join(put(found), end())
}
