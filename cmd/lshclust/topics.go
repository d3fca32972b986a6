package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/runs"
)

func newTopics() *cobra.Command {
	o, question := &output{}, ask.Defaults(ask.Overview{})
	c := &cobra.Command{
		Use:   "topics RUN",
		Short: "What a crawl is about: its largest topics and their parts",
		Long: `Topics shows the largest topics of a run, each with its share of the documents, the number of its sites and its largest
parts. The number of sites is that of sites of equal sizes that would be as diverse. A site that has half of the
documents names the topic. lshclust serve shows the same as a picture; lshclust export RUN topical_tree writes all topics.`,
		Example: `  lshclust topics RUN
  lshclust topics RUN --id 043b5d5a5be894aa.3
  lshclust topics RUN --limit 1000 --format csv > topics.csv
  lshclust export RUN topical_tree > tree.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.listAll(c.Flags(), &question.Limit)
			return withTopical(args[0], func(r *runs.Run) error {
				a, err := question.Ask(c.Context(), r)
				if err != nil {
					return err
				}
				put, end := answers(printed, *o, false, overviewTable)
				return errors.Join(put(a), end())
			})
		},
	}
	f := c.Flags()
	bindQuestion(f, &question)
	f.Lookup("limit").Usage += allRows
	o.bind(f, "")
	return c
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
	before := fmt.Sprintf("%9d %7.0f  %s  %s", a.Documents, a.Sites, bar+strings.Repeat(" ", widest-len([]rune(bar))), indent)
	fmt.Fprintf(w, "%s%s\n", before, detail(words, len([]rune(before))))
}
