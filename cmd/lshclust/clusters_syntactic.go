package main

import (
	"fmt"
	"io"

	"github.com/lshclust/lshclust/query"
)

// syntactic lists clusters of pages with much the same text.
func (l *clusterList) syntactic(r *query.Run) error {
	groups, err := r.Groups(l.members || l.contains != "")
	if err != nil {
		return err
	}
	all := len(groups)
	if l.contains != "" {
		ids, err := documentsOf(r, r.LookupPage, []string{l.contains})
		if err != nil {
			return err
		}
		g, err := r.GroupOf(ids[0])
		if err != nil {
			return err
		}
		if g.Size == 1 {
			say("%s is alone in its cluster: no page has much the same text", g.Representative)
		}
		groups = []query.Group{g}
	}
	groups = groups[:min(len(groups), l.top)]
	if l.format == formatTable && l.contains == "" {
		say("%s of two pages or more with much the same text", count(all, "syntactic cluster"))
	}
	for i := range groups {
		groups[i].URLs = page(groups[i].URLs, l.skip, l.limit)
	}
	return writeGroups(printed, &l.output, groups, l.members || l.contains != "")
}

// writeGroups writes clusters: for people and as JSON one an entry, as rows one page each if there are members.
func writeGroups(w io.Writer, o *output, groups []query.Group, members bool) error {
	switch o.format {
	case formatTable:
		groupsTable(w, groups)
		return nil
	case formatJSON:
		return writeJSON(w, groups)
	}
	if members {
		return memberRows(w, o, groups)
	}
	out := o.rows(w, "cluster_id", "representative", "size", "distinct", "chained", "links", "lowest_link", "diameter", "diameter_most")
	for _, g := range groups {
		if err := out.row(g.ID, g.Representative, g.Size, g.Distinct, g.Chained, g.Links, g.Lowest, g.DiameterLow, g.DiameterHigh); err != nil {
			return err
		}
	}
	return out.close()
}

func memberRows(w io.Writer, o *output, groups []query.Group) error {
	out := o.rows(w, "cluster_id", "cluster_size", "representative", "url")
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
	const before = 47 // columns of the figures
	fmt.Fprintf(w, "%6s %9s %10s %8s %10s\n", "", "different", "only via", "longest", "lowest")
	fmt.Fprintf(w, "%6s %9s %10s %8s %10s  %s\n", "pages", "texts", "others", "path", "link", "representative")
	representatives := make([]string, len(groups))
	for i, g := range groups {
		representatives[i] = g.Representative
	}
	representatives = stdout().lastColumn(representatives, before)
	for i, g := range groups {
		path := fmt.Sprint(g.DiameterLow)
		if g.DiameterHigh > g.DiameterLow {
			path = fmt.Sprintf("%d-%d", g.DiameterLow, g.DiameterHigh)
		}
		lowest := fmt.Sprintf("%.3f", g.Lowest)
		if g.Links == 0 && g.Distinct > 1 { // greedy: around a representative, without links
			path, lowest = "-", "-"
		}
		fmt.Fprintf(w, "%6d %9d %10d %8s %10s%s\n", g.Size, g.Distinct, g.Chained, path, lowest, representatives[i])
		for _, u := range stdout().fitURLs(g.URLs, width()-8) {
			fmt.Fprintf(w, "%8s%s\n", "", u)
		}
	}
}
