package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/resemble"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// reclustering is the flags of recluster.
type reclustering struct {
	view string
	top  int
	output

	// Of the topical view.
	threshold float64
	order     string

	// Of the syntactic view.
	method string
	policy resemble.Policy
}

// reclusterFlags are the flags of recluster that are for one view.
var reclusterFlags = []struct {
	view, heading string
	flags         []string
}{
	{config.Topical, "Topical view", []string{"threshold", "order"}},
	{config.Syntactic, "Syntactic view", []string{"method", "resemblance", "link-contained"}},
}

func newRecluster() *cobra.Command {
	l := &reclustering{}
	c := &cobra.Command{
		Use:   "recluster RUN",
		Short: "Cluster the documents of a run again, with other settings",
		Long: `Recluster clusters the documents of one view of a run again with other settings. It uses what the run has stored, so that
it does not read the crawl, and it does not change the run. It lists the new clusters and their members in the columns of
lshclust clusters; the table lists the topical clusters without their members.

The topical view runs CENTER over the stored pairs at another --threshold or in another --order. A threshold below the
smallest stored similarity (min_similarity in lshclust config) is refused.

The syntactic view links the stored pairs with another --resemblance or --link-contained. Values below those of the run are
refused. Other methods compare the stored shingles again: super-shingles finds very similar pages fast, minima finds them by
groups of minima, both verified exactly, and greedy forms clusters in which every page resembles the representative, so that
no page belongs to a cluster through other pages only.

Without --view the flags decide. If they are for neither view, the syntactic view is clustered if the run has it.`,
		Example: `  lshclust recluster RUN --view topical --threshold 0.2
  lshclust recluster RUN --view topical --threshold 0.3 --order similarity --format csv > members.csv
  lshclust recluster RUN --view syntactic --resemblance 0.9
  lshclust recluster RUN --resemblance 0.5 --link-contained 0.9 --format tsv > clusters.tsv
  lshclust recluster RUN --method greedy --top 20`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := l.check(c.Flags()); err != nil {
				return err
			}
			r, err := openRun(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			return l.run(c.Context(), c.Flags(), r)
		},
	}
	l.bind(c.Flags())
	return c
}

func (l *reclustering) bind(f *pflag.FlagSet) {
	f.StringVar(&l.view, "view", "", "`VIEW` to cluster: topical or syntactic")
	f.IntVar(&l.top, "top", 0, "list at most `N` clusters; 0: all (default 20 in the table, else all)")
	l.output.bind(f, "a member of a cluster")
	f.Float64Var(&l.threshold, "threshold", 0, "a member has an exact similarity of at least `S` to its center (default that of the run)")
	f.StringVar(&l.order, "order", "", "`ORDER` in which CENTER scans the documents: id, degree or similarity (default that of the run)")
	f.StringVar(&l.method, "method", query.MethodPairs, "`METHOD` of finding and joining similar pages: "+strings.Join(query.SyntacticMethods, ", "))
	f.Float64Var(&l.policy.Threshold, "resemblance", 0.5, "link two pages with an exact resemblance of at least `R`")
	f.Float64Var(&l.policy.Containment, "link-contained", 0, "also link two pages if one contains at least a share `C` of the other; 0: never")
	for _, of := range reclusterFlags {
		inGroup(f, of.heading, of.flags...)
	}
	for _, name := range []string{"threshold", "resemblance", "link-contained"} {
		inRange(f, name, 0, 1)
	}
	counting(f, 0, "top")
	f.SortFlags = false
}

// check refuses wrong usage before the run is opened, and lets the flags choose the view.
func (l *reclustering) check(f *pflag.FlagSet) error {
	if err := l.output.check(); err != nil {
		return err
	}
	if l.view != "" && l.view != config.Topical && l.view != config.Syntactic {
		return usage(fmt.Errorf("view %q is neither %s nor %s", l.view, config.Topical, config.Syntactic))
	}
	if !slices.Contains(query.SyntacticMethods, l.method) {
		return usage(fmt.Errorf("method %q is not one of %s", l.method, strings.Join(query.SyntacticMethods, ", ")))
	}
	if _, err := center.ParseOrder(l.order); l.order != "" && err != nil {
		return usage(err)
	}
	for _, of := range reclusterFlags {
		i := slices.IndexFunc(of.flags, f.Changed)
		switch {
		case i < 0:
		case l.view == "":
			l.view = of.view
		case l.view != of.view:
			return usage(fmt.Errorf("--%s is for the %s view and does not go with the %s one", of.flags[i], of.view, l.view))
		}
	}
	return nil
}

func (l *reclustering) run(ctx context.Context, f *pflag.FlagSet, r *query.Run) error {
	if l.format == formatTable && !f.Changed("top") {
		l.top = 20
	}
	if l.view == "" {
		l.view = config.Syntactic
		if !r.Config.Has(config.Syntactic) {
			l.view = config.Topical
		}
	}
	if l.view == config.Syntactic {
		return l.syntactic(ctx, r)
	}
	if !f.Changed("threshold") {
		l.threshold = r.Config.Threshold
	}
	if l.order == "" {
		l.order = string(r.Config.Order)
	}
	return l.topical(ctx, r)
}

func (l *reclustering) topical(ctx context.Context, r *query.Run) error {
	clusters, err := r.ReclusterTopical(l.threshold, center.Order(l.order))
	if err != nil {
		return err
	}
	clusters = first(l, clusters, "topical")
	if err := r.LabelTopicalClusters(ctx, clusters); err != nil {
		return err
	}
	list := clusterList{output: l.output, members: l.format != formatTable}
	return list.write(printed, list.shown(r, clusters))
}

func (l *reclustering) syntactic(ctx context.Context, r *query.Run) error {
	clusters, err := r.ReclusterSyntactic(ctx, l.method, l.policy)
	if err != nil {
		return err
	}
	noteSketches(r)
	clusters = first(l, clusters, "syntactic")
	return writeSyntactic(printed, &l.output, clusters, l.format != formatTable)
}

// first prints the number of clusters and returns those to list.
func first[T any](l *reclustering, clusters []T, view string) []T {
	if l.format == formatTable {
		say("%s of two pages or more", count(len(clusters), view+" cluster"))
	}
	if l.top > 0 {
		clusters = clusters[:min(len(clusters), l.top)]
	}
	return clusters
}
