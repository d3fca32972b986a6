package main

import (
	"github.com/spf13/cobra"
)

func newEval() *cobra.Command {
	c := &cobra.Command{
		Use:   "eval COMMAND",
		Short: "What the results of a run are worth",
		Long:  `Eval measures a run: against a gold directory, against brute force, by the eye.`,
		Example: `  lshclust eval directory RUN --gold gold.tsv                # related pages and clusters against categories
  lshclust eval directory RUN --gold tree                    # against the folders of the site itself
  lshclust eval sample RUN --gold gold.tsv --html s.html     # drawn URLs and their neighbours, to be marked by a person
  lshclust eval marks marks.tsv                              # what the marks say
  lshclust eval recall RUN                                   # what the index found, against brute force
  lshclust eval views RUN --content RUN2 --gold gold.tsv     # anchors, content, same text
  lshclust eval pairs RUN --gold pairs.tsv --kind containment # near-duplicates, containment, moved pages
  lshclust eval labels RUN --gold gold.tsv                   # do the labels of clusters fit the names of categories
  lshclust eval settings --gold gold.tsv pages.jsonl.gz      # what each setting of the bags is worth`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		newEvalDirectory(), newEvalSample(), newEvalMarks(), newEvalRecall(), newEvalViews(), newEvalPairs(), newEvalSettings(), newEvalLabels(),
	)
	return c
}
