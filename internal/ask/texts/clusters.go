package texts

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// SyntacticCluster is a cluster of pages with similar texts.
type SyntacticCluster struct {
	ID             string  `json:"-"`
	Representative uint32  `json:"-"` // document
	Size           int     `json:"-"` // pages
	Distinct       int     `json:"distinct" doc:"pages that do not equal one another"`
	Chained        int     `json:"chained" doc:"pages that are no pair with the representative at the threshold"`
	Links          uint64  `json:"pairs" doc:"pairs of distinct pages at the threshold"`
	Lowest         float64 `json:"lowest_pair" doc:"at a threshold above this the cluster falls apart; 1 if all pages are equal"`
	DiameterLow    int     `json:"diameter" doc:"lower bound of the pairs on the longest of the shortest chains of pairs"`
	DiameterHigh   int     `json:"diameter_most" doc:"upper bound of the same"`

	pages []uint32
}

// Clusters returns the syntactic clusters of two or more pages, largest first.
func Clusters(r *runs.Run) ([]SyntacticCluster, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	out := make([]SyntacticCluster, 0, r.Union.Groups())
	for i := range r.Union.Groups() {
		g, pages := r.Union.Group(i)
		out = append(out, newCluster(r, g, pages))
	}
	sortClusters(r, out)
	return out, nil
}

func sortClusters(r *runs.Run, clusters []SyntacticCluster) {
	slices.SortFunc(clusters, func(a, b SyntacticCluster) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(r.Docs.URL(a.Representative), r.Docs.URL(b.Representative)))
	})
}

// ClusterOf returns the syntactic cluster of a document. It may have no other member.
func ClusterOf(r *runs.Run, id uint32) (SyntacticCluster, error) {
	this, err := r.PageOf(id)
	if err != nil {
		return SyntacticCluster{}, err
	}
	if i, ok := r.Union.GroupOf(this); ok {
		g, pages := r.Union.Group(i)
		return newCluster(r, g, pages), nil
	}
	return newCluster(r, resemble.Group{Representative: this, Documents: 1, Distinct: 1, Lowest: 1}, []uint32{this}), nil
}

// CopyOf returns the document that represents all with a text like that of a document, or false if there is no other.
func CopyOf(r *runs.Run, id uint32) (uint32, bool) {
	page, err := r.PageOf(id)
	if err != nil {
		return 0, false
	}
	_, ok := r.Union.GroupOf(page)
	return r.Pages.Document(r.Union.Member(page).Representative), ok
}

func newCluster(r *runs.Run, g resemble.Group, pages []uint32) SyntacticCluster {
	of := r.Pages.Document(g.Representative)
	return SyntacticCluster{
		ID: tables.ClusterID(r.Docs.URL(of)), Representative: of, Size: g.Documents, Distinct: g.Distinct, Chained: g.Chained, Links: g.Links,
		Lowest: g.Lowest, DiameterLow: g.DiameterLow, DiameterHigh: g.DiameterHigh, pages: pages,
	}
}

// ClusterByID returns the syntactic cluster with an id. The cluster may have one page only.
func ClusterByID(r *runs.Run, id string) (SyntacticCluster, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return SyntacticCluster{}, err
	}
	d, err := runs.ClusterHolder(r, id)
	if err != nil {
		return SyntacticCluster{}, err
	}
	page, ok := r.Pages.Page(d)
	if !ok || r.Union.Member(page).Representative != page {
		return SyntacticCluster{}, fmt.Errorf("%q: %w", id, runs.ErrNoCluster)
	}
	return ClusterOf(r, d)
}

// Members returns at most n documents of a syntactic cluster in order of ids, after the first skip of them.
func Members(r *runs.Run, c SyntacticCluster, skip, n int) (documents []uint32) {
	skip = min(max(skip, 0), len(c.pages))
	for _, p := range c.pages[skip : skip+min(max(n, 0), len(c.pages)-skip)] {
		documents = append(documents, r.Pages.Document(p))
	}
	return documents
}
