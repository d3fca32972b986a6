package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
)

func newQuery() *cobra.Command {
	f := &asking{QueryText: ask.Defaults(ask.QueryText{Passages: 2})}
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
			if err := f.check(c); err != nil {
				return err
			}
			open := openRun
			if f.ByHost() {
				open = openEither
			}
			r, err := open(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			a, err := f.answer(c.Context(), r, args[1])
			if err != nil {
				return err
			}
			if a.Certainty.Shingles == 0 {
				return &exit{code: exitCondition, err: fmt.Errorf("%s has no words, so that nothing can be found", a.URL)}
			}
			if a.Unread != "" {
				say("note: passages cannot be shown: %s", whole(a.Unread))
			}
			if f.format != formatTable {
				say("note: %s", a.Certainty.Words)
			}
			return show(f.output, a, f.table)
		},
	}
	flags := c.Flags()
	bindQuestion(flags, &f.QueryText)
	f.bind(flags, "")
	return c
}

// asking holds the flags of query.
type asking struct {
	output
	ask.QueryText
}

func (f *asking) check(c *cobra.Command) error {
	switch {
	case !f.ByHost() && (c.Flags().Changed("words") || c.Flags().Changed("pages") || c.Flags().Changed("passages")):
		return usage(errors.New("--words, --pages and --passages go with --by host"))
	case !f.ByHost():
		f.Passages = 0
	}
	return nil
}

// answer queries the run with a file, standard input, or a page of the run.
func (f *asking) answer(ctx context.Context, r *runs.Run, arg string) (*ask.QueryAnswer, error) {
	if isFile(arg) {
		page, err := readDocument(ctx, arg)
		if err != nil {
			return nil, err
		}
		f.Name, f.Document = arg, page
		return f.Ask(ctx, r)
	}
	b, found := &batch{each: 1, words: "echo %s | " + invocation() + " query RUN -"}, (*ask.QueryAnswer)(nil)
	err := askEach(ctx, b, r, []string{arg}, func(urls []string) (*ask.QueryAnswer, error) {
		return ask.Query{URL: urls[0], WhoOptions: f.WhoOptions, Passages: f.Passages}.Ask(ctx, r)
	}, func(a *ask.QueryAnswer) error { found = a; return nil })
	if m := b.missing; len(m) > 0 && !strings.Contains(arg, "://") && asCaptures(m[0].err) == nil {
		if strings.Contains(arg, ".") && !strings.Contains(arg, " ") {
			b.words = "" // it looks like the name of a file
		}
		m[0].err = fmt.Errorf("there is no file %s, and %s", arg, strings.TrimPrefix(m[0].err.Error(), arg+": "))
	}
	return found, errors.Join(err, b.tell(r))
}

// isFile reports whether an argument names standard input or a file rather than a URL.
func isFile(arg string) bool {
	if arg == "-" {
		return true
	}
	_, err := os.Stat(arg)
	return !errors.Is(err, fs.ErrNotExist)
}

// readDocument reads HTML or text from a file or from standard input.
func readDocument(ctx context.Context, arg string) (*crawl.Page, error) {
	if arg == "-" {
		sayReading()
	}
	page, err := crawl.ReadFile(ctx, arg)
	what := notADocument(&page)
	if binary := (*crawl.Skip)(nil); errors.As(err, &binary) {
		what = binary.Detail()
	} else if err != nil {
		return nil, err
	}
	if what != "" {
		return nil, usage(fmt.Errorf("%s is %s; query takes one document of HTML or text, lshclust cluster reads crawls, and lshclust doctor says what a file holds", arg, what))
	}
	return &page, nil
}

// notADocument describes a file of several documents, and returns "" for one document.
func notADocument(p *crawl.Page) string {
	first, _, _ := bytes.Cut(bytes.TrimSpace(p.Text[:min(len(p.Text), 4096)]), []byte("\n"))
	switch {
	case bytes.HasPrefix(first, []byte("{")) && bytes.Contains(first, []byte(`"url"`)):
		return "JSON Lines"
	case bytes.HasPrefix(first, []byte("WARC/")):
		return "a WARC archive"
	}
	return ""
}

