package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/topic/classify"
)

func newClassify() *cobra.Command {
	f := &classifyFlags{Learn: ask.Defaults(ask.Learn{}), ClassifyOptions: ask.Defaults(ask.ClassifyOptions{})}
	c := &cobra.Command{
		Use:   "classify RUN --labels FILE [URL...]",
		Short: "Which category a page belongs to, by examples of each",
		Long: `Classify gives a document the category that the labelled documents nearest to it vote for. FILE has lines of URL, tab,
category/path (a URL may have several lines). URLs are made canonical by the rules of the run. Labels of URLs that the run does not hold are counted and ignored.

The nearest ` + fmt.Sprint(classify.K) + ` examples vote, each with the square of its similarity. The answer is the longest path whose confidence is at
least --min-confidence, so it may end above the deepest category, or be empty. The confidence of a level is the share of
similar answers that are right: classify learns it by classifying each example by the others. If
a page links to a document and to one of its voting neighbours, they share words of that page, and the answer is right
more often; so such documents have a scale of their own. A document does not vote for itself: its own labels are shown
next to the answer, which helps to find wrong labels.

If the run does not hold a URL, classify names it on standard error with the nearest URLs that the run holds, answers the
others, and exits with 1.`,
		Example: `  lshclust classify RUN --labels labels.tsv sqlite.org
  lshclust classify RUN --labels labels.tsv sqlite.org nginx.org --min-confidence 0.8 --format jsonl
  lshclust classify RUN --labels labels.tsv --urls urls.txt --format csv > classes.csv
  lshclust classify RUN --labels labels.tsv --all --min-confidence 0.9 > classes.tsv
  lshclust classify RUN --labels content.rdf.u8.gz --depth 2 sqlite.org`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c, args[1:]); err != nil {
				return err
			}
			return withTopical(args[0], func(r *runs.Run) error { return f.run(c.Context(), r, args[1:]) })
		},
	}
	f.bind(c)
	return c
}

// classifyFlags are the flags of classify.
type classifyFlags struct {
	output
	batch
	ask.Learn
	ask.ClassifyOptions
	labels string
}

func (f *classifyFlags) bind(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.labels, "labels", "", "`FILE` of examples: lines of URL, tab, category/path")
	bindQuestion(flags, &f.ClassifyOptions)
	bindQuestion(flags, &f.Learn)
	flags.BoolVar(&f.all, "all", false, "classify every document of the run")
	f.batch.bind(c, 1, "one URL a line")
	f.output.bind(flags, "a document")
}

func (f *classifyFlags) check(c *cobra.Command, urls []string) error {
	if f.labels == "" {
		return usage(errors.New("--labels is missing: give a file with lines of URL, tab, category/path"))
	}
	return f.batch.check(c, &f.output, urls, ", or --all for every document")
}

func (f *classifyFlags) run(ctx context.Context, r *runs.Run, urls []string) error {
	c, err := f.learn(ctx, r)
	if err != nil {
		return err
	}
	if f.all {
		put, end := answers(f.output, true, func(io.Writer, *ask.ClassifyAnswer) {})
		answered := 0
		err := ask.EachClassified(ctx, r, c, f.ClassifyOptions, func(a *ask.ClassifyAnswer) error { answered++; return put(a) })
		say("%s of %d with a category", count(answered, "document"), r.Len())
		return errors.Join(err, end())
	}
	return answerEach(ctx, &f.batch, f.output, r, urls, func(url []string) (*ask.ClassifyAnswer, error) {
		return ask.Classify{URL: url[0], ClassifyOptions: f.ClassifyOptions}.Ask(ctx, c)
	}, func(w io.Writer, a *ask.ClassifyAnswer) { f.table(w, r, a) })
}

// learn reads the labels and trains on the labelled documents that the run contains.
func (f *classifyFlags) learn(ctx context.Context, r *runs.Run) (*topics.Classifier, error) {
	g, err := gold.Read(f.labels, r.Rules)
	if err != nil {
		return nil, err
	}
	skippedNotes(g.Skipped)
	var unknown []string
	f.Labelled, unknown = labelledOf(r, g)
	if len(unknown) > 0 {
		say("%s: the run does not hold %s, the first %s", g.Name, count(len(unknown), "labelled URL"), unknown[0])
	}
	c, err := f.Learn.Ask(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.labels, err)
	}
	together, apart := c.Model.Samples()
	note := fmt.Sprintf("%s: %s; confidences come from %d answers with neighbours that some page links to together with the document, and %d without",
		g.Name, count(c.Len(), "example"), together, apart)
	if together+apart < certainSamples {
		note += "; with so few, they are rough"
	}
	say("%s", note)
	return c, nil
}

// certainSamples is the number of samples below which confidences are called rough.
const certainSamples = 200

// labelledOf returns the documents of a run that a gold labels, and the labelled URLs that the run does not contain.
func labelledOf(r *runs.Run, g *gold.Gold) (labelled []topics.Labelled, unknown []string) {
	at, missing := map[uint32]int{}, map[string]bool{}
	for _, l := range g.Labels {
		id, err := r.Lookup(l.URL)
		if err != nil {
			if !missing[l.URL] {
				missing[l.URL], unknown = true, append(unknown, l.URL)
			}
			continue
		}
		i, ok := at[id]
		if !ok {
			i = len(labelled)
			at[id], labelled = i, append(labelled, topics.Labelled{ID: id})
		}
		labelled[i].Paths = append(labelled[i].Paths, l.Path)
	}
	return labelled, unknown
}

// table writes the path, a line for each level, and the nearest labelled documents.
func (f *classifyFlags) table(w io.Writer, r *runs.Run, a *ask.ClassifyAnswer) {
	fold(w, about(r, a.URL), 0)
	if a.Labels != "" {
		fold(w, "labelled "+a.Labels, 2)
	}
	if a.None != "" {
		fold(w, a.None, 2)
		return
	}
	for i, l := range a.Levels {
		text := l.Path
		if i >= a.Level {
			text = fmt.Sprintf("(%s, below %g)", text, f.Min)
		}
		fmt.Fprintf(w, "  %.3f  %s\n", l.Confidence, detail(text, 9))
		if i >= a.Level {
			break
		}
	}
	rows := make([]pageRow, len(a.Near))
	for i, n := range a.Near {
		rows[i] = pageRow{fmt.Sprintf("%4d  %.3f", i+1, n.Similarity), n.Name, n.Labels, n.URL}
	}
	pageList(w, pageRow{}, rows)
}
