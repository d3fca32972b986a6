package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// windowFlags are the flags of eval windows.
type windowFlags struct {
	golds, inputs   []string
	most            int
	width, headings int // -1: as in the run
	sentences       bool
}

func newEvalWindows() *cobra.Command {
	f := &windowFlags{}
	c := &cobra.Command{
		Use:   "windows RUN --gold GOLD...",
		Short: "Write the texts around the links to the URLs of a gold",
		Long: `Windows writes the texts around the links to the URLs of a gold, so that other programs can be compared with the run: the
same words that the bags of the run are made of, but in their order. It writes a line of JSON for each URL of the gold, with
"url" and "windows", a list of texts. A text has the headings above the link, the anchor, and the window on both sides. A
page contributes one text to a URL. If there are more than --most, windows takes one from each host before it takes further
ones. It reads the inputs of the run again. --sentences writes the linking sentences that the run has kept instead, which
are shorter, and reads no inputs.

A program that turns texts into vectors writes a line for each URL: the URL, a tab, and numbers separated by spaces. Then
"eval directory --vectors NAME=FILE" measures the cosine of these vectors by the figures of the run.`,
		Example: `  lshclust eval windows RUN --gold gold.tsv > windows.jsonl
  lshclust eval windows RUN --gold gold.tsv --headings 0 --width 16 --most 10 > windows.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(f.golds) == 0 {
				return usage(errors.New("--gold is missing: give a file of URLs and categories (--gold gold.tsv), tree or breadcrumbs"))
			}
			r, err := openRun(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			return f.run(c.Context(), printed, r)
		},
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.golds, "gold", nil, "`GOLD` file, tree or breadcrumbs; may be given several times")
	flags.IntVar(&f.most, "most", 5, "number of `TEXTS` of a URL, at most")
	flags.IntVar(&f.width, "width", -1, "number of `WORDS` on each side of a link (default that of the run)")
	flags.IntVar(&f.headings, "headings", -1, "number of `HEADINGS` above a link (default that of the run)")
	flags.BoolVar(&f.sentences, "sentences", false, "write the linking sentences that the run has kept")
	flags.StringArrayVar(&f.inputs, "input", nil, "`PATH` of an input of the run, if the inputs were moved; give all of them")
	counting(flags, 1, "most")
	inRange(flags, "width", 0, 1000)
	inRange(flags, "headings", 0, 6)
	flags.SortFlags = false
	return c
}

func (f *windowFlags) run(ctx context.Context, w io.Writer, r *query.Run) error {
	var labels []score.Label
	for _, name := range f.golds {
		g, err := readGold(ctx, r, name)
		if err != nil {
			return err
		}
		skippedNotes(os.Stderr, g.Skipped)
		labels = append(labels, g.Labels...)
	}
	d, err := score.NewDirectory(labels, 1)
	if err != nil {
		return err
	}
	texts, err := f.texts(ctx, r, d)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for _, t := range texts {
		if err := writeLine(out, t); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (f *windowFlags) texts(ctx context.Context, r *query.Run, d *score.Directory) ([]eval.LinkTexts, error) {
	if f.sentences {
		return eval.LinkingSentences(r, d, f.most), nil
	}
	cfg := r.Config
	if f.width >= 0 {
		cfg.Window = f.width
	}
	if f.headings >= 0 {
		cfg.Heads = f.headings
	}
	texts, err := eval.ReadLinkTexts(ctx, r, f.inputs, cfg, d, f.most)
	if errors.Is(err, eval.ErrInputs) {
		err = fmt.Errorf("%w; name all of them with --input PATH", err)
	}
	return texts, err
}
