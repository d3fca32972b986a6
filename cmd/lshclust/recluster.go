package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/resemble"
	"github.com/spf13/cobra"
)

func newRecluster() *cobra.Command {
	var (
		policy resemble.Policy
		method string
		top    int
		o      output
	)
	c := &cobra.Command{
		Use:   "recluster RUN",
		Short: "Cluster the pages anew under another threshold or policy",
		Long: `Recluster joins the stored pairs of a run under another policy, without reading the crawl again, and lists the syntactic
clusters with their pages, in the columns of lshclust clusters --view syntactic. The run is not changed. A policy can ask
for no less than the run has stored. Other methods go back to the stored shingles: pairs by super-shingles, which find the
very similar fast, or by groups of minima (both verified exactly), and greedy clustering, in which every page of a cluster
resembles its representative and none hangs on through other pages.`,
		Example: `  lshclust recluster RUN --resemblance 0.9
  lshclust recluster RUN --resemblance 0.5 --link-contained 0.9 --format tsv > clusters.tsv
  lshclust recluster RUN --method greedy --top 20`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if !slices.Contains(query.Methods, method) {
				return usage(fmt.Errorf("method %q is none of %s", method, strings.Join(query.Methods, ", ")))
			}
			r, err := openRun(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			groups, err := r.Recluster(c.Context(), method, policy)
			if err != nil {
				return err
			}
			if o.format == formatTable {
				say("%s of two pages or more", count(len(groups), "cluster"))
			}
			if o.format == formatTable && !c.Flags().Changed("top") {
				top = 20
			}
			if top > 0 {
				groups = groups[:min(len(groups), top)]
			}
			return writeGroups(printed, &o, groups, o.format != formatTable)
		},
	}
	f := c.Flags()
	f.StringVar(&method, "method", query.ByPairs, "`METHOD`: "+strings.Join(query.Methods, ", "))
	f.Float64Var(&policy.Threshold, "resemblance", 0.5, "exact resemblance of two pages that are linked, at least `R`")
	f.Float64Var(&policy.Containment, "link-contained", 0, "link pages for their containment from `C` on too; 0 links none for it")
	f.IntVar(&top, "top", 0, "`N` clusters at most; 0: all (default 20 in the table, else all)")
	inRange(f, "resemblance", 0, 1)
	inRange(f, "link-contained", 0, 1)
	counting(f, 0, "top")
	o.bind(f, "a page")
	f.SortFlags = false
	return c
}
