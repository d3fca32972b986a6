package topics

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
	"github.com/lshclust/lshclust/internal/ascii"

	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/label"
)

// TopicalCluster is a cluster of documents that the web describes in similar words.
type TopicalCluster struct {
	ID      string   `json:"-"`
	Label   []string `json:"-"` // phrases that describe it, best first
	Center  uint32   `json:"-"` // document that the cluster was formed around
	Face    uint32   `json:"-"` // member that most hosts link to, which is shown for the cluster
	Size    int      `json:"-"` // documents
	Crawled int      `json:"crawled" doc:"members that were crawled"`
	Hosts   int      `json:"hosts" doc:"different hosts of the members"`
	Host    string   `json:"host" doc:"the most common of these hosts"`
	OnHost  int      `json:"on_host" doc:"members on it"`

	members    []uint32  // documents, ascending
	similarity []float32 // similarity of each member to the center
}

// HostShare returns the share of the documents that are on the most common host: near 0 for a topic that many sites
// share, 1 for pages of one site.
func (c *TopicalCluster) HostShare() float64 {
	if c.Size == 0 {
		return 0
	}
	return float64(c.OnHost) / float64(c.Size)
}

// TopicalMember is a document of a topical cluster.
type TopicalMember struct {
	ID         uint32
	Similarity float32 // to the center; 1 for the center itself
}

// TopicalMembership names the topical cluster of a document.
type TopicalMembership struct {
	ID         string  `json:"id" doc:"of the cluster, for /v1/cluster/{id}?view=topical"`
	Label      string  `json:"label" doc:"phrases that describe the cluster, best first; empty for a cluster of one"`
	Center     string  `json:"center" doc:"URL of the document around which the cluster was formed"`
	Similarity float32 `json:"similarity" doc:"of the document to the center"`
}

// MembershipOf returns the topical cluster of a document.
func MembershipOf(r *runs.Run, id uint32) TopicalMembership {
	c, s := r.Clusters.Center(id)
	url := r.Docs.URL(c)
	return TopicalMembership{tables.ClusterID(url), label.Join(r.Clusters.Label(c)), url, s}
}

// CenterOf returns the center of the topical cluster of a document.
func CenterOf(r *runs.Run, id uint32) uint32 {
	center, _ := r.Clusters.Center(id)
	return center
}

// Criteria of SortTopicalClusters.
const (
	SortBySize  = "size"  // largest first
	SortByLabel = "label" // alphabetically by label
	SortByHosts = "hosts" // by HostShare: clusters of many hosts first, those of a single host last
)

// Clusters returns the topical clusters of two or more documents, largest first. Ties are sorted by the URL of
// the center.
func Clusters(r *runs.Run) ([]TopicalCluster, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	clusters := clustersOf(r, r.Clusters.Centers(), toCenter(r))
	for i := range clusters {
		clusters[i].Label = r.Clusters.Label(clusters[i].Center)
	}
	return clusters, nil
}

// clustersOf returns the clusters of two or more documents, without labels, given the center of every document
// and its similarity to it.
func clustersOf(r *runs.Run, centers []uint32, similarity func(id uint32) float32) []TopicalCluster {
	var out []TopicalCluster
	for members := range sets.Runs(byCenter(centers), func(a, b uint32) bool { return centers[a] == centers[b] }) {
		out = append(out, newCluster(r, centers[members[0]], members, similarity))
	}
	SortClusters(r, out, SortBySize)
	return out
}

// toCenter returns a function for the similarity of a document to the center of its cluster.
func toCenter(r *runs.Run) func(id uint32) float32 {
	return func(id uint32) float32 { _, s := r.Clusters.Center(id); return s }
}

// ClusterOf returns the topical cluster of a document. It may have no other member.
func ClusterOf(r *runs.Run, id uint32) (TopicalCluster, error) {
	if err := r.Need(config.Topical); err != nil {
		return TopicalCluster{}, err
	}
	center, _ := r.Clusters.Center(id)
	c := newCluster(r, center, membersOf(r, center), toCenter(r))
	c.Label = r.Clusters.Label(center)
	return c, nil
}

