package query

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// SyntacticCluster is a cluster of pages with similar texts.
type SyntacticCluster struct {
	ID             string   `json:"cluster_id"`
	Representative string   `json:"representative"`
	Size           int      `json:"size"`          // pages
	Distinct       int      `json:"distinct"`      // pages that do not equal one another
	Chained        int      `json:"chained"`       // pages without a link to the representative, a link being a pair at the threshold
	Links          uint64   `json:"links"`         // links among the distinct pages
	Lowest         float64  `json:"lowest_link"`   // at a threshold above this the cluster falls apart; 1 if all pages are equal
	DiameterLow    int      `json:"diameter"`      // lower bound of the links on the longest of the shortest paths
	DiameterHigh   int      `json:"diameter_most"` // upper bound of the same
	URLs           []string `json:"urls,omitempty"`
}

// SyntacticClusters returns the syntactic clusters of two pages or more, the largest first. With members, it fills in
// their URLs.
func (r *Run) SyntacticClusters(members bool) ([]SyntacticCluster, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	out := make([]SyntacticCluster, 0, r.union.Groups())
	for i := range r.union.Groups() {
		g, pages := r.union.Group(i)
		out = append(out, r.syntacticCluster(g, pages, members))
	}
	sortSyntacticClusters(out)
	return out, nil
}

func sortSyntacticClusters(clusters []SyntacticCluster) {
	slices.SortFunc(clusters, func(a, b SyntacticCluster) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Representative, b.Representative))
	})
}

// SyntacticCluster returns the syntactic cluster of a document with its members. It may have no other member.
func (r *Run) SyntacticCluster(id uint32) (SyntacticCluster, error) {
	c, pages, err := r.syntacticGroup(id)
	for _, p := range pages {
		c.URLs = append(c.URLs, r.pageURL(p))
	}
	return c, err
}

func (r *Run) syntacticCluster(g resemble.Group, pages []uint32, members bool) SyntacticCluster {
	url := r.pageURL(g.Representative)
	out := SyntacticCluster{
		ID: tables.ClusterID(url), Representative: url, Size: g.Documents, Distinct: g.Distinct, Chained: g.Chained, Links: g.Links,
		Lowest: g.Lowest, DiameterLow: g.DiameterLow, DiameterHigh: g.DiameterHigh,
	}
	if members {
		for _, p := range pages {
			out.URLs = append(out.URLs, r.pageURL(p))
		}
	}
	return out
}

func (r *Run) pageURL(page uint32) string { return r.docs.URL(r.pages.Document(page)) }

// SameSyntacticCluster reports whether two documents are in one syntactic cluster.
func (r *Run) SameSyntacticCluster(a, b uint32) (bool, error) {
	x, err := r.page(a)
	if err != nil {
		return false, err
	}
	y, err := r.page(b)
	if err != nil {
		return false, err
	}
	return r.union.Member(x).Representative == r.union.Member(y).Representative, nil
}

// SyntacticRepresentatives returns for every document the representative of its syntactic cluster. A document that was
// not crawled is its own.
func (r *Run) SyntacticRepresentatives() ([]uint32, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	out := make([]uint32, r.Len())
	for id := range out {
		out[id] = uint32(id)
	}
	for page := range uint32(r.pages.Len()) {
		id, of := r.pages.Document(page), r.pages.Document(r.union.Member(page).Representative)
		if int64(max(id, of)) >= int64(len(out)) {
			return nil, fmt.Errorf("page %d is document %d, in a cluster with document %d, but there are %d documents; lshclust info --check tells more", page, id, of, len(out))
		}
		out[id] = of
	}
	return out, r.Err()
}
