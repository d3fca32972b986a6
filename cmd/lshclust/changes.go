package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/run"
)

// changing holds the flags of changes.
type changing struct {
	output
	ask.Changes
	shown struct {
		Limit int `least:"1" value:"N" doc:"list at most N folders, those with most changes first"`
	}
	Force  bool `doc:"compare the runs in this order, whatever the times of their pages"`
	failOn []string
}

func newChanges() *cobra.Command {
	f := &changing{Changes: ask.Defaults(ask.Changes{})}
	f.Window, f.shown.Limit = everything, 20
	c := &cobra.Command{
		Use:   "changes RUN1 RUN2",
		Short: "What changed between two crawls of a site",
		Long: `Changes compares the run of an older crawl with that of a newer one, page by page:

  same       the text is the same
  edited     it resembles the old text, with the resemblance
  rewritten  it resembles the old text less than --edited
  moved      the page is gone, and its content has a new URL (see lshclust moved)
  gone       the page is gone, and its content is gone or in other pages
  new        the older crawl has no page at the URL, and none moved there

The boilerplate of a host is ignored: a new footer is not a change. The table counts the pages by host and first
folder; json counts them by resemblance too, and lists the gone pages, as markdown does. The other formats list every
URL, but sarif only the pages that were rewritten, moved or are gone, and those of --fail-on. Both runs must have the same
settings of links and shingles.`,
		Example: `  lshclust changes RUN1 RUN2
  lshclust changes RUN1 RUN2 --format jsonl > changes.jsonl
  lshclust changes LIVE PREVIEW --fail-on gone --format markdown > comment.md   # before a release`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			for _, change := range f.failOn {
				if !slices.ContainsFunc(crawls.Changes[:], func(c crawls.Change) bool { return c.String() == change }) {
					return usage(fmt.Errorf("--fail-on %q is no kind of change", change))
				}
			}
			return withCrawls(c.Context(), args, f.Force, func(history *crawls.Crawls) error {
				return f.write(c.Context(), history)
			})
		},
	}
	flags := c.Flags()
	oneOf(flags, &f.format, "format", formatTable, slices.Concat(everyFormat, []string{formatMarkdown, formatSARIF}),
		"`FORMAT` of the output, in which a row of csv, tsv and jsonl is a URL; markdown is for a comment on a change, sarif for code scanning")
	f.bindCells(flags)
	flags.StringSliceVar(&f.failOn, "fail-on", nil, "exit with 1 if there is a page with any of these `CHANGES`")
	bindQuestion(flags, f, "limit", "folders", "verdict", "rules", "min") // moved has these
	bindQuestion(flags, &f.shown)
	return c
}

func (f *changing) write(ctx context.Context, history *crawls.Crawls) error {
	f.Folders = f.shown.Limit
	changed, rows, err := ask.Change(ctx, history, f.Edited)
	if err != nil {
		return err
	}
	switch f.format {
	case formatTable, formatJSON, formatMarkdown:
		a, err := changed.Answer(f.Changes)
		if err != nil {
			return err
		}
		if f.format == formatMarkdown {
			changesMarkdown(printed, a)
		} else if err := show(f.output, a, changesTable); err != nil {
			return err
		}
	case formatSARIF:
		if err := writeJSON(sarif("changes", changeMeaning, changeFaults(rows, f.failOn), f.failOn)); err != nil {
			return err
		}
	default:
		put, end := tableRows[run.ChangeRow](f.output)
		for row := range rows {
			if err := put(row); err != nil {
				return err
			}
		}
		if err := end(); err != nil {
			return err
		}
	}
	if n := changed.Counts; n.Pages[crawls.NewPage] == 0 && n.There() == 0 && n.Pages[crawls.MovedAway] == 0 {
		return &exit{code: exitCondition, err: errors.New("the second run has no page of the first one, and no new one: every page is gone")}
	}
	return failing(f.failOn, func(change string) int {
		return changed.Counts.Pages[slices.IndexFunc(crawls.Changes[:], func(c crawls.Change) bool { return c.String() == change })]
	})
}

