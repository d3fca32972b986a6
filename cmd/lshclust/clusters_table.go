package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/ask"
)

// clustersTable lists clusters in a table, one per line.
func clustersTable(w io.Writer, a *ask.ClustersAnswer) {
	if len(a.Items) > 0 && a.Items[0].SyntacticCluster != nil {
		syntacticTable(w, a.Items)
		return
	}
	rows := make([]pageRow, len(a.Items))
	for i, c := range a.Items {
		rows[i] = pageRow{fmt.Sprintf("%6d", c.Size), c.Label, fmt.Sprint(c.Hosts), c.URL}
		if c.Hosts > 1 {
			rows[i].note += fmt.Sprintf(", %.0f %% on one", 100*c.HostShare())
		}
	}
	pageList(w, pageRow{" pages", "about", "hosts", "best known"}, rows)
}

func syntacticTable(w io.Writer, clusters []ask.Cluster) {
	rows := make([]pageRow, len(clusters))
	for i, c := range clusters {
		rows[i] = pageRow{fmt.Sprintf("%6d", c.Size), c.Name, groupNote(&c), c.URL}
	}
	pageList(w, pageRow{" pages", "one of them", "texts", "url"}, rows)
}

// groupNote says how alike the texts of a syntactic cluster are.
func groupNote(c *ask.Cluster) string {
	notes := []string{"all equal"}
	switch {
	case c.Distinct > 1 && c.Links == 0: // the greedy method makes no links
		notes[0] = "alike"
	case c.Distinct > 1:
		notes[0] = alikeBy(c.Lowest) + " alike"
		if c.Size > 2 {
			notes[0] = "by " + alikeBy(c.Lowest) + " or more"
		}
	}
	if c.Distinct < c.Size && c.Distinct > 1 {
		notes = append(notes, fmt.Sprintf("%d different", c.Distinct))
	}
	if c.Chained > 0 {
		notes = append(notes, fmt.Sprintf("%d by way of others", c.Chained))
	}
	return strings.Join(notes, ", ")
}

// membersTable shows a cluster with its members.
func (l *clusterList) membersTable(w io.Writer, c *ask.ClusterAnswer) {
	rows, header := make([]pageRow, len(c.Items)), pageRow{}
	if c.SyntacticCluster != nil {
		fold(w, fmt.Sprintf("%s, %s; cluster %s", count(c.Size, "page"), groupNote(&c.Cluster), c.ID), 0)
	} else {
		fold(w, fmt.Sprintf("“%s”: %s on %s, %d crawled; %.0f %% on %s; cluster %s",
			c.Label, count(c.Size, "page"), count(c.Hosts, "host"), c.Crawled, 100*c.HostShare(), c.Host, c.ID), 0)
		header = pageRow{"similar", "page", "links to it", "url"}
	}
	for i, m := range c.Items {
		rows[i] = pageRow{"  ", cmp.Or(m.Name, strings.Join(m.Anchors, "; ")), "", m.URL}
		if c.SyntacticCluster == nil {
			rows[i].figures, rows[i].note = fmt.Sprintf("%5.0f %%", 100*m.Similarity), fmt.Sprint(m.InLinks)
		}
	}
	pageList(w, header, rows)
	if more := c.Size - len(c.Items); more > 0 {
		how := ""
		if l.groups {
			how = ": clusters --view syntactic --contains " + whole(c.URL)
		}
		fmt.Fprintf(w, "  and %d more%s\n", more, how)
	}
}
