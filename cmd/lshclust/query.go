package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/spf13/cobra"
)

func newQuery() *cobra.Command {
	f, by := &asking{WhoOptions: query.DefaultWho}, ""
	c := &cobra.Command{
		Use:   "query RUN FILE|URL|-",
		Short: "Which pages have a text similar to any document",
		Long: `Query lists the pages of a run that resemble a document, contain it, are contained in it, or overlap it. The document need
not be in the run: it is a file of HTML or text, standard input, or a URL that the run has read, whose own page is not
listed. Query makes the shingles of the document as the run did, finds the pages that share one, and compares them exactly.

The index of a run of up to 33.5 million shingles (about 60,000 pages of 500 words) holds every shingle, so that query misses
no page. The index of a larger run holds a sample of the shingles of long pages; query then states the probability with which
it finds a page that has all, half or a fifth of the document (see index_modulus in lshclust config).

With --by host, query lists everyone who has a version of the text or a paragraph of it, host by host, with the date of the
crawl, the share of the text that a page has, the share of the page that is this text, and the passages that they share.
Identical copies on a host are counted and not listed; the page that was fetched first is listed for them. A run keeps no
texts, so the inputs of the run are read again to show passages of one of its pages, unless --passages is 0. In place of a
run, query --by host takes a file of sketches, which export wrote.

Figures are exact, from the shingles of the run; boilerplate of a host is left out. In a run that keeps sketches they are
estimates, with the standard error of the resemblance, and passages show only the shingles that the sketches hold.`,
		Example: `  lshclust query RUN draft.html
  lshclust query RUN https://example.org/page.html --min 0.1
  pdftotext paper.pdf - | lshclust query RUN -
  lshclust query RUN draft.html --by host --limit 1000 --format csv > contacts.csv`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c, by); err != nil {
				return err
			}
			open := openRun
			if f.ByHost {
				open = openEither
			}
			r, err := open(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			a, err := f.ask(c.Context(), r, args[1])
			if err != nil {
				return err
			}
			if a.Certainty.Shingles == 0 {
				return &exit{code: exitCondition, err: fmt.Errorf("%s has no words, so that nothing can be found", a.Query)}
			}
			if a.Unread != "" {
				say("note: passages cannot be shown: %s", whole(a.Unread))
			}
			if f.format != formatTable {
				say("note: %s", a.Certainty.Words)
			}
			put, end := answers(printed, f.output, false, f.table)
			return errors.Join(put(a), end())
		},
	}
	flags := c.Flags()
	flags.StringVar(&by, "by", "page", "list pages, or hosts with their pages: `page or host`")
	flags.Float64Var(&f.Min, "min", f.Min, "list pages with a resemblance or a containment, either way, of at least `R`")
	flags.IntVar(&f.Limit, "limit", f.Limit, "`N` pages, or hosts, at most")
	flags.IntVar(&f.Words, "words", f.Words, "by host, list also pages that have at least `N` words of the text in a row")
	flags.IntVar(&f.Pages, "pages", f.Pages, "by host, `N` pages of a host at most")
	flags.IntVar(&f.Passages, "passages", f.Passages, "by host, show `N` passages of a page at most, the longest first")
	inRange(flags, "min", 0, 1)
	counting(flags, 1, "limit", "pages")
	counting(flags, 0, "words", "passages")
	f.bind(flags, "")
	flags.SortFlags = false
	return c
}

// asking is the flags of query.
type asking struct {
	output
	query.WhoOptions
}

func (f *asking) check(c *cobra.Command, by string) error {
	f.ByHost = by == "host"
	switch {
	case !f.ByHost && by != "page":
		return usage(fmt.Errorf("--by %s: must be page or host", by))
	case !f.ByHost && (c.Flags().Changed("words") || c.Flags().Changed("pages") || c.Flags().Changed("passages")):
		return usage(errors.New("--words, --pages and --passages go with --by host"))
	case !f.ByHost:
		f.Passages = 0
	}
	return f.output.check()
}

// ask asks about a file, standard input, or a page of the run.
func (f *asking) ask(ctx context.Context, r *query.Run, arg string) (*answer.QueryAnswer, error) {
	if isFile(arg) {
		page, err := readDocument(ctx, arg)
		if err != nil {
			return nil, err
		}
		text, err := r.VisibleText(page)
		if err != nil {
			return nil, err
		}
		return answer.QueryText(r, arg, text, f.WhoOptions)
	}
	b, found := &batch{each: 1}, (*answer.QueryAnswer)(nil)
	err := ask(b, r, []string{arg}, func(urls []string) (*answer.QueryAnswer, error) {
		return answer.QueryPage(ctx, r, urls[0], f.WhoOptions)
	}, func(a *answer.QueryAnswer) error { found = a; return nil })
	if m := b.missing; len(m) > 0 && !strings.Contains(arg, "://") && asCaptures(m[0].err) == nil {
		m[0].err = fmt.Errorf("there is no file %s, and %s", arg, strings.TrimPrefix(m[0].err.Error(), arg+": "))
	}
	return found, errors.Join(err, b.tell(r))
}

// isFile reports whether an argument names standard input or a file, and is not a URL.
func isFile(arg string) bool {
	if arg == "-" {
		return true
	}
	_, err := os.Stat(arg)
	return !errors.Is(err, fs.ErrNotExist)
}

// readDocument reads a document of HTML or text from a file or from standard input.
func readDocument(ctx context.Context, arg string) (*crawl.Page, error) {
	if arg == "-" {
		sayReading()
	}
	page, err := crawl.ReadFile(ctx, arg)
	if err != nil {
		return nil, err
	}
	if what := notADocument(&page); what != "" {
		return nil, usage(fmt.Errorf("%s is %s; query takes one document of HTML or text, lshclust cluster reads crawls, and lshclust doctor says what a file holds", arg, what))
	}
	return &page, nil
}

// notADocument describes a file that is neither text nor HTML. It returns "" for text and HTML.
func notADocument(p *crawl.Page) string {
	start := p.Text[:min(len(p.Text), 4096)]
	first, _, _ := bytes.Cut(bytes.TrimSpace(start), []byte("\n"))
	odd := bytes.Count(start, []byte("\uFFFD")) + bytes.Count(start, []byte{0})
	switch {
	case bytes.IndexByte(start, 0) >= 0 || 20*odd > len(start):
		return "binary, perhaps compressed"
	case bytes.HasPrefix(first, []byte("{")) && bytes.Contains(first, []byte(`"url"`)):
		return "JSON Lines"
	case bytes.HasPrefix(first, []byte("WARC/")):
		return "a WARC archive"
	}
	return ""
}
