package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// pairing holds the flags of eval pairs.
type pairing struct {
	output
	gold, kind, newer, from, to string
}

func newEvalPairs() *cobra.Command {
	f := &pairing{}
	c := &cobra.Command{
		Use:   "pairs RUN",
		Short: "Compare near-duplicates, containment and moved pages with known pairs",
		Long: `Pairs compares the syntactic view of a run with pairs of URLs that are known to belong together. The gold has a line for
each pair: two URLs separated by a tab. A first line that begins with # may name the columns. The URLs are in the columns
named url, url_a, url_b or ending in _url, and otherwise in the first two; resemblance and NAME_in_NAME hold exact figures;
kind, old_version and new_version distinguish rows.

  near-duplicates  how many of the pairs has the run stored, and put into one cluster? By the resemblance in the gold
  containment      the same, by the larger one of the containments in the gold
  labels           the gold has a label for every page instead (URL, tab, label; or JSON Lines with url and label): how much
                   of a page's cluster has its label, and how much of its label is in its cluster?
  moved            for pages that are gone in a newer crawl: is the page that resembles them most the new URL?

A file of another kind is refused. Pairs on one host and across hosts are also counted separately. A run holds one page for
each URL, so moved takes two runs with the same shingles: RUN of the older crawl, and --newer of the newer one. Rows of
other kinds are ignored. The 95 % intervals are Wilson's and treat pairs as independent. If a gold of labels has only one
label, or none that two pages share, it tells nothing: the command says so and exits with 1.`,
		Example: `  lshclust eval pairs RUN --gold pairs.tsv --kind near-duplicates
  lshclust eval pairs RUN --gold pairs.tsv --kind containment --format csv
  lshclust eval pairs RUN --gold docs.jsonl.gz --kind labels
  lshclust eval pairs OLDRUN --newer NEWRUN --gold moved.tsv --kind moved --from 2023-09-01 --to 2025-06-01`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			r, err := openRun(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			if f.kind == gold.Labels {
				return f.labels(printed, r)
			}
			g, err := gold.ReadPairs(f.gold)
			if err != nil {
				return err
			}
			skippedNotes(os.Stderr, g.Skipped)
			if f.kind == gold.Moved {
				return f.moved(c.Context(), printed, g, r)
			}
			x, err := eval.EvaluatePairs(c.Context(), g, r, f.kind)
			if err != nil {
				return err
			}
			skippedNotes(os.Stderr, x.Unknown)
			return f.write(printed, x)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.gold, "gold", "", "`FILE` of pairs, or of labels")
	flags.StringVar(&f.kind, "kind", gold.NearDuplicates, "`KIND` of gold: near-duplicates, containment, labels or moved")
	flags.StringVar(&f.newer, "newer", "", "`RUN` of the newer crawl, for moved")
	flags.StringVar(&f.from, "from", "", "use rows with this old_`VERSION`, for moved")
	flags.StringVar(&f.to, "to", "", "use rows with this new_`VERSION`, for moved")
	f.output.bind(flags, "")
	flags.SortFlags = false
	return c
}

func (f *pairing) check() error {
	known := []string{formatTable, formatJSON, formatCSV, formatTSV}
	switch {
	case f.gold == "":
		return usage(errors.New("--gold is missing: a file of pairs, or with --kind labels one of labels, such as --gold pairs.tsv"))
	case !slices.Contains([]string{gold.NearDuplicates, gold.Containment, gold.Labels, gold.Moved}, f.kind):
		return usage(fmt.Errorf("--kind %q is not one of near-duplicates, containment, labels, moved", f.kind))
	case (f.kind == gold.Moved) != (f.newer != ""):
		return usage(errors.New("--kind moved and --newer RUN go together: RUN is the older crawl, --newer the newer one"))
	}
	return checkFormat(f.format, known...)
}

// labelOptions are the options for the intervals of labels.
var labelOptions = score.Options{Bootstrap: 1000, Seed: 1}

func (f *pairing) labels(w io.Writer, r *query.Run) error {
	if err := r.Need(config.Syntactic); err != nil {
		return err
	}
	g, err := gold.ReadLabels(f.gold, eval.CrawledPages(r))
	if err != nil {
		return err
	}
	skippedNotes(os.Stderr, g.Skipped)
	s, err := eval.EvaluatePageLabels(g, r, labelOptions)
	if err != nil {
		return err
	}
	switch f.format {
	case formatJSON:
		return writeJSON(w, s)
	case formatJSONL, formatCSV, formatTSV:
		out := f.rows(w, append([]string{"gold"}, figureColumns...)...)
		for _, n := range s.Figures() {
			if err := out.row(append([]any{g.Name}, figureCells(n)...)...); err != nil {
				return err
			}
		}
		return out.close()
	}
	fmt.Fprintf(w, "%s: %s of %s\n", whole(g.Name), count(int64(len(g.Labels)), "label"), count(s.Targets, "page"))
	clusterScores(w, &s, 1)
	fmt.Fprint(w, `
level 1 is the label. B-cubed precision: how much of a page's cluster has its
label. Recall: how much of its label is in its cluster, which is low if pages
of one label have different texts. by chance: clusters of the same sizes with
random members. adjusted: Rand index and mutual information, 0 by chance.
`)
	return nil
}

func (f *pairing) moved(ctx context.Context, w io.Writer, g *gold.Pairs, older *query.Run) error {
	newer, err := openRun(f.newer)
	if err != nil {
		return err
	}
	defer newer.Close()
	if g, err = f.versions(g); err != nil {
		return err
	}
	x, err := eval.EvaluateMoved(ctx, g, older, newer)
	if err != nil {
		return err
	}
	skippedNotes(os.Stderr, x.Unknown)
	switch f.format {
	case formatJSON:
		return writeJSON(w, x)
	case formatTable:
		movedTable(w, x)
		return nil
	}
	return f.movedRows(w, x)
}

func (f *pairing) movedRows(w io.Writer, x *eval.MovedEvaluation) error {
	out := f.rows(w, "gold", "from", "pages", "best", "best_low", "best_high", "best_new", "best_new_low", "best_new_high",
		"among10", "among10_low", "among10_high", "another", "none")
	for _, b := range x.Bins {
		row := slices.Concat([]any{x.Gold, b.From, b.Pages}, numbers(b.Best), numbers(b.BestNew), numbers(b.Among10), []any{b.Another, b.None})
		if err := out.row(row...); err != nil {
			return err
		}
	}
	return out.close()
}

// versions returns the rows of the gold for the versions in the flags.
func (f *pairing) versions(g *gold.Pairs) (*gold.Pairs, error) {
	all := g.Versions()
	asked := [2]string{f.from, f.to}
	switch {
	case len(all) == 1 && asked == [2]string{} || len(all) == 0:
		return g, nil
	case slices.Contains(all, asked):
		return g.Between(f.from, f.to), nil
	}
	var names []string
	for _, v := range all {
		names = append(names, v[0]+" to "+v[1])
	}
	return nil, usage(fmt.Errorf("%s has rows of several versions; give --from and --to: %s", f.gold, strings.Join(names, ", ")))
}

// skippedNotes prints what was left out of a gold.
func skippedNotes(w io.Writer, skipped []gold.Skipped) {
	for _, s := range skipped {
		fmt.Fprintf(w, "gold: %d × %s, such as %s\n", s.Count, s.Reason, whole(s.Examples[0]))
	}
}

func (f *pairing) write(w io.Writer, x *eval.PairEvaluation) error {
	switch f.format {
	case formatJSON:
		return writeJSON(w, x)
	case formatTable:
		pairsTable(w, x)
		return nil
	}
	out := f.rows(w, "hosts", "from", "to", "pairs", "found", "found_low", "found_high", "together", "together_low", "together_high")
	for _, p := range x.Parts {
		for _, b := range p.Bins {
			row := append([]any{p.Hosts, b.From, b.To, b.Found.N}, append(numbers(b.Found), numbers(b.Together)...)...)
			if err := out.row(row...); err != nil {
				return err
			}
		}
	}
	return out.close()
}

func pairsTable(w io.Writer, x *eval.PairEvaluation) {
	w, flush := narrow(w)
	defer flush()
	what := figureName(x.Kind)
	fmt.Fprintf(w, "%s: %s; both pages of %d are in the run\n", whole(x.Gold), count(int64(x.Pairs), "pair"), x.Known)
	fmt.Fprintf(w, "the run stores pairs whose %s is %.2f or more\n", what, x.Threshold)
	if x.Differ.Defined() {
		fmt.Fprintf(w, "the %s in the gold and the exact one in the run differ by %.3f on\naverage, by %.3f at most\n", what, x.Differ.Value, x.DifferMost)
	}
	for _, p := range x.Parts {
		if !slices.ContainsFunc(p.Bins, func(b score.PairBin) bool { return b.Found.Defined() }) {
			fmt.Fprintf(w, "\n%s: no pair\n", p.Hosts)
			continue
		}
		fmt.Fprintf(w, "\n%-20s %7s  %-22s %-22s\n", p.Hosts, "pairs", "stored", "in one cluster")
		row := func(name string, b score.PairBin) {
			fmt.Fprintf(w, "  %-18s %7d  %-22s %s\n", name, b.Found.N, cell(b.Found), cell(b.Together))
		}
		for _, b := range p.Bins {
			row(fmt.Sprintf("gold %.2f-%.2f", b.From, b.To), b)
		}
		row(fmt.Sprintf("run  %.2f-%.2f", p.Own.From, p.Own.To), p.Own)
		fmt.Fprintf(w, "  of the pairs stored between pages that the gold names, it lists\n  %s\n", cell(p.Precision))
	}
	fmt.Fprintln(w)
	prose(w, fmt.Sprintf("gold 0.90-1.00: pairs by the %[1]s in the gold; the last of these rows is everything that the run should have stored. run: pairs by the exact %[1]s in the run, which may split texts into different words. stored: share of the pairs that the run has stored. in one cluster: share of the pairs whose pages are in the same cluster. [low high]: 95 %% intervals (Wilson), which treat pairs as independent.", what), 0, 0)
}

// figureName returns the name of the figure that a kind of gold is about.
func figureName(kind string) string {
	if kind == gold.Containment {
		return "containment"
	}
	return "resemblance"
}

func movedTable(w io.Writer, x *eval.MovedEvaluation) {
	w, flush := narrow(w)
	defer flush()
	fmt.Fprintf(w, "%s: %s; %d of other kinds, %d whose old URL still has a page\n\n", whole(x.Gold), count(int64(x.Rows), "row"), x.Other, x.There)
	for _, b := range x.Bins {
		fmt.Fprintf(w, "resemblance %.2f-1.00: %s\n", b.From, count(int64(b.Pages), "moved page"))
		for _, r := range []struct {
			name string
			f    score.Figure
		}{
			{"the best match is the new URL", b.Best},
			{"the best match among pages that are new is the new URL", b.BestNew},
			{"the new URL is among the ten best matches", b.Among10},
		} {
			fmt.Fprintf(w, "  %-55s %s\n", r.name, cell(r.f))
		}
		fmt.Fprintf(w, "  %-55s %d\n  %-55s %d\n", "pages with another best match", b.Another, "pages without a match", b.None)
	}
}
