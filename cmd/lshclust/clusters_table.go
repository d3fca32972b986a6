package main

import (
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
	const before = 25 // width of the columns of figures
	labels, faces := []string{"label"}, []string{}
	for _, c := range a.Items {
		labels, faces = append(labels, c.Label), append(faces, c.URL)
	}
	column := widest(labels)
	if stdout().terminal {
		column = min(column, max(24, (width()-before)/2))
	}
	fmt.Fprintf(w, "%6s %6s %9s  %s  %s\n", "pages", "hosts", "top host", pad("label", column), "best known")
	for i, face := range stdout().lastColumn(faces, before+column) {
		c := a.Items[i]
		label := pad(c.Label, column)
		if strings.HasPrefix(face, "\n") { // the label is below and has the whole line
			label = strings.TrimRight(line(c.Label, width()-before), " ")
		}
		fmt.Fprintf(w, "%6d %6d %7.0f %%  %s%s\n", c.Size, c.Hosts, 100*c.HostShare(), label, face)
	}
}

func syntacticTable(w io.Writer, clusters []ask.Cluster) {
	fmt.Fprintf(w, "%6s %9s %10s %8s %10s\n", "", "different", "only via", "longest", "lowest")
	fmt.Fprintf(w, "%6s %9s %10s %8s %10s  %s\n", "pages", "texts", "others", "path", "link", "representative")
	listing(w, clusters, func(_ int, c ask.Cluster) (figures, url, words string) { return syntacticFigures(&c), c.URL, c.Name })
}

func syntacticFigures(c *ask.Cluster) string {
	path := fmt.Sprint(c.DiameterLow)
	if c.DiameterHigh > c.DiameterLow {
		path = fmt.Sprintf("%d-%d", c.DiameterLow, c.DiameterHigh)
	}
	lowest := lowestLink(c)
	if lowest == "-" {
		path = "-"
	}
	return fmt.Sprintf("%6d %9d %10d %8s %10s", c.Size, c.Distinct, c.Chained, path, lowest)
}

// lowestLink returns the resemblance of the weakest link of a cluster. The greedy method makes no links.
func lowestLink(c *ask.Cluster) string {
	if c.Links == 0 && c.Distinct > 1 {
		return "-"
	}
	return fmt.Sprintf("%.3f", c.Lowest)
}

// membersTable shows a cluster with its members.
func (l *clusterList) membersTable(w io.Writer, c *ask.ClusterAnswer) {
	if c.SyntacticCluster != nil {
		fold(w, fmt.Sprintf("cluster %s: %s, %s, %d only via others; lowest link %s", c.ID,
			count(c.Size, "page"), count(c.Distinct, "different text"), c.Chained, lowestLink(&c.Cluster)), 0)
		listing(w, c.Items, func(_ int, m ask.Member) (figures, url, words string) { return "", m.URL, m.Name })
	} else {
		if c.Label != "" {
			fold(w, "Label: "+c.Label, 0)
		}
		fold(w, fmt.Sprintf("cluster %s: %s on %s, %d crawled; %.0f %% on %s",
			c.ID, count(c.Size, "page"), count(c.Hosts, "host"), c.Crawled, 100*c.HostShare(), c.Host), 0)
		fmt.Fprintf(w, "  %10s %8s %7s  %s\n", "similarity", "in-links", "crawled", "page, linking words")
		listing(w, c.Items, func(_ int, m ask.Member) (figures, url, words string) {
			if words = strings.Join(m.Anchors, "; "); words == "" && m.Name != "" {
				words = "title: " + m.Name
			}
			return fmt.Sprintf("  %10.3f %8d %7s", m.Similarity, m.InLinks, yes(m.Crawled)), m.URL, words
		})
	}
	if more := c.Size - l.skip - len(c.Items); more > 0 {
		how := fmt.Sprintf("--skip %d", l.skip+len(c.Items))
		if l.groups {
			how = "clusters --view syntactic --contains " + whole(c.URL)
		}
		fmt.Fprintf(w, "  and %d more: %s\n", more, how)
	}
}
