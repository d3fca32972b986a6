package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/label"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/text"
)

// TopicalCluster is a cluster of documents that are spoken of alike.
type TopicalCluster struct {
	ID      string
	Label   []string // phrases, the best first
	Center  uint32   // document around which the cluster was formed
	Size    int      // documents
	Crawled int      // of these, pages that the crawl holds
	Hosts   int      // different hosts of the documents
	Host    string   // the host of most of them
	OnHost  int      // documents on it

	members []uint32 // ascending
}

// HostShare is the share of the documents that are on the most common host: near 0 for a topic that many sites share, 1 for
// pages of one site.
func (c *TopicalCluster) HostShare() float64 {
	if c.Size == 0 {
		return 0
	}
	return float64(c.OnHost) / float64(c.Size)
}

// Member is a document of a topical cluster.
type Member struct {
	ID         uint32
	URL        string
	Title      string
	Similarity float32 // to the center; 1 for the center itself
	Crawled    bool
	InLinks    int      // pages that link to it
	InHosts    int      // hosts of these pages
	Anchors    []string // with which they link to it, the most common first, as far as sentences are kept
}

// Ways of sorting topical clusters.
const (
	BySize  = "size"  // the largest first
	ByLabel = "label" // in the order of the labels
	ByHosts = "hosts" // by HostShare: clusters that span many hosts first, those on a single host last
)

// ClusterOrders lists them.
var ClusterOrders = []string{BySize, ByLabel, ByHosts}

// TopicalClusters returns the topical clusters of two documents or more, the largest first, ties in the order of the URLs
// of their centers.
func (r *Run) TopicalClusters() ([]TopicalCluster, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	centers := r.clusters.Centers()
	byCenter := byCenter(centers, func(size uint32) bool { return size > 1 })
	var out []TopicalCluster
	for from := 0; from < len(byCenter); {
		of, to := centers[byCenter[from]], from+1
		for to < len(byCenter) && centers[byCenter[to]] == of {
			to++
		}
		out = append(out, r.topicalCluster(of, byCenter[from:to]))
		from = to
	}
	r.SortClusters(out, BySize)
	return out, nil
}

// ClusterOf returns the topical cluster of a document, which may be alone in it.
func (r *Run) ClusterOf(id uint32) (TopicalCluster, error) {
	if err := r.Need(config.Topical); err != nil {
		return TopicalCluster{}, err
	}
	of, _ := r.clusters.Center(id)
	return r.topicalCluster(of, r.members(of)), nil
}

// byCenter returns the documents of the clusters of some sizes, those of one cluster together.
func byCenter(centers []uint32, size func(uint32) bool) []uint32 {
	count := make([]uint32, len(centers))
	for _, of := range centers {
		count[of]++
	}
	var out []uint32
	for id, of := range centers {
		if size(count[of]) {
			out = append(out, uint32(id))
		}
	}
	slices.SortStableFunc(out, func(a, b uint32) int { return cmp.Compare(centers[a], centers[b]) })
	return out
}

// members returns the documents that have a center, in the order of their ids.
func (r *Run) members(center uint32) (out []uint32) {
	for id, of := range r.clusters.Centers() {
		if of == center {
			out = append(out, uint32(id))
		}
	}
	return out
}

func (r *Run) topicalCluster(center uint32, ids []uint32) TopicalCluster {
	c := TopicalCluster{ID: tables.ClusterID(r.docs.URL(center)), Label: r.clusters.Label(center), Center: center, Size: len(ids), members: ids}
	on := map[string]int{}
	for _, id := range ids {
		if r.docs.Crawled(id) {
			c.Crawled++
		}
		on[host(r.docs.URL(id))]++
	}
	c.Hosts = len(on)
	for h, n := range on {
		if n > c.OnHost || n == c.OnHost && h < c.Host {
			c.Host, c.OnHost = h, n
		}
	}
	return c
}

// host is the host of a canonical URL, empty for a name that is no URL.
func host(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// SortClusters sorts topical clusters in one of ClusterOrders; ties by size, then by the URLs of the centers.
func (r *Run) SortClusters(clusters []TopicalCluster, order string) {
	labels := map[string]string{}
	if order == ByLabel {
		for _, c := range clusters {
			labels[c.ID] = strings.ToLower(label.Join(c.Label))
		}
	}
	slices.SortStableFunc(clusters, func(a, b TopicalCluster) int {
		first := 0
		switch order {
		case ByLabel:
			first = cmp.Compare(labels[a.ID], labels[b.ID])
		case ByHosts:
			first = cmp.Compare(a.HostShare(), b.HostShare())
		}
		return cmp.Or(first, cmp.Compare(b.Size, a.Size), cmp.Compare(r.docs.URL(a.Center), r.docs.URL(b.Center)))
	})
}

// memberAnchors is how many anchor texts Members gives of each.
const memberAnchors = 3

// Members returns the documents of a topical cluster: the center, then the others by their similarity to it, ties in the
// order of the URLs.
func (r *Run) Members(c TopicalCluster) []Member {
	var out []Member
	for _, id := range c.members {
		_, similarity := r.clusters.Center(id)
		d := r.docs.At(id)
		out = append(out, Member{
			ID: id, URL: d.URL, Title: d.Title, Similarity: similarity, Crawled: d.Crawled,
			InLinks: int(d.InLinks), InHosts: int(d.InHosts), Anchors: r.Anchors(id, memberAnchors),
		})
	}
	slices.SortFunc(out, func(a, b Member) int {
		switch {
		case a.ID == c.Center:
			return -1
		case b.ID == c.Center:
			return 1
		}
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.URL, b.URL))
	})
	return out
}

// Anchors returns the anchor texts with which pages link to a document, at most top, the most common first, ties in the order
// of the texts. Case does not tell them apart. They are of the linking sentences that the run has kept.
func (r *Run) Anchors(id uint32, top int) []string {
	type anchor struct {
		shown string
		n     int
	}
	found := map[string]*anchor{}
	for _, q := range r.evidence.Of(id) {
		s := strings.Join(strings.Fields(string(q.Anchor)), " ")
		if s == "" {
			continue
		}
		a := found[strings.ToLower(s)]
		if a == nil {
			a = &anchor{shown: s}
			found[strings.ToLower(s)] = a
		}
		a.shown = min(a.shown, s)
		a.n++
	}
	all := make([]*anchor, 0, len(found))
	for _, a := range found {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *anchor) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.shown, b.shown)) })
	var out []string
	for _, a := range all[:min(len(all), top)] {
		out = append(out, a.shown)
	}
	return out
}

// LabelHas tells whether a label has all of some words, whatever their case and, in English, their form.
func LabelHas(phrases []string, words string) bool {
	has, wanted := stems(label.Join(phrases)), stems(words)
	if len(wanted) == 0 {
		return false
	}
	for _, w := range wanted {
		if !slices.Contains(has, w) {
			return false
		}
	}
	return true
}

func stems(s string) (out []string) {
	var split text.Splitter
	split.Split([]byte(s), func(_, _ int, lower []byte) { out = append(out, english.Stem(string(lower), true)) })
	return out
}

// GroupOf returns the syntactic cluster of a document with its members, the document alone if it is in none of two pages or
// more.
func (r *Run) GroupOf(id uint32) (Group, error) {
	this, err := r.page(id)
	if err != nil {
		return Group{}, err
	}
	i, ok := r.union.GroupOf(this)
	if !ok {
		return r.group(resemble.Group{Representative: this, Documents: 1, Distinct: 1, Lowest: 1}, []uint32{this}, true), nil
	}
	g, pages := r.union.Group(i)
	return r.group(g, pages, true), nil
}
