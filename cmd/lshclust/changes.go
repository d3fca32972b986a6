package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/chart"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/run"
	"github.com/spf13/cobra"
)

// changing is the flags of changes.
type changing struct {
	output
	edited    float64
	top       int
	directory string
	svg       string
	force     bool
}

func newChanges() *cobra.Command {
	f := &changing{}
	c := &cobra.Command{
		Use:   "changes RUN1 RUN2",
		Short: "What changed between two crawls of a site",
		Long: `Changes compares the run of an older crawl with that of a newer one, page by page:

  same       the text is the same
  edited     it resembles the old text, with the resemblance
  rewritten  it resembles the old text less than --edited
  moved      the page is gone, and its content has a new URL (see lshclust moved)
  gone       the page is gone, and so is its content, or other pages contain it
  new        the older crawl has no page at the URL, and none moved there

The boilerplate of a host counts for nothing: a new footer is no change. The table counts the pages by host and first
folder, and by resemblance. The other formats list every URL. Both runs must have the same settings of links and
shingles.`,
		Example: `  lshclust changes RUN1 RUN2
  lshclust changes RUN1 RUN2 --format jsonl > changes.jsonl
  lshclust changes RUN1 RUN2 -o DIRECTORY                      # writes DIRECTORY/changes.parquet too
  lshclust changes RUN1 RUN2 --svg resemblance.svg`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.output.check(); err != nil {
				return err
			}
			return withSweeps(args[0], args[1], f.force, func(s *query.Sweeps) error { return f.write(c.Context(), printed, s) })
		},
	}
	flags := c.Flags()
	f.output.bind(flags, "a URL")
	flags.Float64Var(&f.edited, "edited", 0.5, "a page whose text resembles the old one by `R` or more was edited, not rewritten")
	flags.IntVar(&f.top, "top", 20, "list at most `N` folders, those with most changes first")
	flags.StringVarP(&f.directory, "output", "o", "", "write changes.parquet into `DIRECTORY`")
	flags.StringVar(&f.svg, "svg", "", "draw the histogram of resemblance to `FILE`")
	flags.BoolVar(&f.force, "force", false, "compare the runs in this order, whatever the times of their pages")
	inRange(flags, "edited", 0, 1)
	counting(flags, 1, "top")
	flags.SortFlags = false
	return c
}

func (f *changing) write(ctx context.Context, w io.Writer, s *query.Sweeps) error {
	pages, err := s.Changed(ctx, f.edited)
	if err != nil {
		return err
	}
	sum := newChangeSums()
	for p := range pages {
		sum.add(p)
	}
	if f.directory != "" {
		if err := writeChanges(f.directory, pages); err != nil {
			return err
		}
	}
	if f.svg != "" {
		if err := sum.draw(f.svg); err != nil {
			return err
		}
	}
	if f.format == formatTable {
		sum.table(w, f.top)
	} else if err := f.list(w, pages); err != nil {
		return err
	}
	if sum.pages[query.NewPage] == 0 && sum.there() == 0 && sum.pages[query.MovedAway] == 0 {
		return &exit{code: exitCondition, err: errors.New("the second run has no page of the first one, and no new one: every page is gone")}
	}
	return nil
}

func (f *changing) list(w io.Writer, pages iter.Seq[query.ChangedPage]) error {
	out := f.rows(w, "url", "change", "new_url", "resemblance", "of_old", "of_new", "confidence")
	for p := range pages {
		if err := out.row(p.URL, p.Change.String(), orNull(p.NewURL), p.Resemblance, p.OfOld, p.OfNew, p.Confidence); err != nil {
			return err
		}
	}
	return out.close()
}

// writeChanges writes the Parquet table.
func writeChanges(directory string, pages iter.Seq[query.ChangedPage]) error {
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(directory, "run.json")); err == nil {
		return usage(fmt.Errorf("%s is a run, which never changes; give another directory", directory))
	}
	t, err := run.CreateTable[run.ChangeRow](filepath.Join(directory, run.ChangesTable))
	if err != nil {
		return err
	}
	for p := range pages {
		err = cmp.Or(err, t.Write(run.ChangeRow{
			URL: p.URL, Change: p.Change.String(), NewURL: p.NewURL, Resemblance: float32(p.Resemblance),
			OfOld: float32(p.OfOld), OfNew: float32(p.OfNew), Confidence: float32(p.Confidence),
		}))
	}
	return errors.Join(err, t.Close())
}

