package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/topic/label"
)

// topicalCluster is a topical cluster in data formats.
type topicalCluster struct {
	ID      string          `json:"cluster_id"`
	Label   string          `json:"label"`
	Size    int             `json:"size"`
	Crawled int             `json:"crawled"`
	Hosts   int             `json:"hosts"`
	Host    string          `json:"top_host"`
	OnHost  float64         `json:"top_host_share"`
	Center  string          `json:"center"`
	Members []clusterMember `json:"members,omitempty"`
}

// clusterMember is a member of a topical cluster in data formats.
type clusterMember struct {
	URL        string   `json:"url"`
	Title      string   `json:"title,omitempty"`
	Similarity float32  `json:"similarity"`
	Crawled    bool     `json:"crawled"`
	InLinks    int      `json:"inlinks"`
	InHosts    int      `json:"inlink_hosts"`
	Anchors    []string `json:"anchors"`
}

// topical lists the topical clusters.
func (l *clusterList) topical(ctx context.Context, r *query.Run) error {
	clusters, all, err := l.selected(ctx, r)
	if err != nil {
		return err
	}
	if l.format == formatTable && l.contains == "" {
		words := ""
		if l.label != "" {
			words = " with these words"
		}
		say("%s of two pages or more%s", count(all, "topical cluster"), words)
	}
	return l.write(printed, l.shown(r, clusters))
}

// shown returns clusters as they are shown, with the members that are listed.
func (l *clusterList) shown(r *query.Run, clusters []query.TopicalCluster) []topicalCluster {
	out := make([]topicalCluster, len(clusters))
	for i, c := range clusters {
		out[i] = topicalCluster{
			ID: c.ID, Label: label.Join(c.Label), Size: c.Size, Crawled: c.Crawled, Hosts: c.Hosts, Host: c.Host, OnHost: c.HostShare(),
			Center: r.Document(c.Center).URL,
		}
		if !l.members && l.contains == "" {
			continue
		}
		for _, m := range page(r.TopicalMembers(c), l.skip, l.limit) {
			out[i].Members = append(out[i].Members, clusterMember{m.URL, m.Title, m.Similarity, m.Crawled, m.InLinks, m.InHosts, append([]string{}, m.Anchors...)})
		}
	}
	return out
}

// selected returns the clusters to list, and how many there are without the limit of --top.
func (l *clusterList) selected(ctx context.Context, r *query.Run) (clusters []query.TopicalCluster, all int, err error) {
	if l.contains != "" {
		ids, err := documentsOf(r, r.Lookup, []string{l.contains})
		if err != nil {
			return nil, 0, err
		}
		id := ids[0]
		c, err := r.TopicalCluster(id)
		if err == nil && c.Size == 1 {
			say("%s is alone in its cluster: no center has a similarity of %g or more to it", r.Document(id).URL, r.Config.Threshold)
		}
		return []query.TopicalCluster{c}, 1, err
	}
	if clusters, err = l.again.topical(r); err != nil {
		return nil, 0, err
	}
	if l.again.wanted && (l.label != "" || l.sort == query.SortByLabel) {
		if err := r.LabelTopicalClusters(ctx, clusters); err != nil {
			return nil, 0, err
		}
	}
	if l.label != "" {
		clusters = slices.DeleteFunc(clusters, func(c query.TopicalCluster) bool { return !query.LabelHas(c.Label, l.label) })
		if len(clusters) == 0 {
			return nil, 0, fmt.Errorf("no topical cluster has %q in its label; lshclust related finds pages by URL", l.label)
		}
	}
	r.SortTopicalClusters(clusters, l.sort)
	if l.reverse {
		slices.Reverse(clusters)
	}
	all, clusters = len(clusters), clusters[:min(len(clusters), l.top)]
	if l.again.wanted {
		err = r.LabelTopicalClusters(ctx, clusters)
	}
	return clusters, all, err
}

