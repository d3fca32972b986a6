package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/label"
	"github.com/lshclust/lshclust/query"
	"github.com/mattn/go-runewidth"
	"golang.org/x/term"
)

// topicalCluster is a cluster in data formats.
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

// clusterMember is one of its members.
type clusterMember struct {
	URL        string   `json:"url"`
	Title      string   `json:"title"`
	Similarity float32  `json:"similarity"`
	Crawled    bool     `json:"crawled"`
	InLinks    int      `json:"inlinks"`
	InHosts    int      `json:"inlink_hosts"`
	Anchors    []string `json:"anchors"`
}

// topical lists clusters of pages that are spoken of alike.
func (l *clusterList) topical(r *query.Run) error {
	clusters, all, err := l.selected(r)
	if err != nil {
		return err
	}
	out := make([]topicalCluster, len(clusters))
	for i, c := range clusters {
		out[i] = topicalCluster{
			ID: c.ID, Label: label.Join(c.Label), Size: c.Size, Crawled: c.Crawled, Hosts: c.Hosts, Host: c.Host, OnHost: c.HostShare(),
			Center: r.Document(c.Center).URL,
		}
		if !l.members && l.contains == "" {
			continue
		}
		for _, m := range page(r.Members(c), l.skip, l.limit) {
			out[i].Members = append(out[i].Members, clusterMember{m.URL, m.Title, m.Similarity, m.Crawled, m.InLinks, m.InHosts, append([]string{}, m.Anchors...)})
		}
	}
	if l.format == formatTable && l.contains == "" {
		fmt.Fprintf(os.Stderr, "%s of two pages or more%s\n", count(all, "topical cluster"), map[bool]string{true: " with these words"}[l.label != ""])
	}
	return l.write(os.Stdout, out)
}

// selected returns the clusters to list, and the number of those from which the first are taken.
func (l *clusterList) selected(r *query.Run) (clusters []query.TopicalCluster, all int, err error) {
	if l.contains != "" {
		id, err := r.Lookup(l.contains)
		if err != nil {
			return nil, 0, err
		}
		c, err := r.ClusterOf(id)
		if err == nil && c.Size == 1 {
			fmt.Fprintf(os.Stderr, "%s is alone in its cluster: no page that is as similar as %g belongs to it\n", clean(r.Document(id).URL), r.Config.Threshold)
		}
		return []query.TopicalCluster{c}, 1, err
	}
	if clusters, err = r.TopicalClusters(); err != nil {
		return nil, 0, err
	}
	if l.label != "" {
		clusters = slices.DeleteFunc(clusters, func(c query.TopicalCluster) bool { return !query.LabelHas(c.Label, l.label) })
		if len(clusters) == 0 {
			return nil, 0, fmt.Errorf("no topical cluster has %q in its label; lshclust related finds pages by URL", l.label)
		}
	}
	r.SortClusters(clusters, l.sort)
	if l.reverse {
		slices.Reverse(clusters)
	}
	return clusters[:min(len(clusters), l.top)], len(clusters), nil
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
		return topicalMembers(w, l.format, clusters)
	}
	out := newHeadedWriter(w, l.format, "cluster_id", "label", "size", "crawled", "hosts", "top_host", "top_host_share", "center")
	for _, c := range clusters {
		if err := out.row(c.ID, c.Label, c.Size, c.Crawled, c.Hosts, c.Host, c.OnHost, c.Center); err != nil {
			return err
		}
	}
	return out.close()
}

// topicalMembers writes a member a row. Anchors are parted by "; " in CSV and TSV.
func topicalMembers(w io.Writer, format string, clusters []topicalCluster) error {
	out := newHeadedWriter(w, format, "cluster_id", "label", "cluster_size", "url", "title", "similarity", "crawled", "inlinks", "inlink_hosts", "anchors")
	for _, c := range clusters {
		for _, m := range c.Members {
			var anchors any = strings.Join(m.Anchors, "; ")
			if format == formatJSONL {
				anchors = m.Anchors
			}
			if err := out.row(c.ID, c.Label, c.Size, m.URL, m.Title, m.Similarity, m.Crawled, m.InLinks, m.InHosts, anchors); err != nil {
				return err
			}
		}
	}
	return out.close()
}

// topicalTable lists clusters for people, one a line.
func topicalTable(w io.Writer, clusters []topicalCluster) {
	const left = 24
	labels := widest(len("label"), (width()-left-2)/2, clusters, func(c topicalCluster) string { return c.Label })
	fmt.Fprintf(w, "%6s %6s %8s  %s  %s\n", "pages", "hosts", "top host", filled("label", labels), "center")
	for _, c := range clusters {
		fmt.Fprintf(w, "%6d %6d %6.0f %%  %s  %s\n", c.Size, c.Hosts, 100*c.OnHost, filled(c.Label, labels), fitURL(c.Center, width()-left-labels-2))
	}
}

// membersTable shows clusters with their members.
func membersTable(w io.Writer, clusters []topicalCluster, skipped int) {
	const left = 31
	for i, c := range clusters {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if c.Label != "" {
			fmt.Fprintln(w, fit(c.Label, width()))
		}
		fmt.Fprintln(w, fit(fmt.Sprintf("cluster %s: %s on %s, %d crawled; %.0f %% on %s", c.ID, count(c.Size, "page"), count(c.Hosts, "host"),
			c.Crawled, 100*c.OnHost, c.Host), width()))
		urls := widest(len("page"), (width()-left-2)*6/10, c.Members, func(m clusterMember) string { return m.URL })
		fmt.Fprintf(w, "  %10s %8s %7s  %s  %s\n", "similarity", "in-links", "crawled", filled("page", urls), "linking words")
		for _, m := range c.Members {
			crawled, words := "no", strings.Join(m.Anchors, "; ")
			if m.Crawled {
				crawled = "yes"
			}
			if words == "" && m.Title != "" {
				words = "title: " + m.Title
			}
			row := fmt.Sprintf("  %10.3f %8d %7s  %s  %s", m.Similarity, m.InLinks, crawled, runewidth.FillRight(fitURL(m.URL, urls), urls), fit(words, width()-left-urls-2))
			fmt.Fprintln(w, strings.TrimRight(row, " "))
		}
		if more := c.Size - skipped - len(c.Members); more > 0 {
			fmt.Fprintf(w, "  and %d more: --skip %d\n", more, skipped+len(c.Members))
		}
	}
}

// widest is the width of the widest text in a column of a table: at most so much, but on a terminal alone.
func widest[T any](least, most int, rows []T, text func(T) string) int {
	for _, r := range rows {
		least = max(least, runewidth.StringWidth(line(text(r), 1<<16)))
	}
	if term.IsTerminal(int(os.Stdout.Fd())) {
		least = min(least, max(most, 8))
	}
	return least
}

// fit is text for one line of a terminal, cut to n columns there and nowhere else.
func fit(s string, n int) string {
	if term.IsTerminal(int(os.Stdout.Fd())) {
		return line(s, n)
	}
	return line(s, 1<<16)
}

// fitURL is fit for URLs, which are cut in the middle: they tell most at their ends.
func fitURL(s string, n int) string {
	s = line(s, 1<<16)
	if n = max(n, 8); !term.IsTerminal(int(os.Stdout.Fd())) || runewidth.StringWidth(s) <= n {
		return s
	}
	head := n / 2
	tail := runewidth.TruncateLeft(s, runewidth.StringWidth(s)-(n-head-1), "")
	return runewidth.Truncate(s, head, "") + "…" + tail
}

// filled is text that fills n columns.
func filled(s string, n int) string { return runewidth.FillRight(fit(s, n), n) }