// changeMeaning says what the changes that code scanning shows are.
var changeMeaning = map[string]string{
	"same": "pages with the same text", "edited": "pages with an edited text", "rewritten": "pages with another text",
	"moved": "pages whose content has a new URL", "gone": "pages without a new place", "new": "pages that were not there",
}

// changeFaults returns the pages that someone should look at: those that lost their text or their URL, and those of failOn.
func changeFaults(rows iter.Seq[run.ChangeRow], failOn []string) (out []fault) {
	shown := append([]string{"rewritten", "moved", "gone"}, failOn...)
	for r := range rows {
		if slices.Contains(shown, r.Change) {
			said := strings.TrimSpace(r.URL + ": " + r.Change + " " + r.NewURL)
			out = append(out, fault{r.Change, said, cmp.Or(r.SeenURL, r.URL), 1})
		}
	}
	return out
}

// changesSaid says how many pages there are with each change.
func changesSaid(a *ask.ChangesAnswer) string {
	var said []string
	for _, c := range a.Changes {
		said = append(said, fmt.Sprintf("%d %s", c.Pages, c.Change))
	}
	return "Pages of the two crawls: " + strings.Join(said, ", ") + "." + a.Said()
}

// changesMarkdown writes what changed as a comment: the folders with most changes, and the gone pages.
func changesMarkdown(w io.Writer, a *ask.ChangesAnswer) {
	fmt.Fprintf(w, "### %s\n\n| folder | same | edited | rewritten | moved | gone | new |\n| --- | --- | --- | --- | --- | --- | --- |\n", changesSaid(a))
	for _, f := range a.Folders {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d |\n", mdCell(f.Folder), f.Same, f.Edited, f.Rewritten, f.Moved, f.Gone, f.New)
	}
	if more := a.AllFolders - len(a.Folders); more > 0 {
		fmt.Fprintf(w, "\nand %s\n", count(more, "more folder"))
	}
	const most = 50 // a comment has a limit
	for i, p := range a.Items[:min(most, len(a.Items))] {
		if i == 0 {
			fmt.Fprint(w, "\n| gone | verdict | confidence | content now |\n| --- | --- | --- | --- |\n")
		}
		to := ""
		if len(p.To) > 0 {
			to = mdCell(p.To[0])
		}
		fmt.Fprintf(w, "| %s | %s | %.2f | %s |\n", mdCell(p.URL), p.Verdict, p.Confidence, to)
	}
	if more := len(a.Items) - most; more > 0 {
		fmt.Fprintf(w, "\nand %s\n", count(more, "more page"))
	}
}

func changesTable(w io.Writer, a *ask.ChangesAnswer) {
	columns, all := make([]int, len(a.Changes)), make([]int, len(a.Changes))
	fold(w, changesSaid(a), 0)
	fmt.Fprintln(w)
	before := 2
	for i, c := range a.Changes {
		all[i], columns[i] = c.Pages, max(len(c.Change), len(strconv.Itoa(c.Pages)))
		before += columns[i] + 2
		fmt.Fprintf(w, "  %*s", columns[i], c.Change)
	}
	fmt.Fprintln(w, "  folder")
	row := func(name string, pages ...int) {
		for i, n := range pages {
			figure := "·" // so that the folders with changes of a kind stand out
			if n > 0 {
				figure = strconv.Itoa(n)
			}
			fmt.Fprintf(w, "  %*s", columns[i], figure)
		}
		fmt.Fprintf(w, "  %s\n", detail(name, before))
	}
	row("all", all...)
	for _, f := range a.Folders {
		row(f.Folder, f.Same, f.Edited, f.Rewritten, f.Moved, f.Gone, f.New)
	}
	if more := a.AllFolders - len(a.Folders); more > 0 {
		fmt.Fprintf(w, "and %s\n", count(more, "more folder"))
	}
}