func (l *clusterList) write(w io.Writer, clusters []topicalCluster) error {
	switch l.format {
	case formatTable:
		if l.members || l.contains != "" {
			membersTable(w, clusters, l.skip)
		} else {
			topicalTable(w, clusters)
		}
		return nil
	case formatJSON:
		return writeJSON(w, clusters)
	}
	if l.members || l.contains != "" {
		return l.topicalMembers(w, clusters)
	}
	out := l.rows(w, "cluster_id", "label", "size", "crawled", "hosts", "top_host", "top_host_share", "center")
	for _, c := range clusters {
		if err := out.row(c.ID, c.Label, c.Size, c.Crawled, c.Hosts, c.Host, c.OnHost, c.Center); err != nil {
			return err
		}
	}
	return out.close()
}

// topicalMembers writes one member a row. In CSV and TSV, "; " separates anchors.
func (l *clusterList) topicalMembers(w io.Writer, clusters []topicalCluster) error {
	out := l.rows(w, "cluster_id", "label", "cluster_size", "url", "title", "similarity", "crawled", "inlinks", "inlink_hosts", "anchors")
	for _, c := range clusters {
		for _, m := range c.Members {
			var anchors any = strings.Join(m.Anchors, "; ")
			if l.format == formatJSONL {
				anchors = m.Anchors
			}
			if err := out.row(c.ID, c.Label, c.Size, m.URL, orNull(m.Title), m.Similarity, m.Crawled, m.InLinks, m.InHosts, anchors); err != nil {
				return err
			}
		}
	}
	return out.close()
}

// topicalTable lists clusters in a table, one a line.
func topicalTable(w io.Writer, clusters []topicalCluster) {
	const before = 25 // columns of the figures
	labels, centers := []string{"label"}, make([]string, len(clusters))
	for i, c := range clusters {
		labels, centers[i] = append(labels, c.Label), c.Center
	}
	column := widest(labels)
	if stdout().terminal {
		column = min(column, max(24, (width()-before)/2))
	}
	centers = stdout().lastColumn(centers, before+column)
	fmt.Fprintf(w, "%6s %6s %9s  %s  %s\n", "pages", "hosts", "top host", pad("label", column), "center")
	for i, c := range clusters {
		row := fmt.Sprintf("%6d %6d %7.0f %%  %s", c.Size, c.Hosts, 100*c.OnHost, pad(c.Label, column))
		if strings.HasPrefix(centers[i], "\n") { // room for the whole label
			row = strings.TrimRight(fmt.Sprintf("%6d %6d %7.0f %%  %s", c.Size, c.Hosts, 100*c.OnHost, line(c.Label, width()-before)), " ")
		}
		fmt.Fprintln(w, row+centers[i])
	}
}

// membersTable shows clusters with their members.
func membersTable(w io.Writer, clusters []topicalCluster, skipped int) {
	const before = 31
	for i, c := range clusters {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if c.Label != "" {
			fold(w, c.Label, 0)
		}
		fold(w, fmt.Sprintf("cluster %s: %s on %s, %d crawled; %.0f %% on %s",
			c.ID, count(c.Size, "page"), count(c.Hosts, "host"), c.Crawled, 100*c.OnHost, c.Host), 0)
		fmt.Fprintf(w, "  %10s %8s %7s  %s\n", "similarity", "in-links", "crawled", "page, linking words")
		urls, words := make([]string, len(c.Members)), make([]string, len(c.Members))
		for i, m := range c.Members {
			urls[i], words[i] = m.URL, strings.Join(m.Anchors, "; ")
			if words[i] == "" && m.Title != "" {
				words[i] = "title: " + m.Title
			}
		}
		for i, row := range stdout().urlsAndWords(urls, words, before) {
			m := c.Members[i]
			fmt.Fprintln(w, joined(fmt.Sprintf("  %10.3f %8d %7s  ", m.Similarity, m.InLinks, yes(m.Crawled)), row))
		}
		if more := c.Size - skipped - len(c.Members); more > 0 {
			fmt.Fprintf(w, "  and %d more: --skip %d\n", more, skipped+len(c.Members))
		}
	}
}
