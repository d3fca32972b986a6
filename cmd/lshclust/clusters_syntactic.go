package main

import (
	"fmt"
	"io"
	"os"

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
		id, err := r.Lookup(l.contains)
		if err != nil {
			return err
		}
		g, err := r.GroupOf(id)
		if err != nil {
			return err
		}
		if g.Size == 1 {
			fmt.Fprintf(os.Stderr, "%s is alone in its cluster: no page has much the same text\n", clean(g.Representative))
		}
		groups = []query.Group{g}
	}
	groups = groups[:min(len(groups), l.top)]
	if l.format == formatTable && l.contains == "" {
		fmt.Fprintf(os.Stderr, "%s of two pages or more with much the same text\n", count(all, "syntactic cluster"))
	}
	for i := range groups {
		groups[i].URLs = page(groups[i].URLs, l.skip, l.limit)
	}
	return writeGroups(os.Stdout, l.format, groups, l.members || l.contains != "")
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
	out := newHeadedWriter(w, format, "cluster_id", "representative", "size", "distinct", "chained", "links", "lowest_link", "diameter", "diameter_most")
	for _, g := range groups {
		if err := out.row(g.ID, g.Representative, g.Size, g.Distinct, g.Chained, g.Links, g.Lowest, g.DiameterLow, g.DiameterHigh); err != nil {
			return err
		}
	}
	return out.close()
}

func memberRows(w io.Writer, format string, groups []query.Group) error {
	out := newHeadedWriter(w, format, "cluster_id", "cluster_size", "representative", "url")
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
	const left = 49
	fmt.Fprintf(w, "%6s %9s %10s %8s %10s  %s\n", "", "different", "only via", "longest", "lowest", "")
	fmt.Fprintf(w, "%6s %9s %10s %8s %10s  %s\n", "pages", "texts", "others", "path", "link", "representative")
	for _, g := range groups {
		path := fmt.Sprint(g.DiameterLow)
		if g.DiameterHigh > g.DiameterLow {
			path = fmt.Sprintf("%d-%d", g.DiameterLow, g.DiameterHigh)
		}
		lowest := fmt.Sprintf("%.3f", g.Lowest)
		if g.Links == 0 && g.Distinct > 1 { // greedy: around a representative, without links
			path, lowest = "-", "-"
		}
		fmt.Fprintf(w, "%6d %9d %10d %8s %10s  %s\n", g.Size, g.Distinct, g.Chained, path, lowest, fitURL(g.Representative, width()-left))
		for _, u := range g.URLs {
			fmt.Fprintf(w, "%*s%s\n", left, "", fitURL(u, width()-left))
		}
	}
}
