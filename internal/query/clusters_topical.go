package query

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/label"
)

// TopicalCluster is a cluster of documents that the web describes in similar words.
type TopicalCluster struct {
	ID      string   `json:"-"`
	Label   []string `json:"-"` // phrases that tell what it is about, the best first
	Center  uint32   `json:"-"` // document around which the cluster was formed
	Size    int      `json:"-"` // documents
	Crawled int      `json:"crawled" doc:"members that were crawled"`
	Hosts   int      `json:"hosts" doc:"different hosts of the members"`
	Host    string   `json:"host" doc:"the most common of these hosts"`
	OnHost  int      `json:"on_host" doc:"members on it"`

	members    []uint32  // documents, ascending
	similarity []float32 // of each member to the center
}

// HostShare is the share of the documents that are on the most common host: near 0 for a topic that many sites share, 1
// for the pages of one site.
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

// TopicalMembership is the membership of a document in a topical cluster.
type TopicalMembership struct {
	ID         string   // of the cluster, 16 hex digits
	Center     uint32   // document around which the cluster was formed
	Similarity float32  // of the document to the center
	Label      []string // phrases that tell what the cluster is about, the best first; nil for a cluster of one
}

// TopicalMembership returns the topical cluster of a document.
func (r *Run) TopicalMembership(id uint32) TopicalMembership {
	c, s := r.clusters.Center(id)
	return TopicalMembership{tables.ClusterID(r.docs.URL(c)), c, s, r.clusters.Label(c)}
}

// TopicalCenter returns the center of the topical cluster of a document.
func (r *Run) TopicalCenter(id uint32) uint32 {
	center, _ := r.clusters.Center(id)
	return center
}

// TopicalCenters returns the center of the topical cluster of every document. The slice points into the table.
func (r *Run) TopicalCenters() []uint32 { return r.clusters.Centers() }

// How SortTopicalClusters sorts.
const (
	SortBySize  = "size"  // the largest first
	SortByLabel = "label" // alphabetically by label
	SortByHosts = "hosts" // by HostShare: clusters that span many hosts first, those on a single host last
)

// TopicalSorts lists how SortTopicalClusters sorts.
var TopicalSorts = []string{SortBySize, SortByLabel, SortByHosts}

// clustering assigns every document to a topical cluster: that of the run, or a new one with other settings.
type clustering interface {
	Centers() []uint32                                    // of every document
	Center(id uint32) (center uint32, similarity float32) // of one document
	Label(center uint32) []string
}

// TopicalClusters returns the topical clusters of two documents or more, the largest first. Ties are in the order of
// the URLs of their centers.
func (r *Run) TopicalClusters() ([]TopicalCluster, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	return r.topicalClusters(r.clusters), nil
}

func (r *Run) topicalClusters(from clustering) []TopicalCluster {
	centers := from.Centers()
	sorted := byCenter(centers)
	var out []TopicalCluster
	for i := 0; i < len(sorted); {
		of, j := centers[sorted[i]], i+1
		for j < len(sorted) && centers[sorted[j]] == of {
			j++
		}
		out = append(out, r.topicalCluster(from, of, sorted[i:j]))
		i = j
	}
	r.SortTopicalClusters(out, SortBySize)
	return out
}

// TopicalCluster returns the topical cluster of a document. It may have no other member.
func (r *Run) TopicalCluster(id uint32) (TopicalCluster, error) {
	if err := r.Need(config.Topical); err != nil {
		return TopicalCluster{}, err
	}
	center, _ := r.clusters.Center(id)
	return r.topicalCluster(r.clusters, center, r.membersOf(center)), nil
}

// membersOf returns the documents of the topical cluster of a center, ascending. A cluster is a star: every member has
// the bag of the center or a stored pair with it. So membersOf reads the neighbours of the center, however large the run.
func (r *Run) membersOf(center uint32) []uint32 {
	if center == tables.None {
		return nil
	}
	node := r.nodes.Of(center)
	if node == tables.None { // it has no words
		return []uint32{center}
	}
	members := slices.Clone(r.nodes.Members(node))
	for _, e := range r.pairs.Neighbours(node) {
		if of, _ := r.clusters.Center(r.nodes.First(e.To)); of == center {
			members = append(members, r.nodes.Members(e.To)...)
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

func (r *Run) topicalCluster(from clustering, center uint32, members []uint32) TopicalCluster {
	c := TopicalCluster{
		ID: tables.ClusterID(r.docs.URL(center)), Label: from.Label(center), Center: center, Size: len(members),
		members: members, similarity: make([]float32, len(members)),
	}
	on := map[string]int{}
	for i, id := range members {
		_, c.similarity[i] = from.Center(id)
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

// host is the host of a canonical URL, empty for a name that is not a URL.
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

// SortTopicalClusters sorts topical clusters by one of the criteria of TopicalSorts. Ties are sorted by size, then by
// the URLs of the centers.
func (r *Run) SortTopicalClusters(clusters []TopicalCluster, by string) {
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
		return cmp.Or(first, cmp.Compare(b.Size, a.Size), cmp.Compare(r.docs.URL(a.Center), r.docs.URL(b.Center)))
	})
}

// TopicalMembers returns the documents of a topical cluster: the center, then the others by their similarity to it.
// Ties are in the order of the URLs.
func (r *Run) TopicalMembers(c TopicalCluster) []TopicalMember {
	return r.TopicalMembersFrom(c, 0, len(c.members))
}

// LabelHas reports whether a label has all of some words, in any case and, in English, in any form.
func LabelHas(phrases []string, words string) bool { return NewLabelWords(words).In(phrases) }

// LabelWords are words that are looked for in labels.
type LabelWords struct{ stems []string }

// NewLabelWords prepares some words.
func NewLabelWords(words string) LabelWords { return LabelWords{stems(words)} }

// In reports what LabelHas does.
func (words LabelWords) In(phrases []string) bool {
	joined := label.Join(phrases)
	if len(words.stems) == 0 || !mayHave(joined, words.stems) {
		return false
	}
	has := stems(joined)
	for _, w := range words.stems {
		if !slices.Contains(has, w) {
			return false
		}
	}
	return true
}

// mayHave reports whether a text can have words with all of some stems. Stemming takes long, and most labels have not even
// the first letters: of those, the English stemmer keeps three, or one in the short stems of irregular words.
func mayHave(text string, stems []string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return true // letters may be changed before they are stemmed
		}
	}
	text = strings.ToLower(text)
	for _, s := range stems {
		kept := min(len(s), 1)
		if len(s) > 3 {
			kept = 3
		}
		if !begins(text, s[:kept]) {
			return false
		}
	}
	return true
}

// begins reports whether a word of an ASCII text in lower case may begin with a prefix: letters in a row are one word.
func begins(text, prefix string) bool {
	letter := func(b byte) bool { return 'a' <= b && b <= 'z' }
	for from := 0; ; from++ {
		i := strings.Index(text[from:], prefix)
		if i < 0 {
			return false
		}
		if from += i; from == 0 || prefix == "" || !letter(prefix[0]) || !letter(text[from-1]) {
			return true
		}
	}
}

func stems(s string) (out []string) {
	var split text.Splitter
	split.Split([]byte(s), func(_, _ int, lower []byte) { out = append(out, english.Stem(string(lower), true)) })
	return out
}
