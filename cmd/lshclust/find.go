package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// finding is the flags of find.
type finding struct {
	output
	top   int
	force bool
}

func newFind() *cobra.Command {
	f := &finding{}
	c := &cobra.Command{
		Use:   "find RUN... URL",
		Short: "Where a dead URL is now, or what is nearest to it",
		Long: `Find looks for a lost page in the last of several runs, which are given in the order of time. It tells, in this order:

  there     the last run has a page at the URL, again or still
  redirect  the end of its redirects, as the crawls know them
  verdict   the page that an earlier run has at the URL moved, was merged into or split into others, or was succeeded by
            another; followed from run to run (see lshclust moved)
  text      pages that share text with that page
  links     pages that the web talks about in the same words; also for a URL that was never crawled, if pages link to it
  url       pages with a similar URL

A page is listed once, as it was found first. The score is the probability of a verdict, the share of the text that a page
has, or the similarity of the words around the links.`,
		Example: `  lshclust find OLD NEW https://example.org/lost/page
  lshclust find 2022.run 2023.run 2024.run example.org/lost/page
  lshclust find RUN https://example.org/never/crawled --format jsonl`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			url := args[len(args)-1]
			return withLostAndFound(c.Context(), args[:len(args)-1], f.force, func(l *query.LostAndFound) error {
				found, err := l.Find(c.Context(), url, f.top)
				if err != nil {
					return err
				}
				return f.write(printed, args, found)
			})
		},
	}
	flags := c.Flags()
	flags.IntVar(&f.top, "top", 3, "`N` pages of each kind at most")
	counting(flags, 1, "top")
	f.bind(flags, "a page that was found")
	flags.BoolVar(&f.force, "force", false, "take the runs in this order, whatever the times of their pages")
	flags.SortFlags = false
	return c
}

// withLostAndFound opens runs, or files of sketches in their place, in the order of time and calls ask with them.
func withLostAndFound(ctx context.Context, paths []string, force bool, ask func(*query.LostAndFound) error) error {
	runs, done, err := openAll(paths...)
	defer done()
	if err != nil {
		return err
	}
	var l *query.LostAndFound
	all, err := comparables(ctx, runs)
	if err == nil {
		l, err = query.NewLostAndFound(all...)
	}
	if err != nil {
		return alike(err, runs)
	}
	if err := l.CheckOrder(); err != nil && !force {
		return fmt.Errorf("%w; give the run of the oldest crawl first, or --force to take them in this order", err)
	}
	return ask(l)
}

// write writes the answer in the format that the flags ask for.
func (f *finding) write(w io.Writer, runs []string, found *query.LostURL) error {
	if f.format == formatTable {
		f.table(w, runs, found)
	} else {
		rows := f.rows(w, "query", "url", "title", "how", "score", "why")
		for _, p := range found.Pages {
			if err := rows.row(found.URL, p.URL, orNull(p.Title), string(p.How), p.Score, p.Why); err != nil {
				return err
			}
		}
		if err := rows.close(); err != nil {
			return err
		}
	}
	if len(found.Pages) == 0 {
		return &exit{code: exitCondition, err: fmt.Errorf("%s: no run knows the URL, and the last one has no page with a similar one", whole(found.URL))}
	}
	return nil
}

func (f *finding) table(w io.Writer, runs []string, found *query.LostURL) {
	out, flush := narrow(w)
	defer flush()
	fmt.Fprintln(out, whole(found.URL))
	for i, s := range found.Seen {
		fold(w, fmt.Sprintf("%s: %s", runs[i], seen(s)), 2)
	}
	if found.Judged {
		fmt.Fprintf(out, "  verdict: %s\n", found.Verdict)
	}
	const before = 20 // columns before URLs
	urls := make([]string, len(found.Pages))
	for i, p := range found.Pages {
		urls[i] = p.URL
	}
	urls = stdout().lastColumn(urls, before)
	for i, p := range found.Pages {
		score := ""
		if p.Score > 0 {
			score = fmt.Sprintf("%.2f", p.Score)
		}
		fmt.Fprintf(out, "\n%s\n", joined(fmt.Sprintf("  %-12s  %4s", p.How, score), urls[i]))
		if p.Title != "" {
			fmt.Fprintf(out, "      %s\n", detail(p.Title, 6))
		}
		fold(w, strings.Join(p.Why, "; "), 6)
	}
}

// seen puts into words what a run knows of a URL.
func seen(s query.Sighting) string {
	var out []string
	switch s.Known {
	case query.KnownPage:
		out = append(out, "has its page")
		if !s.Time.IsZero() {
			out = append(out, "of "+day(s.Time))
		}
		if s.Title != "" {
			out = append(out, "“"+s.Title+"”")
		}
	case query.KnownLinks:
		out = append(out, "knows it only from links")
	default:
		out = append(out, "does not know it")
	}
	if s.Redirect != "" {
		out = append(out, "and redirects it to", s.Redirect)
	}
	return strings.Join(out, " ")
}
