package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/runs"
)

func newTopics() *cobra.Command {
	o, question, documents := &output{}, ask.Defaults(ask.Overview{}), false
	c := &cobra.Command{
		Use:   "topics RUN",
		Short: "What a crawl is about: its largest topics and their parts",
		Long: `Topics shows the largest topics of a run, each with its share of the documents, the number of its sites and its largest
parts. The number of sites is that of sites of equal sizes that would be as diverse. A site that has half of the
documents names the topic. lshclust serve shows the same as a picture. With --documents, it lists every document of
these topics with its leaf, and the ids and labels of the topics from the top down to it.`,
		Example: `  lshclust topics RUN
  lshclust topics RUN --id 043b5d5a5be894aa.3
  lshclust topics RUN --label "text editor"
  lshclust topics RUN --contains vim.org                  # from the largest topic down to a page
  lshclust topics RUN --documents --format csv > documents.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if f := c.Flags(); f.Changed("id") && f.Changed("label") || f.Changed("contains") && (f.Changed("id") || f.Changed("label")) {
				return usage(errors.New("--id, --label and --contains do not go together"))
			}
			o.listAll(c.Flags(), &question.Limit)
			return withTopical(args[0], func(r *runs.Run) error {
				a, err := question.Ask(c.Context(), r)
				if err != nil {
					return err
				}
				if documents {
					return listDocuments(c.Context(), r, *o, a)
				}
				return show(*o, a, overviewTable)
			})
		},
	}
	f := c.Flags()
	bindQuestion(f, &question)
	f.Lookup("limit").Usage += allRows
	f.BoolVar(&documents, "documents", false, "list the documents of the topics")
	o.bind(f, "a topic, or a document with --documents")
	return c
}

// listDocuments lists the documents of topics, leaf by leaf.
func listDocuments(ctx context.Context, r *runs.Run, o output, a *ask.OverviewAnswer) error {
	put, end := answers(o, true, func(w io.Writer, c *ask.ClusterAnswer) {
		fmt.Fprintf(w, "%s\n", whole(c.Labels))
		for _, m := range c.Items {
			fmt.Fprintf(w, "  %s\n", detail(m.URL, 2))
		}
	})
	return errors.Join(a.EachLeaf(ctx, r, put), end())
}

// overviewTable prints topics with bars, each with its parts below it.
func overviewTable(w io.Writer, a *ask.OverviewAnswer) {
	fold(w, a.Lead, 0)
	fmt.Fprintf(w, "\n%9s %7s\n", "documents", "sites")
	for i := range a.Items {
		areaLines(w, &a.Items[i], a.Items[0].Documents, "")
		for j := range a.Items[i].Parts {
			areaLines(w, &a.Items[i].Parts[j], a.Items[0].Documents, "  ")
		}
	}
	if n := a.Total - len(a.Items); n > 0 {
		fmt.Fprintf(w, "%17s  and %d more\n", "", n)
	}
}

// areaLines prints a topic, with a bar whose length is its size beside that of the largest.
func areaLines(w io.Writer, a *ask.Area, largest int, indent string) {
	const widest = 12
	bar := strings.Repeat("█", max(1, widest*a.Documents/max(1, largest)))
	if indent != "" {
		bar = ""
	}
	words := a.Title
	if a.Also != "" {
		words += ", " + a.Also
	}
	if a.Above != "" {
		words += "  (in " + a.Above + ")"
	}
	before := fmt.Sprintf("%9d %7.0f  %s  %s", a.Documents, a.Sites, bar+strings.Repeat(" ", widest-len([]rune(bar))), indent)
	fmt.Fprintf(w, "%s%s\n", before, detail(words, len([]rune(before))))
}
