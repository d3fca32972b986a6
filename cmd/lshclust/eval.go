package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newEval() *cobra.Command {
	c := &cobra.Command{
		Use:   "eval COMMAND",
		Short: "Measure how good the results of a run are",
		Long: `Eval measures a run against what people say, or against comparing everything with everything. Each command answers one question:

With URLs that have categories (of a directory, contents, breadcrumbs, folders):
  directory  are related pages and clusters better than chance, tf-idf and other methods?
  settings   which settings of bags are best?
  views      do links, contents or equal texts best tell what belongs together? It takes a second run, made with --bags
             content.
  labels     do labels name the clusters?
  classify   how often is classify right?
  windows    writes the texts around links, for other programs; then directory tells whether such a program, like sentence
             embeddings, is better than the run.

With an hour of a person:
  sample     lists neighbours on a page where the person marks them;
  marks      how many neighbours are good?

With pairs (copies, parts, moved pages) or a label for every page:
  pairs      does the run find the pairs? do clusters of texts agree with the labels?
  moved      are the verdicts of moved right? It takes the runs of two crawls.

With a run alone:
  recall     how many similar pairs did the index miss?
  sketches   what do sketches of pages cost, instead of all their shingles?

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
