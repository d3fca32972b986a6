package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// clusterList is the flags of clusters: which clusters it lists, and how.
type clusterList struct {
	view, sort      string
	reverse         bool
	label, contains string
	top             int
	members         bool
	skip, limit     int
	tree            bool
	depth           int
	output
	again reclustering
}

const clustersLong = `Clusters lists the clusters of two pages or more of one view of a run, the largest first. Without --view it lists the
topical clusters if the run has any, and otherwise the syntactic ones.

Topical clusters (--view topical) are pages, crawled or not, that the web describes in similar words. Columns:
  pages      members of the cluster
  hosts      hosts of the members
  top host   share of the members on the most common of these hosts: low for a topic that many sites share, 100 % for
             the pages of one site; --sort hosts begins with the lowest
  label      what the cluster is about: phrases that are common in the titles of the members, the anchors of links to
             them and the sentences around these links, and rare elsewhere
  center     the page around which the cluster was formed

With --members the members follow, the most similar to the center first, with their exact similarity to it, in-links (pages
that link to the member), whether they were crawled, and linking words: the most common anchor texts, or else the title.

With --tree, the topical clusters are joined to larger ones, and these again: an indented tree, in which a label says what
distinguishes a cluster from its siblings. The levels are those of the run (tree in lshclust config). --top is for the
clusters that no other one contains, --limit for those right below one another (5 in a table) and for pages. With --label,
the listing begins at the largest clusters with these words; with --contains, it is the way down to the cluster of a page.
With --members, pages follow, and a row of csv, tsv and jsonl is a page with the ids and labels from the top down.

Syntactic clusters (--view syntactic) are pages with similar texts. Columns:
  pages            members of the cluster
  different texts  members whose texts do not equal one another
  only via others  members that belong to the cluster only through other pages, because they have no link to the
                   representative; a link is a pair at the threshold of the run ("chained" in data formats)
  longest path     number of links between the two members farthest apart, as a range if it is not known exactly
                   ("diameter" in data formats)
  lowest link      resemblance of the weakest link that holds the cluster together: at a threshold above it the cluster
                   falls apart; 1 if all texts are equal

--threshold and --order cluster the documents of the topical view again, --method, --resemblance and --link-contained those
of the syntactic view, with what the run has stored; the run does not change. Values below those of the run are refused.
Methods other than pairs compare the stored shingles: super-shingles finds very similar pages fast and verifies them
exactly, and greedy forms clusters in which every page resembles the representative.`

func newClusters() *cobra.Command {
	l := &clusterList{}
	c := &cobra.Command{
		Use:   "clusters RUN",
		Short: "The clusters of a run: pages of one topic, or pages with similar texts",
		Long:  clustersLong,
		Example: `  lshclust clusters RUN                                    # the largest topical clusters
  lshclust clusters RUN --sort hosts --top 50              # topics that span many hosts
  lshclust clusters RUN --label "text editor" --members
  lshclust clusters RUN --contains vim.org                 # the cluster of a page, whole
  lshclust clusters RUN --contains vim.org --top 10        # the ten members that are most similar to the center
  lshclust clusters RUN --contains vim.org --skip 100 --limit 100
  lshclust clusters RUN --members --top 1000 --format csv > members.csv
  lshclust clusters RUN --tree                             # clusters of clusters
  lshclust clusters RUN --tree --contains vim.org          # from the largest topic down to the cluster of a page
  lshclust clusters RUN --tree --label perl --depth 2 --limit 20
  lshclust clusters RUN --view syntactic --members
  lshclust clusters RUN --threshold 0.3 --order similarity --members --top 1000 --format csv > members.csv
  lshclust clusters RUN --resemblance 0.9                  # the pages that resemble each other more
  lshclust clusters RUN --method greedy`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := errors.Join(l.checkAgain(c.Flags()), l.checkTree(), l.check(c.Flags().Changed("sort"))); err != nil {
				return err
			}
			if l.contains != "" && c.Flags().Changed("top") && !c.Flags().Changed("limit") {
				l.limit = l.top // there is one cluster only
			}
			r, err := openRun(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			return l.run(c.Context(), r)
		},
	}
	l.bind(c.Flags())
	return c
}

func (l *clusterList) bind(f *pflag.FlagSet) {
	f.StringVar(&l.view, "view", "", "`VIEW`: topical or syntactic (default topical if the run has such clusters)")
	f.StringVar(&l.sort, "sort", query.SortBySize, "`ORDER` of topical clusters: "+strings.Join(query.TopicalSorts, ", "))
	f.BoolVar(&l.reverse, "reverse", false, "reverse the order")
	f.StringVar(&l.label, "label", "", "list only topical clusters whose label has all of these `WORDS`")
	f.StringVar(&l.contains, "contains", "", "list only the cluster of the page at `URL`, with its members")
	f.IntVar(&l.top, "top", 20, "list at most `N` clusters, or, with --contains, members")
	f.BoolVar(&l.members, "members", false, "list the members of the clusters too")
	f.IntVar(&l.limit, "limit", 0, "list at most `N` members of a cluster; 0: all")
	f.IntVar(&l.skip, "skip", 0, "skip the first `N` members of a cluster, to page through a large one")
	f.BoolVar(&l.tree, "tree", false, "list the tree of the topical clusters")
	f.IntVar(&l.depth, "depth", 0, "with --tree, list at most `N` nodes one below the other; 0: 3 in a table, otherwise all")
	counting(f, 1, "top")
	counting(f, 0, "limit", "skip", "depth")
	l.output.bind(f, "a cluster, or a member with --members or --contains")
	l.again.bind(f)
	f.SortFlags = false
}

// check refuses wrong usage before the run is opened.
func (l *clusterList) check(sorted bool) error {
	if err := l.output.check(); err != nil {
		return err
	}
	switch {
	case l.view != "" && l.view != config.Topical && l.view != config.Syntactic:
		return usage(fmt.Errorf("view %q is neither %s nor %s", l.view, config.Topical, config.Syntactic))
	case !slices.Contains(query.TopicalSorts, l.sort):
		return usage(fmt.Errorf("order %q is not one of %s", l.sort, strings.Join(query.TopicalSorts, ", ")))
	case l.view == config.Syntactic && (sorted || l.reverse || l.label != ""):
		return usage(errors.New("--sort, --reverse and --label are for topical clusters"))
	case l.label != "" && !strings.ContainsFunc(l.label, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return usage(fmt.Errorf("--label %q holds no word", l.label))
	}
	if l.view == "" && (sorted || l.reverse || l.label != "") {
		l.view = config.Topical
	}
	return nil
}

func (l *clusterList) run(ctx context.Context, r *query.Run) error {
	if l.tree {
		return l.listTree(r)
	}
	if l.view == "" {
		l.view = config.Syntactic
		if r.Manifest.Counts["topical_clusters_of_two_or_more"] > 0 || !r.Config.Has(config.Syntactic) {
			l.view = config.Topical
		}
	}
	if l.view == config.Syntactic {
		return l.syntactic(ctx, r)
	}
	return l.topical(ctx, r)
}

// page returns the part of a list that is shown: at most limit elements, all if limit is 0, after the first skip ones.
func page[T any](all []T, skip, limit int) []T {
	all = all[min(len(all), skip):]
	if limit > 0 {
		all = all[:min(len(all), limit)]
	}
	return all
}
