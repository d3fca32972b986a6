package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/runs"
)

func newDuplicates() *cobra.Command {
	o, b, revisits, q := &output{}, &batch{}, "", ask.Duplicates{Window: everything}
	groups := &clusterList{Clusters: ask.Clusters{View: config.Syntactic, Window: ask.Window{Limit: 20}}, Members: true, Each: 5, groups: true}
	c := &cobra.Command{
		Use:   "duplicates RUN [URL...]",
		Short: "Which pages have a text similar to that of a page, or to one another",
		Long: `Without a URL, duplicates lists the groups of pages with similar texts, the largest first, each with some of its pages; they
are the syntactic clusters of clusters --view syntactic, which has more options.

With URLs, duplicates lists the pages that equal a page (identical bytes, the same words, or the same shingles), resemble it, contain
it or are contained in it. It shows exact figures from the stored shingles: the resemblance, the share of this page that is
in the other one, and the share of the other page that is in this one. It also shows what the samples estimate. In a run that keeps
sketches, all figures are estimates, with the standard error of the resemblance and the number of samples. The relation
"chain" means that a page is in the same cluster, but only through other pages.

With --urls it reads the URLs from a file. If the run does not hold a URL, duplicates names it on standard error with the
nearest URLs that the run holds, answers the others, and exits with 1.

With --revisits, and without a URL, it lists the captures in the WARC files of the run that could have been stored as
revisits, because an earlier capture has the same payload: responses of status 200 that state the same payload digest and
have the same bytes. It writes their revisit records to a file and their lines of a CDXJ index to standard output, and says
how many bytes they save.

In a run with all captures (cluster --captures all), a time after # names a capture: URL#2024-05. A plain URL lists its captures.`,
		Example: `  lshclust duplicates RUN
  lshclust duplicates RUN https://example.org/page.html
  lshclust duplicates RUN https://example.org/page.html --format jsonl
  lshclust duplicates RUN --urls urls.txt --format csv > duplicates.csv
  lshclust duplicates RUN --revisits revisits.warc.gz > revisits.cdxj`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if revisits != "" {
				if len(args) > 1 || c.Flags().Changed("urls") || c.Flags().Changed("format") {
					return usage(errors.New("--revisits needs a run only"))
				}
				return withRun(args[0], func(r *runs.Run) error { return writeRevisits(c.Context(), r, revisits) })
			}
			if len(args) == 1 && b.file == "" {
				if c.Flags().Changed("min") {
					return usage(errors.New("--min is for the pages similar to one page: give URLs, or leave it out"))
				}
				groups.output = *o
				return withRun(args[0], func(r *runs.Run) error { return groups.run(c, r) })
			}
			if c.Flags().Changed("limit") || c.Flags().Changed("each") {
				return usage(errors.New("--limit and --each are for the groups of a run: leave out the URLs, or them"))
			}
			hint := "no page found; " + invocation() + " query " + shellWord(args[0]) + " URL lists pages that have less in common with it"
			return withRun(args[0], func(r *runs.Run) error {
				return answerEach(c.Context(), b, *o, r, args[1:], func(url []string) (*ask.DuplicatesAnswer, error) {
					q := q
					q.URL = url[0]
					return q.Ask(c.Context(), r)
				}, func(w io.Writer, a *ask.DuplicatesAnswer) { duplicatesTable(w, a, hint) })
			})
		},
	}
	b.bind(c, 1, "one URL a line")
	bindQuestion(c.Flags(), &q, "limit")
	bindQuestion(c.Flags(), groups,
		"view", "sort", "reverse", "label", "threshold", "order", "method", "resemblance", "link_contained", "contains", "members")
	c.Flags().Lookup("limit").Usage = "list at most this many groups, without a URL" + allRows
	c.Flags().Lookup("each").Usage = "without a URL, list at most N pages of a group; 0: all"
	o.bindColumns(c.Flags())
	o.bind(c.Flags(), "a page with a similar text, or a page of a group")
	c.Flags().StringVar(&revisits, "revisits", "", "write revisit records for captures of the same content to `FILE`, a new .warc or .warc.gz")
	return c
}

// writeRevisits writes revisit records to a new file and prints their index.
func writeRevisits(ctx context.Context, r *runs.Run, path string) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("%w; name a new file", err)
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			os.Remove(path)
		}
	}()
	n, err := crawls.Revisits(ctx, r, f, path, strings.HasSuffix(path, ".gz"), func(key string, l *crawls.RevisitLine) error {
		fmt.Fprintf(printed, "%s ", harmless.Line(key))
		return writeLine(printed, l)
	})
	if err != nil {
		return err
	}
	say("%d of %s could have been revisits; their records take %d bytes, as revisits %d", n.Revisits, count(int64(n.Captures), "capture"),
		n.Bytes, n.Instead)
	if n.Without > 0 {
		say("not compared, because they state no payload digest, are cut, or share a member of gzip: %s", count(int64(n.Without), "response"))
	}
	return nil
}

// duplicatesTable lists pages with similar texts, and below them tells about the text of the page itself. If there are
// none, it prints hint.
func duplicatesTable(w io.Writer, a *ask.DuplicatesAnswer, hint string) {
	defer fold(w, a.Words, 0)
	if len(a.Items) == 0 {
		fold(w, "no page has a text similar to that of "+whole(a.URL), 0)
		stdout().fold(w, hint, 2, 4)
		return
	}
	fold(w, fmt.Sprintf("%s with a text similar to that of %s", count(a.Total, "page"), whole(a.URL)), 0)
	rows := make([]pageRow, len(a.Items))
	for i, p := range a.Items {
		rows[i] = pageRow{alikeness(p.Relation, p.Resemblance, p.StdErr), withLabel(p.Name, p.Label),
			relationWords(p.Relation, p.ThisInOther, p.OtherInThis), p.URL}
	}
	pageList(w, pageRow{"alike", "page", "how", "url"}, rows)
	fmt.Fprintln(w)
}

// alikeness formats a resemblance as a percentage. Only texts that are equal are alike by 100 %.
func alikeness(relation string, resemblance, stdErr float64) string {
	switch {
	case relation == "chain" && resemblance == 0:
		return "-"
	case stdErr > 0:
		return fmt.Sprintf("%.0f±%.0f %%", 100*resemblance, math.Ceil(100*stdErr))
	case resemblance > 0 && resemblance < 0.005:
		return " <1 %"
	case resemblance < 1:
		resemblance = min(resemblance, 0.994)
	}
	return fmt.Sprintf("%3.0f %%", 100*resemblance)
}

// relationWords describes the relation of another text to one.
func relationWords(relation string, ofThis, ofOther texts.Share) string {
	switch relation {
	case "identical":
		return "same bytes"
	case "lexical":
		return "same words"
	case "shingle":
		return "same runs of words"
	case "chain":
		return "by way of others"
	}
	switch {
	case !ofThis.Known():
		return relation
	case ofThis == 1:
		return "has all of it"
	case relation == "contained" && ofOther > ofThis:
		return portion(float64(ofOther)) + " is part of it"
	}
	return fmt.Sprintf("has %s of it", portion(float64(ofThis)))
}

// withLabel adds the label of a page that is not content to its name.
func withLabel(name, label string) string {
	if label == "" {
		return name
	}
	return strings.TrimSpace(name + " [" + label + "]")
}