// resemblanceBins is the number of bins of the histogram.
const resemblanceBins = 10

// changeSums counts changes.
type changeSums struct {
	pages     [len(query.Changes)]int
	folders   map[string]*[len(query.Changes)]int
	histogram [resemblanceBins + 1]int // of pages that are there in both runs; the last bin is 1 exactly
}

func newChangeSums() *changeSums { return &changeSums{folders: map[string]*[len(query.Changes)]int{}} }

func (s *changeSums) add(p query.ChangedPage) {
	s.pages[p.Change]++
	folder := firstFolder(p.URL)
	if s.folders[folder] == nil {
		s.folders[folder] = new([len(query.Changes)]int)
	}
	s.folders[folder][p.Change]++
	if p.Change <= query.Rewritten {
		s.histogram[int(p.Resemblance*resemblanceBins)]++
	}
}

// there returns the number of pages that both runs have.
func (s *changeSums) there() int {
	return s.pages[query.Same] + s.pages[query.Edited] + s.pages[query.Rewritten]
}

// firstFolder returns the host of a URL and the first folder of its path.
func firstFolder(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	parts := strings.SplitN(rest, "/", 3)
	if len(parts) < 3 {
		return parts[0] + "/"
	}
	return parts[0] + "/" + parts[1] + "/"
}

func (s *changeSums) table(w io.Writer, top int) {
	w, flush := narrow(w)
	defer flush()
	row := func(name string, n *[len(query.Changes)]int) {
		for _, x := range n {
			fmt.Fprintf(w, "%10d", x)
		}
		fmt.Fprintf(w, "  %s\n", detail(name, 10*len(n)+2))
	}
	for _, c := range query.Changes {
		fmt.Fprintf(w, "%10s", c)
	}
	fmt.Fprintln(w)
	row("all", &s.pages)
	folders := slices.SortedFunc(maps.Keys(s.folders), func(a, b string) int {
		return cmp.Or(cmp.Compare(changesOf(s.folders[b]), changesOf(s.folders[a])), cmp.Compare(a, b))
	})
	for _, f := range folders[:min(len(folders), top)] {
		row(f, s.folders[f])
	}
	if more := len(folders) - top; more > 0 {
		fmt.Fprintf(w, "and %s\n", count(int64(more), "more folder"))
	}
	if s.there() == 0 {
		return
	}
	fmt.Fprint(w, "\nresemblance to the old text, of pages that both crawls have\n")
	for i, n := range s.histogram {
		name := fmt.Sprintf("%.1f-%.1f", float64(i)/resemblanceBins, float64(i+1)/resemblanceBins)
		if i == resemblanceBins {
			name = "1"
		}
		fmt.Fprintf(w, "  %-7s %9d %5.1f%%\n", name, n, 100*float64(n)/float64(s.there()))
	}
}

// changesOf returns the number of pages that are not the same.
func changesOf(n *[len(query.Changes)]int) (sum int) {
	for c, x := range n {
		if c != int(query.Same) {
			sum += x
		}
	}
	return sum
}

// draw draws the histogram. Pages of resemblance 1 are in a bin of their own at the right.
func (s *changeSums) draw(path string) error {
	b := chart.Bars{Frame: chart.Frame{
		Title: "Resemblance of pages to their older versions", X: chart.Axis{Label: "resemblance"}, Y: chart.Axis{Label: "pages"},
		Description: fmt.Sprintf("%d pages that both crawls have, by the resemblance of their texts; 1 is the same text.", s.there()),
	}}
	values := chart.Values{Name: "pages"}
	for i, n := range s.histogram {
		name := fmt.Sprintf("%.1f", float64(i)/resemblanceBins)
		if i == resemblanceBins {
			name = "1"
		}
		b.Groups = append(b.Groups, name)
		values.Values = append(values.Values, chart.Point{Y: float64(n)})
	}
	b.Series = []chart.Values{values}
	svg, err := b.SVG()
	if err != nil {
		return err
	}
	return os.WriteFile(path, svg, 0o666)
}
