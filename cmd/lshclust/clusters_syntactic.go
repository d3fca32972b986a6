package main

import (
	"context"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/internal/query"
)

// syntactic lists the syntactic clusters.
func (l *clusterList) syntactic(ctx context.Context, r *query.Run) error {
	clusters, all, err := l.selectedSyntactic(ctx, r)
	if err != nil {
		return err
	}
	noteSketches(r)
	if l.format == formatTable && l.contains == "" {
		say("%s of two pages or more", count(all, "syntactic cluster"))
	}
	for i := range clusters {
		clusters[i].URLs = page(clusters[i].URLs, l.skip, l.limit)
	}
	return writeSyntactic(printed, &l.output, clusters, l.members || l.contains != "")
}

// selectedSyntactic returns the clusters to list, and how many there are without the limit of --top.
func (l *clusterList) selectedSyntactic(ctx context.Context, r *query.Run) (clusters []query.SyntacticCluster, all int, err error) {
	if l.contains == "" {
		clusters, err = l.again.syntactic(ctx, r, l.members)
		return clusters[:min(len(clusters), l.top)], len(clusters), err
	}
	ids, err := documentsOf(r, r.LookupPage, []string{l.contains})
	if err != nil {
		return nil, 0, err
	}
	c, err := r.SyntacticCluster(ids[0])
	if err == nil && c.Size == 1 {
		say("%s is alone in its cluster: no page has a similar text", c.Representative)
	}
	return []query.SyntacticCluster{c}, 1, err
}

// writeSyntactic writes clusters: one cluster an entry in the table and in JSON, and in the other formats one row for
// each member, or for each cluster if members are not wanted.
func writeSyntactic(w io.Writer, o *output, clusters []query.SyntacticCluster, members bool) error {
	switch o.format {
	case formatTable:
		syntacticTable(w, clusters)
		return nil
	case formatJSON:
		return writeJSON(w, clusters)
	}
	if members {
		return syntacticMembers(w, o, clusters)
	}
	out := o.rows(w, "cluster_id", "representative", "size", "distinct", "chained", "links", "lowest_link", "diameter", "diameter_most")
	for _, c := range clusters {
		if err := out.row(c.ID, c.Representative, c.Size, c.Distinct, c.Chained, c.Links, c.Lowest, c.DiameterLow, c.DiameterHigh); err != nil {
			return err
		}
	}
	return out.close()
}

func syntacticMembers(w io.Writer, o *output, clusters []query.SyntacticCluster) error {
	out := o.rows(w, "cluster_id", "cluster_size", "representative", "url")
	for _, c := range clusters {
		for _, u := range c.URLs {
			if err := out.row(c.ID, c.Size, c.Representative, u); err != nil {
				return err
			}
		}
	}
	return out.close()
}

func syntacticTable(w io.Writer, clusters []query.SyntacticCluster) {
	const before = 47 // columns of the figures
	fmt.Fprintf(w, "%6s %9s %10s %8s %10s\n", "", "different", "only via", "longest", "lowest")
	fmt.Fprintf(w, "%6s %9s %10s %8s %10s  %s\n", "pages", "texts", "others", "path", "link", "representative")
	representatives := make([]string, len(clusters))
	for i, c := range clusters {
		representatives[i] = c.Representative
	}
	representatives = stdout().lastColumn(representatives, before)
	for i, c := range clusters {
		path := fmt.Sprint(c.DiameterLow)
		if c.DiameterHigh > c.DiameterLow {
			path = fmt.Sprintf("%d-%d", c.DiameterLow, c.DiameterHigh)
		}
		lowest := fmt.Sprintf("%.3f", c.Lowest)
		if c.Links == 0 && c.Distinct > 1 { // the greedy method makes no links
			path, lowest = "-", "-"
		}
		fmt.Fprintf(w, "%6d %9d %10d %8s %10s%s\n", c.Size, c.Distinct, c.Chained, path, lowest, representatives[i])
		for _, u := range stdout().fitURLs(c.URLs, width()-8) {
			fmt.Fprintf(w, "%8s%s\n", "", u)
		}
	}
}
