package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
)

// clustersTable lists clusters in a table, one a line.
func clustersTable(w io.Writer, a *answer.ClustersAnswer) {
	if len(a.Items) > 0 && a.Items[0].SyntacticCluster != nil {
		syntacticTable(w, a.Items)
		return
	}
	const before = 25 // columns of the figures
	labels, centers := []string{"label"}, make([]string, len(a.Items))
	for i, c := range a.Items {
		labels, centers[i] = append(labels, c.Label), c.URL
	}
	column := widest(labels)
	if stdout().terminal {
		column = min(column, max(24, (width()-before)/2))
	}
	centers = stdout().lastColumn(centers, before+column)
	fmt.Fprintf(w, "%6s %6s %9s  %s  %s\n", "pages", "hosts", "top host", pad("label", column), "center")
	for i, c := range a.Items {
		label := pad(c.Label, column)
		if strings.HasPrefix(centers[i], "\n") { // room for the whole label
			label = strings.TrimRight(line(c.Label, width()-before), " ")
		}
		fmt.Fprintf(w, "%6d %6d %7.0f %%  %s%s\n", c.Size, c.Hosts, 100*c.HostShare(), label, centers[i])
	}
}

func syntacticTable(w io.Writer, clusters []answer.Cluster) {
	const before = 47 // columns of the figures
	syntacticHead(w)
	urls := make([]string, len(clusters))
	for i, c := range clusters {
		urls[i] = c.URL
	}
	for i, url := range stdout().lastColumn(urls, before) {
		fmt.Fprintln(w, syntacticFigures(&clusters[i])+url)
	}
}

func syntacticHead(w io.Writer) {
	fmt.Fprintf(w, "%6s %9s %10s %8s %10s\n", "", "different", "only via", "longest", "lowest")
	fmt.Fprintf(w, "%6s %9s %10s %8s %10s  %s\n", "pages", "texts", "others", "path", "link", "representative")
}

func syntacticFigures(c *answer.Cluster) string {
	path := fmt.Sprint(c.DiameterLow)
	if c.DiameterHigh > c.DiameterLow {
		path = fmt.Sprintf("%d-%d", c.DiameterLow, c.DiameterHigh)
	}
	lowest := fmt.Sprintf("%.3f", c.Lowest)
	if c.Links == 0 && c.Distinct > 1 { // the greedy method makes no links
		path, lowest = "-", "-"
	}
	return fmt.Sprintf("%6d %9d %10d %8s %10s", c.Size, c.Distinct, c.Chained, path, lowest)
}

// membersTable shows a cluster with its members.
func (l *clusterList) membersTable(w io.Writer, c *answer.ClusterAnswer) {
	const before = 31
	urls, words := make([]string, len(c.Items)), make([]string, len(c.Items))
	for i, m := range c.Items {
		if urls[i], words[i] = m.URL, strings.Join(m.Anchors, "; "); words[i] == "" && m.Name != "" {
			words[i] = "title: " + m.Name
		}
	}
	if c.SyntacticCluster != nil {
		syntacticHead(w)
		fmt.Fprintln(w, syntacticFigures(&c.Cluster)+stdout().lastColumn([]string{c.URL}, 47)[0])
		for _, u := range stdout().fitURLs(urls, width()-8) {
			fmt.Fprintf(w, "%8s%s\n", "", u)
		}
	} else {
		if c.Label != "" {
			fold(w, c.Label, 0)
		}
		fold(w, fmt.Sprintf("cluster %s: %s on %s, %d crawled; %.0f %% on %s",
			c.ID, count(c.Size, "page"), count(c.Hosts, "host"), c.Crawled, 100*c.HostShare(), c.Host), 0)
		fmt.Fprintf(w, "  %10s %8s %7s  %s\n", "similarity", "in-links", "crawled", "page, linking words")
		for i, row := range stdout().urlsAndWords(urls, words, before) {
			m := c.Items[i]
			fmt.Fprintln(w, joined(fmt.Sprintf("  %10.3f %8d %7s  ", m.Similarity, m.InLinks, yes(m.Crawled)), row))
		}
	}
	if more := c.Size - l.skip - len(c.Items); more > 0 {
		fmt.Fprintf(w, "  and %d more: --skip %d\n", more, l.skip+len(c.Items))
	}
}
