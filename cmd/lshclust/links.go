package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/site"
	"github.com/lshclust/lshclust/internal/runs"
)

func newLinks() *cobra.Command {
	o, options, failOn := &output{}, ask.Defaults(ask.Links{}), []string(nil)
	c := &cobra.Command{
		Use:   "links RUN",
		Short: "What to mend in the links of a site: missing ones, orphans, links to pages that are gone",
		Long: `Links reads the inputs of a run again and looks at the links between pages of the same host. The first table says what
there is, the worst first: the findings, the share of the pages that they are about, why they matter, and an example. Then
follow the findings of each kind:

  missing      the text of a page names another page, and no link leads from either to the other
  orphan       no page links to the page
  one-link     one page links to it
  unreachable  pages link to it, but no way leads there from the start page
  deep         the way from the start page takes four clicks or more
  gone         links to a page that is not there
  redirect     a link to a URL that redirects
  same-text    links with the same text lead to two to eight pages
  many-texts   links to a page as a whole have four texts or more
  competing    two pages of one name are nearest to each other; neither is a copy of the other or links to it
  off-topic    a page has next to no words in common with any other of its host

A page is named by the text of a link to it elsewhere, or by its title; not by the number of a version. Below an orphan stand
pages that name it. A page that redirects, or that asks search engines not to index it, is no orphan. The score of a missing link is the estimated
probability that a page with these words links to the other. It was fitted to four manuals from which links were taken
away, and tested on others (docs/quality.md).

A link that a fifth of the pages of its host have with the same text belongs to a menu. Menus count for orphans and clicks,
but not as links between two texts. The start page is the page of the host with the shortest path.`,
		Example: `  lshclust links RUN
  lshclust links RUN --kind missing --limit 50
  lshclust links RUN --fail-on orphan,gone
  lshclust links RUN --host docs.example.org --format csv > links.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, kind := range failOn {
				if !slices.Contains(site.LinkKinds, kind) {
					return usage(fmt.Errorf("--fail-on %q is no kind of finding", kind))
				}
			}
			o.listAll(c.Flags(), &options.Limit)
			return withRun(args[0], func(r *runs.Run) error {
				a, err := options.Ask(c.Context(), r)
				if err != nil {
					return err
				}
				put, end := answers(printed, *o, false, linksTable)
				return errors.Join(put(a), end(), failing(failOn, func(kind string) (n int) {
					for _, p := range a.Kinds {
						if p.Kind == kind {
							n = p.Number
						}
					}
					return n
				}))
			})
		},
	}
	f := c.Flags()
	bindQuestion(f, &options)
	f.Lookup("limit").Usage += allRows
	f.StringSliceVar(&failOn, "fail-on", nil, "exit with 1 if there is a finding of any of these `KINDS`")
	o.bind(f, "")
	return c
}

func linksTable(w io.Writer, a *ask.LinksAnswer) {
	fmt.Fprintf(w, "%s, %s between them\n", count(a.Pages, "page"), count(a.Links, "link"))
	var kinds []ask.LinkCount
	lead := "\n"
	for _, p := range a.Kinds {
		kinds = append(kinds, ask.LinkCount{Kind: p.Kind, Number: p.Number})
		if p.Number > 0 {
			fmt.Fprintf(w, lead+"%-11s %5d  %3.0f %% of pages  %s\n%25s%s\n", p.Kind, p.Number, 100*min(1, p.Share), p.Why, "", detail(p.Worst, 25))
			lead = ""
		}
	}
	byKind(w, kinds, a.Items, func(f *site.LinkFinding) string { return f.Kind }, linkLines)
}

// byKind prints findings below the heads of their kinds, and the kinds without findings in the last line.
func byKind[F any](w io.Writer, kinds []ask.LinkCount, found []F, kind func(*F) string, lines func(io.Writer, *F)) {
	var none []string
	for _, k := range kinds {
		if k.Number == 0 {
			none = append(none, k.Kind)
			continue
		}
		fmt.Fprintf(w, "\n%s: %d\n", k.Kind, k.Number)
		for ; len(found) > 0 && kind(&found[0]) == k.Kind; found = found[1:] {
			lines(w, &found[0])
		}
	}
	if len(none) > 0 {
		fmt.Fprintf(w, "\nnone: %s\n", strings.Join(none, ", "))
	}
}

// linkLines prints a finding: its page with a figure, the other pages, and the words.
func linkLines(w io.Writer, f *site.LinkFinding) {
	figure := ""
	switch {
	case f.Score > 0:
		figure = fmt.Sprintf("%4.2f  ", f.Score)
	case f.Number > 1:
		figure = fmt.Sprintf("%4d  ", f.Number)
	}
	fmt.Fprintf(w, "  %s%s\n", figure, detail(f.URL, 2+len(figure)))
	arrow := "→"
	if f.Kind == "one-link" || f.Kind == "gone" || f.Kind == "orphan" {
		arrow = "←"
	}
	for _, to := range f.To {
		fmt.Fprintf(w, "      %s %s\n", arrow, detail(to, 8))
	}
	switch {
	case f.Before+f.After != "":
		fmt.Fprintf(w, "      %s\n", sentence(runs.Quote{Before: f.Before, Anchor: f.Text, After: f.After}, width()-6))
	case f.Why != "" && f.Text == "":
		fmt.Fprintf(w, "      %s\n", whole(f.Why))
	case f.Why != "":
		fmt.Fprintf(w, "      “%s”: %s\n", whole(f.Text), f.Why)
	case f.Text != "":
		fmt.Fprintf(w, "      %s\n", detail("“"+f.Text+"”", 6))
	}
}

// failing returns an error with exit code 1 if there is something of the kinds of --fail-on.
func failing(kinds []string, number func(kind string) int) error {
	var said []string
	for _, kind := range kinds {
		if n := number(kind); n > 0 {
			said = append(said, fmt.Sprintf("%d %s", n, kind))
		}
	}
	if said == nil {
		return nil
	}
	return &exit{code: exitCondition, err: errors.New("found " + strings.Join(said, ", "))}
}
