package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/report"
	"github.com/lshclust/lshclust/internal/harmless"
)

// sampling holds the flags of eval.
type sampling struct {
	output
	options                    eval.SampleOptions
	gold, content, html, marks string
	Bootstrap                  int `default:"2000" most:"100000" value:"RESAMPLES" doc:"with --marks: number of RESAMPLES for the intervals over queries; 0: no such intervals"`
}

func newEval() *cobra.Command {
	f := &sampling{options: ask.Defaults(eval.SampleOptions{}), Bootstrap: 2000}
	c := &cobra.Command{
		Use:   "eval RUN --gold GOLD, or eval --marks FILE",
		Short: "Draw URLs, list their neighbours for a person to judge, and count the marks",
		Long: `Eval finds out how good the neighbours are that a run lists, in an hour of a person. It repeats the experiment of
Haveliwala, Gionis and Indyk (2000), section 5: it draws URLs from a gold (a file of lines URL, tab, category/path, as people
put them into a directory) and lists the nearest documents of each among all documents of the run, method by method:

  both            the exact similarity of bags, by comparing all documents; links or content in a run with such bags
  both-index      the pairs that the index found and the run stored
  content         the same two for a second run (--content), made with cluster --set bags=content
  content-index
  resemblance     the resemblance of the shingles of texts, by comparing all pages

The draw depends on the seed and on which URLs are known, but not on the order of the gold. With --html FILE, a person marks
every neighbour as good or bad in a browser and saves the marks. --format tsv writes a file of marks that are still empty.

--marks FILE reads the marks. For each method it prints the share of good ones among those marked good or bad (precision);
"don't know" and missing marks are counted separately. The 95 % interval resamples queries, because the neighbours of one
query tend to be good or bad together. Then every two methods are compared query by query. It exits with 1 if there are no marks yet, and with 3 if lines
of the file were left out.`,
		Example: `  lshclust eval RUN --gold gold.tsv --html sample.html
  lshclust eval RUN --content CONTENTRUN --gold gold.tsv --common --blind --html sample.html
  lshclust eval RUN --gold gold.tsv -n 50 --seed 7 --format tsv > marks.tsv
  lshclust eval --marks marks-8c1f0e2a5b7d9f13.tsv`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case f.marks != "" && f.format == formatTSV:
				return usage(errors.New("--format tsv writes a file of marks to make: leave out --marks, or it"))
			case f.marks != "" && len(args) == 0 && f.gold == "":
				return f.judge()
			case f.marks != "":
				return usage(errors.New("--marks needs no run and no gold"))
			case f.gold == "" || len(args) == 0:
				return usage(errors.New("give a RUN and --gold FILE with lines of URL, tab, category/path, or --marks FILE"))
			}
			return f.draw(c, args[0])
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.gold, "gold", "", "`FILE` to draw from: lines of URL, tab, category/path")
	bindQuestion(flags, &f.options)
	flags.Uint64Var(&f.options.Seed, "seed", 1, "`SEED` of the draw, and of the resamples of marks")
	flags.StringVar(&f.content, "content", "", "second `RUN` over the same pages, made with --set bags=content")
	flags.StringVar(&f.html, "html", "", "write the page for marking to `FILE`")
	flags.StringVar(&f.marks, "marks", "", "`FILE` of marks to count")
	bindQuestion(flags, f)
	oneOf(flags, &f.format, "format", formatTable, []string{formatTable, formatJSON, formatTSV},
		"`FORMAT` of the output; tsv is a file of marks to make")
	return c
}

// draw lists the neighbours of the sample.
func (f *sampling) draw(c *cobra.Command, path string) error {
	var list []eval.NamedRun
	for _, p := range []string{path, f.content} {
		if p == "" {
			continue
		}
		r, err := openRun(p)
		if err != nil {
			return err
		}
		defer r.Close()
		list = append(list, eval.NamedRun{Name: runName(p), Run: r})
	}
	g, err := gold.Read(f.gold, list[0].Rules)
	if err != nil {
		return err
	}
	s, err := eval.DrawSample(c.Context(), g, list, f.options)
	if err != nil {
		return err
	}
	skippedNotes(g.Skipped)
	if f.html != "" {
		if err := writeFile(f.html, func(w io.Writer) error { return report.WriteSample(w, s) }); err != nil {
			return err
		}
	}
	if f.format == formatTSV {
		return gold.WriteMarks(printed, s.Marks())
	}
	return show(f.output, s, sampleTable)
}

