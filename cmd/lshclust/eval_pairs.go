package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// pairing is the flags of eval pairs.
type pairing struct {
	gold, kind, newer, from, to, format string
}

func newEvalPairs() *cobra.Command {
	f := &pairing{}
	c := &cobra.Command{
		Use:   "pairs RUN",
		Short: "Near-duplicates, containment and moved pages against gold pairs",
		Long: `Pairs compares the syntactic view with pairs of URLs that are known to belong together. The gold is lines of two URLs with
a tab between; a first line that begins with # names the columns: those named url, url_a, url_b or ending in _url are the
URLs (else the first two), resemblance and X_in_Y exact figures, kind, old_version and new_version what they say.

  near-duplicates  the share of the pairs that the run has stored, and that are in one cluster, by the gold's resemblance
  containment      the same by the larger of the gold's X_in_Y
  labels           a label for every page instead of pairs (URL, tab, label; or JSON Lines with url and label): the share of
                   a page's cluster that has its label, and of its label that is in its cluster
  moved            for pages that are gone in a newer snapshot: is the page that resembles most the new URL?

Same-host and cross-host pairs are counted apart. A run holds one page a URL, so moved takes two runs, one a snapshot,
with the same shingles: RUN is the older one, --newer the other. Rows of kinds other than moved are no fault either way.
Intervals are Wilson's, of 95 %; they take pairs as independent. Precision is over the pairs stored between pages that
the gold names, and means little if it does not list all pairs.`,
		Example: `  lshclust eval pairs RUN --gold pairs.tsv --kind near-duplicates
  lshclust eval pairs RUN --gold pairs.tsv --kind containment --format csv
  lshclust eval pairs RUN --gold docs.jsonl.gz --kind labels
  lshclust eval pairs OLDRUN --newer NEWRUN --gold moved.tsv --kind moved --from 2023-09-01 --to 2025-06-01`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			r, err := query.Open(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			if f.kind == eval.Labels {
				return f.labels(os.Stdout, r)
			}
			g, err := eval.ReadPairs(f.gold)
			if err != nil {
				return err
			}
			skippedNotes(os.Stderr, g.Skipped)
			if f.kind == eval.Moved {
				return f.moved(c.Context(), os.Stdout, g, r)
			}
			x, err := eval.ScorePairs(c.Context(), g, r, f.kind)
			if err != nil {
				return err
			}
			skippedNotes(os.Stderr, x.Unknown)
			return f.write(os.Stdout, x)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.gold, "gold", "", "`FILE` of pairs")
	flags.StringVar(&f.kind, "kind", eval.NearDuplicates, "near-duplicates, containment, labels or moved")
	flags.StringVar(&f.newer, "newer", "", "`RUN` of the newer snapshot, for moved")
	flags.StringVar(&f.from, "from", "", "old_version of the rows, for moved")
	flags.StringVar(&f.to, "to", "", "new_version of the rows, for moved")
	flags.StringVar(&f.format, "format", formatTable, "table, json, csv or tsv (moved and labels: table or json)")
	flags.SortFlags = false
	return c
}

func (f *pairing) check() error {
	known := []string{formatTable, formatJSON, formatCSV, formatTSV}
	switch {
	case f.gold == "":
		return usage(errors.New("--gold is missing: a file of pairs"))
	case !slices.Contains([]string{eval.NearDuplicates, eval.Containment, eval.Labels, eval.Moved}, f.kind):
		return usage(fmt.Errorf("kind %q is none of near-duplicates, containment, labels, moved", f.kind))
	case (f.kind == eval.Moved) != (f.newer != ""):
		return usage(errors.New("--kind moved and --newer RUN go together: RUN is the older snapshot, --newer the newer one"))
	case f.kind == eval.Moved || f.kind == eval.Labels:
		known = known[:2]
	}
	return checkFormat(f.format, known...)
}

// labelOptions are those of the intervals, which resample the labels.
var labelOptions = eval.Options{Bootstrap: 1000, Seed: 1}

func (f *pairing) labels(w io.Writer, r *query.Run) error {
	if err := r.Need(pipeline.Syntactic); err != nil {
		return err
	}
	g, err := eval.ReadLabels(f.gold, r)
	if err != nil {
		return err
	}
	skippedNotes(os.Stderr, g.Skipped)
	s, err := eval.ScoreLabels(g, r, labelOptions)
	if err != nil {
		return err
	}
	if f.format == formatJSON {
		return writeJSON(w, s)
	}
	fmt.Fprintf(w, "%s: %s of %s\n", line(g.Name, 60), count(int64(len(g.Labels)), "label"), count(s.Targets, "page"))
	clusterScores(w, &s, 1)
	return nil
}

func (f *pairing) moved(ctx context.Context, w io.Writer, g *eval.GoldPairs, older *query.Run) error {
	newer, err := query.Open(f.newer)
	if err != nil {
		return err
	}
	defer newer.Close()
	if g, err = f.versions(g); err != nil {
		return err
	}
	x, err := eval.ScoreMoved(ctx, g, older, newer)
	if err != nil {
		return err
	}
	skippedNotes(os.Stderr, x.Unknown)
	if f.format == formatJSON {
		return writeJSON(w, x)
	}
	movedTable(w, x)
	return nil
}

// versions keeps the rows of the versions that were asked for.
func (f *pairing) versions(g *eval.GoldPairs) (*eval.GoldPairs, error) {
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

// skippedNotes tells what was left out of a gold.
func skippedNotes(w io.Writer, skipped []eval.Skipped) {
	for _, s := range skipped {
		fmt.Fprintf(w, "gold: %d × %s, such as %s\n", s.Count, s.Reason, line(s.Examples[0], 160))
	}
}

func (f *pairing) write(w io.Writer, x *eval.PairScores) error {
	switch f.format {
	case formatJSON:
		return writeJSON(w, x)
	case formatTable:
		pairsTable(w, x)
		return nil
	}
	out := newRowWriter(w, f.format, "hosts", "from", "to", "pairs", "found", "found_low", "found_high", "together", "together_low", "together_high")
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

func pairsTable(w io.Writer, x *eval.PairScores) {
	fmt.Fprintf(w, "%s: %s, both pages of %d are in the run, which stores pairs from %s %.2f on (its own: pairs that are there by its own shingles)\n", line(x.Gold, 60), count(int64(x.Pairs), "pair"), x.Known,
		figureName(x.Kind), x.Threshold)
	if x.Differ.Defined() {
		fmt.Fprintf(w, "the exact figures of run and gold differ by %.3f on average, %.3f at most\n", x.Differ.Value, x.DifferMost)
	}
	for _, p := range x.Parts {
		if !slices.ContainsFunc(p.Bins, func(b eval.PairBin) bool { return b.Found.Defined() }) {
			fmt.Fprintf(w, "\n%s: no pair\n", p.Hosts)
			continue
		}
		fmt.Fprintf(w, "\n%-12s %7s  %-22s %-22s\n", p.Hosts, "pairs", "stored", "in one cluster")
		for _, b := range p.Bins {
			fmt.Fprintf(w, "  %.2f-%.2f  %7d  %-22s %-22s\n", b.From, b.To, b.Found.N, cell(b.Found), cell(b.Together))
		}
		fmt.Fprintf(w, "  its own    %7d  %-22s %-22s\n", p.Own.Found.N, cell(p.Own.Found), cell(p.Own.Together))
		fmt.Fprintf(w, "  of the pairs stored between its pages the gold lists %s\n", cell(p.Precision))
	}
}

// figureName is what a kind of gold is about.
func figureName(kind string) string {
	if kind == eval.Containment {
		return "containment"
	}
	return "resemblance"
}

func movedTable(w io.Writer, x *eval.MovedScores) {
	fmt.Fprintf(w, "%s: %s; %d of other kinds, %d whose old URL still has a page\n\n", line(x.Gold, 60), count(int64(x.Rows), "row"), x.Other, x.There)
	fmt.Fprintf(w, "%-12s %6s  %-22s %-22s %-22s %7s %5s\n", "resemblance", "moved", "best match", "best of new pages", "among ten best", "another", "none")
	for _, b := range x.Bins {
		fmt.Fprintf(w, "%.2f-1.00    %6d  %-22s %-22s %-22s %7d %5d\n", b.From, b.Pages, cell(b.Best), cell(b.BestNew), cell(b.Among10), b.Another, b.None)
	}
}
