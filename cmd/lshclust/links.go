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

A page is named by the text of a link to it elsewhere that does not begin with a word such as in, or by its title; not by
the number of a version. Below an orphan stand pages that name it. A page that redirects, or that asks search engines not to
index it, is no orphan. The score of a missing link is the estimated probability that a page with these words links to the
other, fitted to half of three sites from which links were taken away, and tested on the other half.

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
				return errors.Join(writeLinks(o, string(options.Kind), a, failOn), failing(failOn, func(kind string) (n int) {
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
	o.bindColumns(f)
	o.bindCells(f)
	oneOf(f, &o.format, "format", formatTable, append(slices.Clone(everyFormat), formatSARIF), "`FORMAT` of the output; csv and tsv with --kind have columns of their own; sarif is for code scanning")
	return c
}

// writeLinks writes findings. In csv and tsv those of one kind have the columns of that kind.
func writeLinks(o *output, kind string, a *ask.LinksAnswer, failOn []string) error {
	switch {
	case o.format == formatSARIF:
		why, faults := map[string]string{}, []fault{}
		for _, p := range a.Kinds {
			why[p.Kind] = p.Why
		}
		for _, f := range a.Items {
			said := append([]string{f.Kind + ": " + f.Name, f.Before, f.Text, f.After, f.Why}, f.To...)
			faults = append(faults, fault{f.Kind, strings.Join(said, " "), f.URL, 1})
		}
		return writeJSON(sarif("links", why, faults, failOn))
	case kind == "" || o.format != formatCSV && o.format != formatTSV:
		return show(*o, a, linksTable)
	}
	fields, names := site.LinkColumns(kind)
	out := ask.NewRows(printed, o.encoding(true), names...)
	for _, f := range a.Items {
		of := map[string]any{
			"url": f.URL, "name": f.Name, "to": f.To, "text": f.Text, "number": f.Number, "score": f.Score, "before": f.Before, "after": f.After, "why": f.Why,
		}
		values := make([]any, len(fields))
		for i, field := range fields {
			values[i] = of[field]
		}
		if err := out.Row(values...); err != nil {
			return err
		}
	}
	return out.Close()
}

func linksTable(w io.Writer, a *ask.LinksAnswer) {
	var kinds []ask.LinkCount
	worst := "nothing"
	for _, p := range a.Kinds {
		kinds = append(kinds, ask.LinkCount{Kind: p.Kind, Number: p.Number})
		if p.Number > 0 && worst == "nothing" {
			worst = p.Kind
		}
	}
	fold(w, fmt.Sprintf("%s and %s between them: %s; the worst: %s.%s", count(a.Pages, "page"), count(a.Links, "link"), count(a.Total, "finding"), worst, a.Said()), 0)
	for _, p := range a.Kinds {
		if p.Number > 0 {
			stdout().fold(w, fmt.Sprintf("%5d %s, %.0f %% of the pages: %s", p.Number, p.Kind, 100*min(1, p.Share), p.Why), 2, 8)
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
		fmt.Fprintln(w)
		fold(w, "none: "+strings.Join(none, ", "), 0)
	}
}

// linkLines prints a finding: a figure, its page, the other pages, and the words.
func linkLines(w io.Writer, f *site.LinkFinding) {
	figure, arrow, lines := "", "→ ", []string{f.URL}
	switch {
	case f.Score > 0:
		figure = sure(f.Score)
	case f.Number > 1:
		figure = fmt.Sprintf("%5d", f.Number)
	}
	if f.Kind == "one-link" || f.Kind == "gone" || f.Kind == "orphan" {
		arrow = "← "
	}
	for _, to := range f.To {
		lines = append(lines, arrow+to)
	}
	switch words := "“" + f.Text + "”"; {
	case f.Before+f.After != "":
		lines = append(lines, sentence(runs.Quote{Before: f.Before, Anchor: f.Text, After: f.After}, width()-12))
	case f.Text == "":
		lines = append(lines, f.Why)
	case f.Why != "":
		lines = append(lines, words+": "+f.Why)
	default:
		lines = append(lines, words)
	}
	pageFinding(w, figure, f.Name, lines...)
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
