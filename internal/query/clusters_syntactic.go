package query

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// SyntacticCluster is a cluster of pages with similar texts.
type SyntacticCluster struct {
	ID             string  `json:"-"`
	Representative uint32  `json:"-"` // document
	Size           int     `json:"-"` // pages
	Distinct       int     `json:"distinct" doc:"pages that do not equal one another"`
	Chained        int     `json:"chained" doc:"pages without a link to the representative, a link being a pair at the threshold"`
	Links          uint64  `json:"links" doc:"links among the distinct pages"`
	Lowest         float64 `json:"lowest_link" doc:"at a threshold above this the cluster falls apart; 1 if all pages are equal"`
	DiameterLow    int     `json:"diameter" doc:"lower bound of the links on the longest of the shortest paths"`
	DiameterHigh   int     `json:"diameter_most" doc:"upper bound of the same"`

	pages []uint32
}

// SyntacticClusters returns the syntactic clusters of two or more pages, largest first.
func (r *Run) SyntacticClusters() ([]SyntacticCluster, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	out := make([]SyntacticCluster, 0, r.union.Groups())
	for i := range r.union.Groups() {
		out = append(out, r.syntacticCluster(r.union.Group(i)))
	}
	r.sortSyntacticClusters(out)
	return out, nil
}

func (r *Run) sortSyntacticClusters(clusters []SyntacticCluster) {
	slices.SortFunc(clusters, func(a, b SyntacticCluster) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(r.docs.URL(a.Representative), r.docs.URL(b.Representative)))
	})
}

// SyntacticCluster returns the syntactic cluster of a document. It may have no other member.
func (r *Run) SyntacticCluster(id uint32) (SyntacticCluster, error) {
	this, err := r.page(id)
	if err != nil {
		return SyntacticCluster{}, err
	}
	if i, ok := r.union.GroupOf(this); ok {
		return r.syntacticCluster(r.union.Group(i)), nil
	}
	return r.syntacticCluster(resemble.Group{Representative: this, Documents: 1, Distinct: 1, Lowest: 1}, []uint32{this}), nil
}

func (r *Run) syntacticCluster(g resemble.Group, pages []uint32) SyntacticCluster {
	of := r.pages.Document(g.Representative)
	return SyntacticCluster{
		ID: tables.ClusterID(r.docs.URL(of)), Representative: of, Size: g.Documents, Distinct: g.Distinct, Chained: g.Chained, Links: g.Links,
		Lowest: g.Lowest, DiameterLow: g.DiameterLow, DiameterHigh: g.DiameterHigh, pages: pages,
	}
}

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