// table lists pages or, by host, the pages of each host.
func (f *asking) table(w io.Writer, a *ask.QueryAnswer) {
	name := a.URL
	if name == "-" {
		name = "standard input"
	}
	defer fold(w, count(a.Certainty.Shingles, "distinct shingle")+"; "+a.Certainty.Words, 0)
	if len(a.Items) == 0 {
		fold(w, "No page has the text of "+whole(name)+" or a part of it.", 0)
		return
	}
	on := ""
	if f.ByHost() {
		on = " on " + count(a.Hosts, "host")
	}
	if a.Copies > 0 {
		on += fmt.Sprintf(" (identical copies on the same host: %d)", a.Copies)
	}
	fold(w, fmt.Sprintf("%s%s with the text of %s or a part of it", count(a.Total, "page"), on, whole(name)), 0)
	if !f.ByHost() {
		fmt.Fprintln(w)
		queryRows(w, a.Items)
		fmt.Fprintln(w)
		return
	}
	hosts := 0
	for of := range sets.Runs(a.Items, func(a, b texts.Holder) bool { return a.Host == b.Host }) {
		fmt.Fprintf(w, "\n%s\n", whole(of[0].Host))
		queryRows(w, of)
		if more := of[0].HostPages - len(of); more > 0 {
			fmt.Fprintf(w, "  and %s of this host; --pages N shows more\n", count(more, "page"))
		}
		hosts++
	}
	if more := a.Hosts - hosts; more > 0 {
		fmt.Fprintf(w, "\nand %s; --limit N shows more\n", count(more, "host"))
	}
}

// queryRows writes pages as a table.
func queryRows(w io.Writer, items []texts.Holder) {
	rows := make([]pageRow, len(items))
	for i, x := range items {
		has, notes := "-", []string{"alike by " + alikeBy(x.Resemblance)}
		if x.ThisInOther.Known() {
			has = portion(float64(x.ThisInOther))
		}
		switch {
		case x.Resemblance == 1:
			notes[0] = relationWords(x.Relation, x.ThisInOther, x.OtherInThis)
		case x.StdErr > 0:
			notes[0] = "alike by " + alikeness(x.Relation, x.Resemblance, x.StdErr)
		case x.Relation == "contained" && x.OtherInThis > x.ThisInOther:
			notes[0] = portion(float64(x.OtherInThis)) + " of the page"
		}
		if !x.From.IsZero() {
			notes = append(notes, x.From.Format(time.DateOnly))
		}
		if x.Copies > 0 {
			notes = append(notes, "identical on this host: "+fmt.Sprint(x.Copies))
		}
		rows[i] = pageRow{fmt.Sprintf("%7s", has), withLabel(x.Name, x.Label), strings.Join(notes, ", "), x.URL}
	}
	lines := pageLines(pageRow{"    has", "page", "how", "url"}, rows)
	fmt.Fprintln(w, lines[0])
	for i, x := range items {
		fmt.Fprintln(w, lines[i+1])
		for _, p := range x.Passages {
			stdout().fold(w, fmt.Sprintf("“%s” (%s)", shortened(p.Text), count(p.Words, "word")), 6, 7)
		}
	}
}

// portion formats a share. Only the whole is shown as 100 %.
func portion(share float64) string {
	if share < 1 {
		share = min(share, 0.9994)
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// shortened returns a passage as one line, without its middle if it is long.
func shortened(text string) string {
	const most, ends = 40, 18 // in words
	words := strings.Fields(text)
	if len(words) > most {
		words = append(append(words[:ends:ends], "…"), words[len(words)-ends:]...)
	}
	return strings.Join(words, " ")
}
