package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/report"
	"github.com/spf13/cobra"
)

// sampling holds the flags of eval sample.
type sampling struct {
	options eval.SampleOptions
	output
	gold, content string
	html          string
}

func newEvalSample() *cobra.Command {
	f := &sampling{}
	c := &cobra.Command{
		Use:   "sample RUN",
		Short: "Draw URLs from a gold and list their neighbours for a person to judge",
		Long: `Sample repeats the experiment of Haveliwala, Gionis and Indyk (2000), section 5. It draws URLs from a gold (lines of URL,
tab, category/path) and lists the nearest documents of each among all documents of the run, method by method:

  anchors          the exact similarity of bags of words around links, by comparing all documents
  anchors-index    the pairs that the index found and the run stored
  content          the same for a second run, made with cluster --bags content
  content-index
  resemblance      the resemblance of the shingles of texts, by comparing all pages

The draw depends on the seed and on which URLs are known, but not on the order of the gold. With --html FILE, a person marks
every neighbour as good or bad in a browser and saves the marks, which eval marks reads. --format tsv writes a file of marks
that are still empty; csv has the same columns.`,
		Example: `  lshclust eval sample RUN --gold gold.tsv --html sample.html
  lshclust eval sample RUN --content CONTENTRUN --gold gold.tsv --common --blind --html sample.html
  lshclust eval sample RUN --gold gold.tsv -n 50 --seed 7 --format tsv > marks.tsv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.output.check(); err != nil {
				return err
			}
			if f.gold == "" {
				return usage(errors.New("--gold is missing: give a file of lines URL, tab, category/path"))
			}
			return f.run(c.Context(), args[0])
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.gold, "gold", "", "`FILE` to draw from: lines of URL, tab, category/path")
	flags.IntVarP(&f.options.N, "number", "n", 20, "number of `URLS` to draw")
	flags.Uint64Var(&f.options.Seed, "seed", 1, "`SEED` of the draw")
	flags.IntVar(&f.options.Top, "top", 10, "number `N` of neighbours for each method")
	flags.StringVar(&f.content, "content", "", "second `RUN` over the same pages, made with --bags content")
	flags.BoolVar(&f.options.Common, "common", false, "draw only URLs that all methods know")
	flags.BoolVar(&f.options.Blind, "blind", false, "do not show at first which method lists what")
	flags.StringVar(&f.html, "html", "", "write the page for marking to `FILE`")
	counting(flags, 1, "number", "top")
	f.output.bind(flags, "a neighbour to be marked")
	flags.SortFlags = false
	return c
}

func (f *sampling) run(ctx context.Context, path string) error {
	runs, g, err := openRuns(path, f.content, f.gold)
	defer closeRuns(runs)
	if err != nil {
		return err
	}
	s, err := eval.DrawSample(ctx, g, runs, f.options)
	if err != nil {
		return err
	}
	skippedNotes(os.Stderr, g.Skipped)
	if f.html != "" {
		if err := writeFile(f.html, func(w io.Writer) error { return report.WriteSample(w, s) }); err != nil {
			return err
		}
	}
	return f.write(printed, s)
}

func (f *sampling) write(w io.Writer, s *eval.Sample) error {
	switch f.format {
	case formatJSON:
		return writeJSON(w, s)
	case formatTSV:
		return gold.WriteMarks(w, s.Marks())
	case formatCSV, formatJSONL:
		out := f.rows(w, "query", "neighbour", "mark", "methods")
		for _, m := range s.Marks() {
			if err := out.row(m.Query, m.Neighbour, m.Verdict, m.Methods()); err != nil {
				return err
			}
		}
		return out.close()
	}
	sampleTable(w, s)
	return nil
}

// writeFile writes a file completely or not at all.
func writeFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".lshclust-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err = errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// sampleTable prints one list for each query, with the rank of each neighbour in each method.
func sampleTable(w io.Writer, s *eval.Sample) {
	w, flush := narrow(w)
	defer flush()
	fmt.Fprintf(w, "%d of %d known URLs of %s\n(%d in all; %d known to all methods), seed %d\n",
		len(s.Queries), s.Known, whole(s.Gold), s.Labelled, s.AllKnow, s.Options.Seed)
	for i, m := range s.Methods {
		fmt.Fprintf(w, "  %d  %-13s knows %d; %s\n", i+1, m.Name, m.Known, detail(m.How, 31))
	}
	fmt.Fprintln(w, "after each neighbour: text, the share of the query's shingles in it, and of its\nshingles in the query; the words in both bags, with their weights")
	for i, q := range s.Queries {
		fmt.Fprintf(w, "\n%d. %s\n", i+1, detail(q.URL, 6))
		fmt.Fprintf(w, "   %s\n", detail(sampleAbout(q), 3))
		sampleRanks(w, s, q)
	}
}

func sampleAbout(q eval.SampleQuery) string {
	about := strings.Join(q.Categories, " | ") + "; linked from " + count(int64(q.InLinks), "page")
	if q.Title != "" {
		about = "“" + q.Title + "”; " + about
	}
	return about
}

// rankedNeighbour is a neighbour with its rank in each method, or 0, and the reasons of the first method that lists it.
type rankedNeighbour struct {
	eval.SampleNeighbour
	ranks []int
}

func sampleRanks(w io.Writer, s *eval.Sample, q eval.SampleQuery) {
	var rows []rankedNeighbour
	at := map[string]int{}
	head := ""
	for m, l := range q.Lists {
		head += fmt.Sprintf("%3d", m+1)
		if l.Missing != "" {
			fmt.Fprintf(w, "   %s: %s\n", l.Method, l.Missing)
		}
		for _, n := range l.Neighbours {
			i, ok := at[n.URL]
			if !ok {
				i = len(rows)
				at[n.URL] = i
				rows = append(rows, rankedNeighbour{n, make([]int, len(q.Lists))})
			}
			rows[i].ranks[m] = n.Rank
			if n.Text != nil {
				rows[i].Text = n.Text
			}
		}
	}
	if len(rows) == 0 {
		return
	}
	// Sort by the best rank, then in the order of the methods.
	best := func(r rankedNeighbour) int {
		return slices.Min(slices.DeleteFunc(slices.Clone(r.ranks), func(n int) bool { return n == 0 }))
	}
	slices.SortStableFunc(rows, func(a, b rankedNeighbour) int { return best(a) - best(b) })
	url := max(20, (width()-len(head)-12)/2)
	fmt.Fprintf(w, "  %s  neighbour\n", head)
	for _, r := range rows {
		fmt.Fprint(w, "  ")
		for _, n := range r.ranks {
			if n == 0 {
				fmt.Fprint(w, "  ·")
			} else {
				fmt.Fprintf(w, "%3d", n)
			}
		}
		fmt.Fprintf(w, "  %s  %.3f %s\n", pad(r.URL, url), r.Similarity, detail(sampleReason(r.SampleNeighbour), len(head)+url+12))
	}
}

// sampleReason says why a document is listed: the shares of the texts that are common, and the words in both bags.
func sampleReason(n eval.SampleNeighbour) string {
	var why []string
	if n.Text != nil {
		why = append(why, fmt.Sprintf("text %.0f %%, %.0f %%", 100*n.Text.OfThis, 100*n.Text.OfOther))
	}
	for _, x := range n.Words {
		why = append(why, fmt.Sprintf("%s·%d", x.Word, x.Count))
	}
	return strings.Join(why, " ")
}
