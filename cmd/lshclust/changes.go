package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/spf13/cobra"
)

// changing is the flags of changes.
type changing struct {
	output
	edited    float64
	top       int
	directory string
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
  lshclust changes RUN1 RUN2 -o DIRECTORY                      # writes DIRECTORY/changes.parquet too`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.output.check(); err != nil {
				return err
			}
			return withCrawls(c.Context(), args, f.force, func(crawls *query.Crawls) error {
				s, err := crawls.Newest()
				if err != nil {
					return err
				}
				return f.write(c.Context(), printed, s)
			})
		},
	}
	flags := c.Flags()
	f.output.bind(flags, "a URL")
	flags.Float64Var(&f.edited, "edited", 0.5, "a page whose text resembles the old one by `R` or more was edited, not rewritten")
	flags.IntVar(&f.top, "limit", 20, "list at most `N` folders, those with most changes first")
	flags.StringVarP(&f.directory, "output", "o", "", "write changes.parquet into `DIRECTORY`")
	flags.BoolVar(&f.force, "force", false, "compare the runs in this order, whatever the times of their pages")
	inRange(flags, "edited", 0, 1)
	counting(flags, 1, "limit")
	flags.SortFlags = false
	return c
}

func (f *changing) write(ctx context.Context, w io.Writer, s *query.TwoCrawls) error {
	pages, err := s.Changed(ctx, f.edited)
	if err != nil {
		return err
	}
	sum := query.NewChangeCounts()
	for p := range pages {
		sum.Add(p)
	}
	if f.directory != "" {
		if err := writeChanges(f.directory, s, pages); err != nil {
			return err
		}
	}
	if f.format == formatTable {
		changesTable(w, sum, f.top)
	} else if err := f.list(w, s, pages); err != nil {
		return err
	}
	if sum.Pages[query.NewPage] == 0 && sum.There() == 0 && sum.Pages[query.MovedAway] == 0 {
		return &exit{code: exitCondition, err: errors.New("the second run has no page of the first one, and no new one: every page is gone")}
	}
	return nil
}

func (f *changing) list(w io.Writer, s *query.TwoCrawls, pages iter.Seq[query.ChangedPage]) error {
	out := f.rows(w, "url", "change", "new_url", "resemblance", "of_old", "of_new", "confidence")
	for p := range pages {
		to, confidence := newPlace(s, &p)
		if err := out.row(p.URL, p.Change.String(), orNull(to), p.Resemblance, p.OfOld, p.OfNew, confidence); err != nil {
			return err
		}
	}
	return out.close()
}

// newPlace returns where a page moved and with what confidence, or "" and 1 if it did not move.
func newPlace(s *query.TwoCrawls, p *query.ChangedPage) (url string, confidence float64) {
	if p.Change != query.MovedAway {
		return "", 1
	}
	return s.Newer.Document(p.Verdict.Places[0].Page).URL, p.Verdict.Confidence
}

// writeChanges writes the Parquet table.
func writeChanges(directory string, s *query.TwoCrawls, pages iter.Seq[query.ChangedPage]) error {
	if err := directoryOfTable(directory); err != nil {
		return err
	}
	t, err := run.CreateTable[run.ChangeRow](filepath.Join(directory, run.ChangesTable))
	if err != nil {
		return err
	}
	for p := range pages {
		to, confidence := newPlace(s, &p)
		err := t.Write(run.ChangeRow{
			URL: p.URL, Change: p.Change.String(), NewURL: to, Resemblance: float32(p.Resemblance),
			OfOld: float32(p.OfOld), OfNew: float32(p.OfNew), Confidence: float32(confidence),
		})
		if err != nil {
			t.Abort()
			return err
		}
	}
	return t.Close()
}

// directoryOfTable makes a directory for a table that is of two runs, and so belongs to neither.
func directoryOfTable(path string) error {
	if _, err := os.Stat(filepath.Join(path, "run.json")); err == nil {
		return usage(fmt.Errorf("%s is a run, which never changes; give another directory", path))
	}
	return os.MkdirAll(path, 0o777)
}

func changesTable(w io.Writer, s *query.ChangeCounts, top int) {
	w, flush := narrow(w)
	defer flush()
	var columns [len(query.Changes)]int
	before := 2
	for i, c := range query.Changes {
		columns[i] = max(len(c.String()), len(strconv.Itoa(s.Pages[i])))
		before += columns[i] + 2
	}
	row := func(name string, n *[len(query.Changes)]int) {
		for i, x := range n {
			figure := "·" // so that the folders with changes of a kind stand out
			if x > 0 {
				figure = strconv.Itoa(x)
			}
			fmt.Fprintf(w, "  %*s", columns[i], figure)
		}
		fmt.Fprintf(w, "  %s\n", detail(name, before))
	}
	for i, c := range query.Changes {
		fmt.Fprintf(w, "  %*s", columns[i], c)
	}
	fmt.Fprintln(w, "  folder")
	row("all", &s.Pages)
	folders := s.Busiest()
	for _, f := range folders[:min(len(folders), top)] {
		row(f, s.Folders[f])
	}
	if more := len(folders) - top; more > 0 {
		fmt.Fprintf(w, "and %s\n", count(int64(more), "more folder"))
	}
	if s.There() == 0 {
		return
	}
	fmt.Fprint(w, "\nresemblance to the old text, of pages that both crawls have\n")
	most := slices.Max(s.Resemblance[:])
	for i, n := range s.Resemblance {
		name := fmt.Sprintf("%.1f-%.1f", float64(i)/query.ResemblanceBins, float64(i+1)/query.ResemblanceBins)
		if i == query.ResemblanceBins {
			name = "1"
		}
		const longest = 40
		bar := strings.Repeat("=", (n*longest+most-1)/most)
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("  %-7s %9d %5.1f %%  %s", name, n, 100*float64(n)/float64(s.There()), bar), " "))
	}
}
