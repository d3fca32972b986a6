package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newEval() *cobra.Command {
	c := &cobra.Command{
		Use:   "eval COMMAND",
		Short: "Measure how good the results of a run are",
		Long: `Eval measures a run against what people say, or against comparing everything with everything. Which command to use:

  I have                              I want to know                     command
  URLs with categories: a directory,  are related pages and clusters     eval directory
   contents, breadcrumbs, folders      better than chance, tf-idf, …?
  the same                            which settings of bags are best?   eval settings
  the same, and a second run made     do links, contents or equal texts  eval views
   with --bags content                 best tell what belongs together?
  the same, and an hour of a person   how many neighbours are good?      eval sample, marks
  pairs: copies, parts, moved pages   does the run find them?            eval pairs
  moved pages, and runs of two crawls are the verdicts of moved right?   eval moved
  a label for every page              do clusters of texts agree?        eval pairs --kind labels
  URLs with categories                do labels name the clusters?       eval labels
  the same                            how often is classify right?       eval classify
  only a run                          how many similar pairs did the     eval recall
                                       index miss?
  only a run                          what do sketches of pages cost,     eval sketches
                                       instead of all their shingles?
  the same, and another program,      is it better than the run?         eval windows, directory
   such as sentence embeddings

A gold is what people say: a file of URLs with categories, of pairs, or of labels. If a gold cannot tell a good result from
a bad one, for example because it has a single category, the command says so and exits with 1.`,
		Example: `  lshclust eval directory RUN --gold gold.tsv                # lines of URL, tab, category/path
  lshclust eval directory RUN --gold tree                    # the folders of the site itself as categories
  lshclust eval settings --gold gold.tsv pages.jsonl.gz
  lshclust eval views RUN --content RUN2 --gold gold.tsv
  lshclust eval sample RUN --gold gold.tsv --html s.html     # a page on which to mark neighbours good or bad
  lshclust eval marks marks.tsv                              # what the marks say
  lshclust eval pairs RUN --gold pairs.tsv --kind containment
  lshclust eval labels RUN --gold gold.tsv                   # do the labels of clusters name the categories?
  lshclust eval classify RUN --gold gold.tsv                 # categories from examples, by cross-validation
  lshclust eval recall RUN`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return usage(&hint{unknownCommand(c, args[0]), c})
		},
	}
	c.AddCommand(
		newEvalDirectory(), newEvalSample(), newEvalMarks(), newEvalRecall(), newEvalViews(), newEvalPairs(), newEvalSettings(), newEvalLabels(), newEvalClassify(), newEvalSketches(), newEvalWindows(), newEvalMoved(),
	)
	return c
}

// evaluating limits the values of the flags that evaluations share: --bootstrap, and --depth if the command has it.
func evaluating(f *pflag.FlagSet) {
	if f.Lookup("depth") != nil {
		inRange(f, "depth", 1, 20)
	}
	inRange(f, "bootstrap", 0, 100_000)
}
