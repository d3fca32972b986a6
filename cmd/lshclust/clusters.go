package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// clusterList holds the flags of clusters.
type clusterList struct {
	ask.Clusters
	Contains string `value:"URL" doc:"list only the cluster of the page at URL, with its members"`
	Members  bool   `doc:"list the members of the clusters too"`
	Each     int    `value:"N" doc:"list at most N members of a cluster; 0: all"`
	groups   bool   // whether the command is duplicates, which lists groups
	output
	batch
}

const clustersLong = `Clusters lists the clusters of two pages or more of one view of a run, the largest first. Without --view it lists the
topical clusters if the run has any, and otherwise the syntactic ones.

Topical clusters (--view topical) are pages, crawled or not, that the web describes in similar words. A row shows the number
of members; the label: phrases that are common in the titles of the members, the anchors of links to them and the sentences
around these links, and rare elsewhere; the hosts of the members, with the share on the most common one, which is low for a
topic that many sites share (--sort hosts begins with the lowest); and the member that most hosts link to.

With --members the members follow, the most similar to the center first, with their exact similarity to it and the number of
pages that link to them.

Syntactic clusters (--view syntactic) are pages with similar texts. A row says by how much the weakest link that holds the
cluster together is alike (at a threshold above it, the cluster falls apart), how many texts do not equal one another, and
how many pages belong to the cluster only by way of others, because they have no link to the representative.

--threshold and --order cluster the documents of the topical view again, --method, --resemblance and --link-contained those
of the syntactic view, with what the run has stored; the run does not change. Values below those of the run are refused.
Methods other than pairs compare the stored shingles: super-shingles finds very similar pages fast and verifies them
exactly, and greedy forms clusters in which every page resembles the representative.`

func newClusters() *cobra.Command {
	l := &clusterList{batch: batch{each: 1}, Clusters: ask.Defaults(ask.Clusters{Window: ask.Window{Limit: 20}})}
	l.View = "" // chosen by the run
	c := &cobra.Command{
		Use:   "clusters RUN",
		Short: "The clusters of a run: pages of one topic, or pages with similar texts",
		Long:  clustersLong,
		Example: `  lshclust clusters RUN                                    # the largest topical clusters
  lshclust clusters RUN --sort hosts --limit 50             # topics that span many hosts
  lshclust clusters RUN --label "text editor" --members
  lshclust clusters RUN --contains vim.org                 # the cluster of a page, whole
  lshclust clusters RUN --contains vim.org --limit 10      # the ten members that are most similar to the center
  lshclust clusters RUN --members --format csv > members.csv
  lshclust clusters RUN --view syntactic --members
  lshclust clusters RUN --threshold 0.3 --order similarity --members --format csv > members.csv
  lshclust clusters RUN --resemblance 0.9                  # the pages that resemble each other more
  lshclust clusters RUN --method greedy`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := errors.Join(l.checkAgain(c.Flags()), l.check(c.Flags().Changed("sort"))); err != nil {
				return err
			}
			return withRun(args[0], func(r *runs.Run) error { return l.run(c, r) })
		},
	}
	l.bind(c.Flags())
	return c
}

func (l *clusterList) bind(f *pflag.FlagSet) {
	bindQuestion(f, l)
	f.Lookup("view").Usage += " (default topical if the run has such clusters)"
	f.Lookup("limit").Usage = "list at most this many clusters, or, with --contains, members" + allRows
	l.output.bindColumns(f)
	l.output.bind(f, "a cluster, or a member with --members or --contains")
	for _, of := range againFlags {
		inGroup(f, of.heading, of.flags...)
	}
}

// check reports wrong usage before the run is opened.
func (l *clusterList) check(sorted bool) error {
	switch {
	case l.View == config.Syntactic && (sorted || l.Reverse || l.Label != ""):
		return usage(errors.New("--sort, --reverse and --label are for topical clusters"))
	case l.Label != "" && !strings.ContainsFunc(l.Label, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return usage(fmt.Errorf("--label %q holds no word", l.Label))
	}
	if l.View == "" && (sorted || l.Reverse || l.Label != "") {
		l.View = config.Topical
	}
	return nil
}

func (l *clusterList) run(c *cobra.Command, r *runs.Run) error {
	l.View = cmp.Or(l.View, ask.DefaultView(r))
	l.listAll(c.Flags(), &l.Limit)
	if l.View == config.Syntactic {
		noteSketches(r)
	}
	if l.Contains != "" {
		return l.containing(c.Context(), c.Flags().Changed("limit"), r)
	}
	a, err := l.Ask(c.Context(), r)
	switch {
	case err != nil:
		return err
	case l.Label != "" && a.Total == 0:
		return fmt.Errorf("no topical cluster has %q in its label; lshclust related finds pages by URL", l.Label)
	case l.format == formatTable:
		said := count(a.Total, "topical cluster") + " of two pages or more"
		switch {
		case l.View == config.Syntactic:
			said = count(a.Total, "group") + " of pages with similar texts"
		case l.Label != "":
			said += " with these words"
		}
		fold(printed, said, 0)
		if l.Members {
			fmt.Fprintln(printed)
		}
	}
	if !l.Members {
		return show(l.output, a, clustersTable)
	}
	put, end := answers(l.output, true, l.membersTable)
	for i := range a.Items {
		if err := put(a.Items[i].Members(r, l.window())); err != nil {
			return err
		}
	}
	return end()
}

// containing lists the cluster that contains a page.
func (l *clusterList) containing(ctx context.Context, limited bool, r *runs.Run) error {
	if limited && l.Each == 0 {
		l.Each = l.Limit // there is one cluster only
	}
	return answerEach(ctx, &l.batch, l.output, r, []string{l.Contains}, func(urls []string) (*ask.ClusterAnswer, error) {
		c, err := ask.ClusterOf(r, l.View, urls[0])
		if err != nil {
			return nil, err
		}
		if c.Size == 1 {
			why := "no page has a similar text"
			if l.View == config.Topical {
				why = fmt.Sprintf("no center has a similarity of %g or more to it", r.Config.Threshold)
			}
			say("%s is alone in its cluster: %s", c.URL, why)
		}
		return c.Members(r, l.window()), nil
	}, l.membersTable)
}

// window returns the members that are listed.
func (l *clusterList) window() ask.Window {
	return ask.Window{Limit: cmp.Or(l.Each, math.MaxInt)}
}

// againFlags lists, for each view, the flags that cluster it again.
var againFlags = []struct {
	view, heading string
	flags         []string
}{
	{config.Topical, "Topical clusters with other settings", []string{"threshold", "order"}},
	{config.Syntactic, "Syntactic clusters with other settings", []string{"method", "resemblance", "link-contained"}},
}

// checkAgain reports wrong usage before the run is opened, and chooses the view from the flags.
func (l *clusterList) checkAgain(f *pflag.FlagSet) error {
	for _, of := range againFlags {
		i := slices.IndexFunc(of.flags, f.Changed)
		if i < 0 {
			continue
		}
		if l.View != "" && l.View != of.view {
			return usage(fmt.Errorf("--%s is for the %s view and does not go with the %s one", of.flags[i], of.view, l.View))
		}
		l.View = of.view
		if l.Contains != "" {
			return usage(errors.New("--contains is for the clusters of the run, not for those with other settings"))
		}
	}
	return nil
}
