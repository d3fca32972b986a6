package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/resemble"
	"github.com/spf13/cobra"
)

func newClusters() *cobra.Command {
	var (
		top     int
		members bool
		format  string
	)
	c := &cobra.Command{
		Use:   "clusters RUN",
		Short: "The clusters of pages with much the same text",
		Long: `Clusters lists the syntactic clusters of two pages or more, the largest first, with what holds them together: pages that
do not equal one another, pages that hang on through a chain only, the diameter in links, and the lowest link, above
which as a threshold the cluster falls apart. Topical clusters are in topical_clusters.parquet.`,
		Example: `  lshclust clusters RUN
  lshclust clusters RUN --members --format jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkTop(top); err != nil {
				return err
			}
			r, err := query.Open(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			groups, err := r.Groups(members)
			if err != nil {
				return err
			}
			return writeGroups(os.Stdout, format, groups[:min(len(groups), top)], members)
		},
	}
	f := c.Flags()
	f.IntVar(&top, "top", 20, "`N` clusters at most")
	f.BoolVar(&members, "members", false, "list the pages too")
	f.StringVar(&format, "format", formatTable, "table, json, jsonl, csv or tsv")
	return c
}

func newRecluster() *cobra.Command {
	var (
		policy resemble.Policy
		method string
		top    int
		format string
	)
	c := &cobra.Command{
		Use:   "recluster RUN",
		Short: "Cluster the pages anew under another threshold or policy",
		Long: `Recluster joins the stored pairs of a run under another policy, without reading the crawl again, and lists the clusters
with their pages. The run is not changed. A policy can ask for no less than the run has stored. Other methods go back to
the stored shingles: pairs by super-shingles, which find the very similar fast, or by groups of minima (both verified
exactly), and greedy clustering around representatives, which knows no chains.`,
		Example: `  lshclust recluster RUN --resemblance 0.9
  lshclust recluster RUN --resemblance 0.5 --link-contained 0.9 --format tsv > clusters.tsv
  lshclust recluster RUN --method greedy --top 20`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkTop(top); err != nil {
				return err
			}
			if !slices.Contains(query.Methods, method) {
				return usage(fmt.Errorf("method %q is none of %s", method, strings.Join(query.Methods, ", ")))
			}
			if policy.Threshold > 1 || policy.Containment > 1 {
				return usage(errors.New("resemblance and containment are at most 1"))
			}
			r, err := query.Open(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			groups, err := r.Recluster(c.Context(), method, policy)
			if err != nil {
				return err
			}
			if format == formatTable {
				fmt.Fprintf(os.Stderr, "%d clusters of two pages or more\n", len(groups))
			}
			return writeGroups(os.Stdout, format, groups[:min(len(groups), top)], format != formatTable)
		},
	}
	f := c.Flags()
	f.StringVar(&method, "method", query.ByPairs, strings.Join(query.Methods, ", "))
	f.Float64Var(&policy.Threshold, "resemblance", 0.5, "exact resemblance of pages that are linked")
	f.Float64Var(&policy.Containment, "link-contained", 0, "containment that links pages too; 0: none does")
	f.IntVar(&top, "top", 1<<30, "`N` clusters at most")
	f.StringVar(&format, "format", formatTable, "table, json, jsonl, csv or tsv (one page a row)")
	return c
}

// writeGroups writes clusters: for people and as JSON one an entry, as rows one page each if there are members.
func writeGroups(w io.Writer, format string, groups []query.Group, members bool) error {
	if err := checkFormat(format, formatTable, formatJSON, formatJSONL, formatCSV, formatTSV); err != nil {
		return err
	}
	switch format {
	case formatTable:
		groupsTable(w, groups)
		return nil
	case formatJSON:
		return writeJSON(w, groups)
	}
	if members {
		return memberRows(w, format, groups)
	}
	out := newRowWriter(w, format, "cluster_id", "representative", "size", "distinct", "chained", "links", "lowest_link", "diameter", "diameter_most")
	for _, g := range groups {
		if err := out.row(g.ID, g.Representative, g.Size, g.Distinct, g.Chained, g.Links, g.Lowest, g.DiameterLow, g.DiameterHigh); err != nil {
			return err
		}
	}
	return out.close()
}

func memberRows(w io.Writer, format string, groups []query.Group) error {
	out := newRowWriter(w, format, "cluster_id", "cluster_size", "representative", "url")
	for _, g := range groups {
		for _, u := range g.URLs {
			if err := out.row(g.ID, g.Size, g.Representative, u); err != nil {
				return err
			}
		}
	}
	return out.close()
}

func groupsTable(w io.Writer, groups []query.Group) {
	fmt.Fprintf(w, "%8s %9s %8s %9s %9s  %s\n", "pages", "distinct", "chained", "diameter", "lowest", "representative")
	for _, g := range groups {
		diameter := fmt.Sprint(g.DiameterLow)
		if g.DiameterHigh > g.DiameterLow {
			diameter = fmt.Sprintf("%d-%d", g.DiameterLow, g.DiameterHigh)
		}
		lowest := fmt.Sprintf("%.3f", g.Lowest)
		if g.Links == 0 && g.Distinct > 1 { // greedy: around a representative, without links
			diameter, lowest = "-", "-"
		}
		fmt.Fprintf(w, "%8d %9d %8d %9s %9s  %s\n", g.Size, g.Distinct, g.Chained, diameter, lowest, line(g.Representative, width()-50))
		for _, u := range g.URLs {
			fmt.Fprintf(w, "%50s%s\n", "", line(u, width()-50))
		}
	}
}
