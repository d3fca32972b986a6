package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/runs"
)

func newRelated() *cobra.Command {
	l := &relatedList{Related: ask.Defaults(ask.Related{})}
	c := &cobra.Command{
		Use:   "related RUN [URL...]",
		Short: "What is related to a page, by what the web says about it and by its own words",
		Long: `Related lists the documents whose bags are most similar to that of a URL, crawled or not. A
bag has two fields: the words around the links to a document, and its own words, if it was crawled. The score, from 0 to
100, counts how similar the bags are, how alike the neighbours of both are, and shared words of little weight. A row says
what it comes from: pages that list both, the words of links, own words; --by links and --by content compare one field
only. With --all, related answers for every document of the run, and with --urls for the URLs in a file. If the run does
not hold a URL, related names it on standard error with the nearest URLs that the run holds, answers the others, and exits
with 1.

A run stores only the nearest neighbours of each document (neighbours in lshclust config). Related compares the document
with these and with their neighbours. With --exact, it compares the URLs with the bags of all documents, which misses none
and takes milliseconds a URL.

Documents that some page lists together are mostly known together already; --apart leaves such documents out. --elsewhere
leaves out those on the host of the URL.
Documents that tell no more than a listed one (mirrors, versions, parts of a series, the same story elsewhere) have no rows of
their own, unless --all is given.

With --words, related finds documents by words. First come those with this name, which may be the text of links to them,
their title, their host or the end of their path. The name may have one typo, or be the beginning of a longer one; those
with the most links come first. Then come the documents whose bags fit the words best and which many hosts link to. A row says
how its name matches (whole, typo, beginning), or which of the words the bag holds. Words that are in no bag are named on
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
			return withTopical(args[0], func(r *runs.Run) error { return l.write(c.Context(), r, args[1:]) })
		},
	}
	f := c.Flags()
	f.BoolVar(&l.all, "all", false, "list the neighbours of every document of the run")
	l.batch.bind(c, 1, "one URL a line")
	bindQuestion(f, l)
	l.output.bindColumns(f)
	l.output.bind(f, "")
	return c
}

// relatedList holds the flags of related.
type relatedList struct {
	output
	batch
	ask.Related
	Words string `value:"WORDS" doc:"list the documents that the web calls by these WORDS, instead of those related to a URL"`
}

func (l *relatedList) check(c *cobra.Command, urls []string) error {
	some, words := len(urls) > 0 || l.file != "", c.Flags().Changed("words")
	switch {
	case words && (some || l.all):
		return usage(errors.New("--words asks about words: leave out the URLs, --urls and --all, or --words"))
	case words && (l.Exact || l.Apart || l.Elsewhere || c.Flags().Changed("by")):
		return usage(errors.New("--words always compares with all documents: leave out --exact, --apart, --elsewhere and --by"))
	case words && strings.TrimSpace(l.Words) == "":
		return usage(errors.New("--words: give some words"))
	case words:
		return nil
	case l.all && (l.Exact || l.By != topics.ByBoth):
		return usage(errors.New("--exact and --by compare some URLs only: leave out --all, or them"))
	}
	return l.batch.check(c, &l.output, urls, ", --words WORDS, or --all for every document")
}

func (l *relatedList) write(ctx context.Context, r *runs.Run, urls []string) error {
	if l.Words != "" {
		return l.writeWords(ctx, r)
	}
	put, end := answers(l.output, l.all || l.file != "" || len(urls) > 1, func(w io.Writer, a *ask.RelatedAnswer) { l.table(w, r, a) })
	if l.all {
		return errors.Join(ask.EachRelated(ctx, r, l.Related, put), end())
	}
	err := askEach(ctx, &l.batch, r, urls, func(url []string) (*ask.RelatedAnswer, error) {
		q := l.Related
		q.URL = url[0]
		return q.Ask(ctx, r)
	}, put)
	return errors.Join(err, end(), l.tell(r))
}

// table lists the documents related to one.
func (l *relatedList) table(w io.Writer, r *runs.Run, a *ask.RelatedAnswer) {
	fold(w, about(r, a.URL), 0)
	if a.None != "" {
		fold(w, a.None, 0)
		return
	}
	if a.Note != "" {
		fold(w, a.Note, 0)
	}
	rows := make([]pageRow, len(a.Items))
	for i, n := range a.Items {
		rows[i] = pageRow{fmt.Sprintf("%5.0f", l.score(n)), n.Name, reasons(n), n.URL}
		if more := len(n.Mirrors); more > 0 {
			rows[i].title = fmt.Sprintf("(+%d like it) %s", more, n.Name)
		}
	}
	pageList(w, pageRow{"score", "related", "because of", "url"}, rows)
}

// score returns the figure that orders related documents, from 0 to 100.
func (l *relatedList) score(n topics.Neighbour) float64 {
	switch {
	case n.Relatedness == 0: // for all documents, similarity decides
		return 100 * float64(n.Similarity)
	case l.By == topics.ByBoth:
		return 100 * float64(n.Relatedness) / topics.MostRelatedness
	}
	return 100 * float64(n.Relatedness) / topics.MostRelatednessBy
}

// reasons says why a document is related: pages that list both, the words around links, their own words.
func reasons(n topics.Neighbour) string {
	const some = 0.2
	var all []string
	if n.Together > 0 {
		all = append(all, count(n.Together, "list"))
	}
	if n.ByLinks > 0 && n.FromLinks >= some {
		all = append(all, "links")
	}
	if n.ByContent > 0 && n.FromLinks <= 1-some {
		all = append(all, "own words")
	}
	return strings.Join(all, ", ")
}

// about describes a document, of a canonical URL, in a sentence or two: title, links, topic.
func about(r *runs.Run, url string) string {
	id, _ := r.Docs.Find(url)
	d, name, captures := r.Document(id), whole(url), runs.CapturesAt(r, url)
	if d.Title != "" {
		name = "“" + whole(d.Title) + "” " + name
	}
	parts := []string{name}
	switch {
	case len(captures) > 0:
		parts = append(parts, "captured "+count(len(captures), "time"))
	case !d.Crawled:
		parts = append(parts, "not crawled")
	}
	parts = append(parts, linksTo(int(d.InLinks), int(d.InHosts)))
	if c := topics.MembershipOf(r, id); c.Label != "" {
		parts = append(parts, fmt.Sprintf("cluster “%s” (%s)", c.Label, c.ID))
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
func count[N uint32 | int | int64](n N, what string) string { return runs.Plural(int(n), what) }

// writeWords lists the documents that match the words.
func (l *relatedList) writeWords(ctx context.Context, r *runs.Run) error {
	found, err := ask.Search{Words: l.Words, Window: l.Window}.Ask(ctx, r)
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
		return fmt.Errorf("%s: %w", harmless.Line(l.Words), topics.ErrNoWords)
	}
	return show(l.output, found, func(w io.Writer, a *ask.SearchAnswer) {
		asked := a.Known
		if len(asked) == 0 {
			asked = strings.Fields(a.Query)
		}
		rows := make([]pageRow, len(a.Items))
		for i, m := range a.Items {
			rows[i] = pageRow{fmt.Sprintf("%5.0f", 100*m.Score), m.Name, strings.Join(m.Matched, " "), m.URL}
			if m.Called != "" {
				rows[i].note = "its name: " + m.Called
			}
		}
		fmt.Fprintf(w, "%s called “%s”, or about it\n", count(len(a.Items), "document"), whole(strings.Join(asked, " ")))
		pageList(w, pageRow{"score", "document", "found by", "url"}, rows)
	})
}
