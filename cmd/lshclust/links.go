package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/spf13/cobra"
)

func newLinks() *cobra.Command {
	o, options := &output{}, ask.Defaults(answer.Links{})
	c := &cobra.Command{
		Use:   "links RUN",
		Short: "What to mend in the links of a site: missing ones, orphans, links to pages that are gone",
		Long: `Links reads the inputs of a run again and looks at the links between pages of the same host:

  missing      the text of a page names another page, and no link leads from either to the other
  orphan       no page links to the page
  one-link     one page links to it
  unreachable  pages link to it, but no way leads there from the start page
  deep         the way from the start page takes four clicks or more
  gone         a link to a page that is not there
  redirect     a link to a URL that redirects
  same-text    links with the same text lead to two to eight pages
  many-texts   links to a page as a whole have four texts or more

A page is named by the text of a link to it elsewhere, or by its title. The score of a missing link is the estimated
probability that a page with these words links to the other. It was fitted to four manuals from which links were taken
away, and tested on others (docs/quality.md).

A link that a fifth of the pages of its host have with the same text belongs to a menu. Menus count for orphans and clicks,
but not as links between two texts. The start page is the page of the host with the shortest path.`,
		Example: `  lshclust links RUN
  lshclust links RUN --kind missing --limit 50
  lshclust links RUN --host docs.example.org --format csv > links.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.listAll(c.Flags(), &options.Limit)
			return withRun(args[0], func(r *query.Run) error {
				a, err := options.Ask(c.Context(), r)
				if err != nil {
					return err
				}
				put, end := answers(printed, *o, false, linksTable)
				return errors.Join(put(a), end())
			})
		},
	}
	f := c.Flags()
	bindQuestion(f, &options)
	f.Lookup("limit").Usage += allRows
	o.bind(f, "")
	return c
}

func linksTable(w io.Writer, a *answer.LinksAnswer) {
	fmt.Fprintf(w, "%s, %s between them\n", count(a.Pages, "page"), count(a.Links, "link"))
	byKind(w, a.Kinds, a.Items, func(f *query.LinkFinding) string { return f.Kind }, linkLines)
}

// byKind prints findings below the heads of their kinds, and the kinds without findings in the last line.
func byKind[F any](w io.Writer, kinds []answer.LinkCount, found []F, kind func(*F) string, lines func(io.Writer, *F)) {
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
func linkLines(w io.Writer, f *query.LinkFinding) {
	figure := ""
	switch {
	case f.Kind == "missing":
		figure = fmt.Sprintf("%4.2f  ", f.Score)
	case f.Number > 1:
		figure = fmt.Sprintf("%4d  ", f.Number)
	}
	fmt.Fprintf(w, "  %s%s\n", figure, detail(f.URL, 2+len(figure)))
	arrow := "→"
	if f.Kind == "one-link" {
		arrow = "←"
	}
	for _, to := range f.To {
		fmt.Fprintf(w, "      %s %s\n", arrow, detail(to, 8))
	}
	switch {
	case f.Kind == "missing":
		fmt.Fprintf(w, "      %s\n", sentence(query.Quote{Before: f.Before, Anchor: f.Text, After: f.After}, width()-6))
	case f.Why != "":
		fmt.Fprintf(w, "      “%s”: %s\n", whole(f.Text), f.Why)
	case f.Text != "":
		fmt.Fprintf(w, "      %s\n", detail("“"+f.Text+"”", 6))
	}
}