// sampleTable prints the list that each method returns for each query.
func sampleTable(w io.Writer, s *eval.Sample) {
	fmt.Fprintf(w, "%d of %d known URLs of %s\n(%d in all; %d known to all methods), seed %d\n",
		len(s.Queries), s.Known, whole(s.Gold), s.Labelled, s.AllKnow, s.Options.Seed)
	for _, m := range s.Methods {
		fmt.Fprintf(w, "  %-13s knows %d; %s\n", m.Name, m.Known, detail(m.How, 31))
	}
	prose(w, "after each neighbour: text, the share of the query's shingles in it, and of its shingles in the query; the words in both bags, with their weights")
	for i, q := range s.Queries {
		about := strings.Join(q.Categories, " | ") + "; linked from " + count(int64(q.InLinks), "page")
		if q.Title != "" {
			about = "“" + q.Title + "”; " + about
		}
		fmt.Fprintf(w, "\n%d. %s\n   %s\n", i+1, detail(q.URL, 6), detail(about, 3))
		for _, l := range q.Lists {
			fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("  %s: %s", l.Method, l.Missing), ": "))
			for _, n := range l.Neighbours {
				var why []string
				if n.Text != nil {
					why = append(why, fmt.Sprintf("text %.0f %%, %.0f %%", 100*n.Text.ThisInOther, 100*n.Text.OtherInThis))
				}
				for _, x := range n.Words {
					why = append(why, fmt.Sprintf("%s·%d", x.Word, x.Count))
				}
				url := max(20, width()/2-8)
				fmt.Fprintf(w, "  %3d  %s  %.3f %s\n", n.Rank, pad(n.URL, url), n.Similarity, detail(strings.Join(why, " "), url+15))
			}
		}
	}
}

// judge counts the marks of a person.
func (f *sampling) judge() error {
	m, err := gold.ReadMarks(f.marks)
	if err != nil {
		return err
	}
	s := eval.ScoreMarks(m.Marks, eval.ResampleOptions{Bootstrap: f.Bootstrap, Seed: f.options.Seed})
	err = show(f.output, &s, marksTable)
	if s.Marked == 0 && err == nil {
		err = errors.New(f.marks + ": nothing is marked yet")
	}
	return errors.Join(err, f.skippedRows(m.Skipped))
}

func marksTable(w io.Writer, s *eval.MarkScores) {
	fmt.Fprintf(w, "%d of %d neighbours marked, of %d %s\n\n", s.Marked, s.Rows, s.Queries, plural(s.Queries, "query", "queries"))
	fmt.Fprintf(w, "%-15s %6s %5s %4s %3s %8s  %s\n", "method", "listed", "good", "bad", "?", "unmarked", "precision, 95 % over queries")
	for _, m := range s.Methods {
		fmt.Fprintf(w, "%s %6d %5d %4d %3d %8d  %v\n", pad(m.Method, 15), m.Listed, m.Good, m.Bad, m.DontKnow, m.Unmarked, m.Precision)
	}
	fmt.Fprintf(w, "\n%-31s %-23s %7s %6s %5s\n", "A less B, query by query", "difference", "better", "worse", "same")
	for _, p := range s.Pairs {
		fmt.Fprintf(w, "%s %-23v %7d %6d %5d\n", pad(p.A+" - "+p.B, 31), p.Difference, p.Better, p.Worse, p.Same)
	}
	fmt.Fprint(w, "\nprecision: share of good among good and bad. ?: don't know. better, worse: queries\nfor which A or B has the larger share of good neighbours.\n")
}

// skippedRows prints which rows of a file were skipped. If there are any, it returns an error with the matching exit
// code.
func (f *sampling) skippedRows(skipped gold.Skips) error {
	if len(skipped) == 0 {
		return nil
	}
	n := 0
	for _, s := range skipped {
		n += s.Count
		fmt.Fprintf(os.Stderr, "%s: %d × %s\n", harmless.Cell(f.marks), s.Count, s.Reason)
		for _, e := range s.Examples {
			fmt.Fprintf(os.Stderr, "  %s\n", detail(e, 2))
		}
	}
	return &exit{code: exitSkipped, told: true, err: fmt.Errorf("%s: %d rows were left out", f.marks, n)}
}

// skippedNotes prints which parts of a gold were skipped.
func skippedNotes(skipped gold.Skips) {
	for _, s := range skipped {
		fmt.Fprintf(os.Stderr, "gold: %d × %s, such as %s\n", s.Count, s.Reason, harmless.Line(s.Examples[0]))
	}
}

// writeFile writes a file completely or not at all.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".lshclust-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // no such file after a successful rename
	err = write(f)
	if err == nil {
		err = f.Chmod(0o644)
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func runName(path string) string { return filepath.Base(filepath.Clean(path)) }