// membersOf returns the documents of the topical cluster of a center, ascending. A cluster is a star: every member
// has the bag of the center or a stored pair with it. So membersOf reads only the neighbours of the center, however
// large the run is.
func membersOf(r *runs.Run, center uint32) []uint32 {
	if center == tables.None {
		return nil
	}
	node := r.Nodes.Of(center)
	if node == tables.None { // it has no bag
		return []uint32{center}
	}
	members := slices.Clone(r.Nodes.Members(node))
	for _, e := range r.Pairs.Neighbours(node) {
		if of, _ := r.Clusters.Center(r.Nodes.First(e.To)); of == center {
			members = append(members, r.Nodes.Members(e.To)...)
		}
	}
	slices.Sort(members)
	return members
}

// byCenter returns the documents of the clusters of two or more, sorted by center, then by id.
func byCenter(centers []uint32) []uint32 {
	count := make([]uint32, len(centers))
	for _, of := range centers {
		count[of]++
	}
	var out []uint32
	for id, of := range centers {
		if count[of] > 1 {
			out = append(out, uint32(id))
		}
	}
	slices.SortStableFunc(out, func(a, b uint32) int { return cmp.Compare(centers[a], centers[b]) })
	return out
}

func newCluster(r *runs.Run, center uint32, members []uint32, similarity func(id uint32) float32) TopicalCluster {
	c := TopicalCluster{
		ID: tables.ClusterID(r.Docs.URL(center)), Center: center, Face: center, Size: len(members),
		members: members, similarity: make([]float32, len(members)),
	}
	on := map[string]int{}
	for i, id := range members {
		c.similarity[i] = similarity(id)
		if byLinks(r, id, c.Face) < 0 {
			c.Face = id
		}
		if r.Docs.Crawled(id) {
			c.Crawled++
		}
		on[urls.Host(r.Docs.URL(id))]++
	}
	c.Hosts = len(on)
	for h, n := range on {
		if n > c.OnHost || n == c.OnHost && h < c.Host {
			c.Host, c.OnHost = h, n
		}
	}
	return c
}

// byLinks orders documents by the hosts that link to them, then by the pages, the most first.
func byLinks(r *runs.Run, a, b uint32) int {
	return cmp.Or(cmp.Compare(r.Docs.InHosts(b), r.Docs.InHosts(a)), cmp.Compare(r.Docs.InLinks(b), r.Docs.InLinks(a)))
}

// SortClusters sorts topical clusters by one of TopicalSorts. Ties are sorted by size, then by the URL of the
// center.
func SortClusters(r *runs.Run, clusters []TopicalCluster, by string) {
	labels := map[string]string{}
	if by == SortByLabel {
		for _, c := range clusters {
			labels[c.ID] = strings.ToLower(label.Join(c.Label))
		}
	}
	slices.SortStableFunc(clusters, func(a, b TopicalCluster) int {
		first := 0
		switch by {
		case SortByLabel:
			first = cmp.Compare(labels[a.ID], labels[b.ID])
		case SortByHosts:
			first = cmp.Compare(a.HostShare(), b.HostShare())
		}
		return cmp.Or(first, cmp.Compare(b.Size, a.Size), cmp.Compare(r.Docs.URL(a.Center), r.Docs.URL(b.Center)))
	})
}

// LabelWords are words to look for in labels.
type LabelWords struct{ stems []string }

// NewLabelWords prepares words for LabelWords.In.
func NewLabelWords(words string) LabelWords { return LabelWords{stems(words)} }

// In reports whether a label contains all of the words, in any case and, in English, in any form.
func (words LabelWords) In(label string) bool {
	if len(words.stems) == 0 || !mayHave(label, words.stems) {
		return false
	}
	has := stems(label)
	for _, w := range words.stems {
		if !slices.Contains(has, w) {
			return false
		}
	}
	return true
}

// mayHave reports whether a text can contain words with all of some stems. Stemming is slow, and most labels lack
// even the first letters of a stem. The English stemmer keeps the first three letters, or only one in the short stems
// of irregular words.
func mayHave(text string, stems []string) bool {
	if !ascii.Is(text) {
		return true // stemming may change letters
	}
	text = strings.ToLower(text)
	for _, s := range stems {
		kept := min(len(s), 1)
		if len(s) > 3 {
			kept = 3
		}
		if !strings.Contains(text, s[:kept]) {
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
