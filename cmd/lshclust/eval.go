package main

import (
	"github.com/spf13/cobra"
)

func newEval() *cobra.Command {
	c := &cobra.Command{
		Use:   "eval COMMAND",
		Short: "Measure what the results of a run are worth",
		Long: `Eval measures a run against what people say, or against comparing everything with everything. Which command to use:

  I have                                              I want to know                           command
  URLs with categories (a directory, a table of       are related pages and clusters any       eval directory
    contents, breadcrumbs, folders of the site)         good, better than chance or tf-idf?
  the same                                            which settings of cluster are best       eval settings
  the same, and a second run with --bags content      do links, contents or equal texts        eval views
                                                        tell best what belongs together?
  the same, and an hour to look at pages              do I find the neighbours good?           eval sample, eval marks
  pairs of copies, versions, parts, moved pages       does the run find them?                  eval pairs
  a label for every page, such as its licence         are the clusters of texts pure?          eval pairs --kind labels
  only a run                                          how many similar pairs did the index     eval recall
                                                        miss?`,
		Example: `  lshclust eval directory RUN --gold gold.tsv                # lines of URL, tab, category/path
  lshclust eval directory RUN --gold tree                    # the folders of the site itself as categories
  lshclust eval settings --gold gold.tsv pages.jsonl.gz
  lshclust eval views RUN --content RUN2 --gold gold.tsv
  lshclust eval sample RUN --gold gold.tsv --html s.html     # a page on which to mark neighbours good or bad
  lshclust eval marks marks.tsv                              # what the marks say
  lshclust eval pairs RUN --gold pairs.tsv --kind containment
  lshclust eval recall RUN`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		newEvalDirectory(), newEvalSample(), newEvalMarks(), newEvalRecall(), newEvalViews(), newEvalPairs(), newEvalSettings(),
	)
	return c
}
