package query

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/lshclust/lshclust/internal/config"
)

// ErrNoCluster is wrapped by the errors for ids that are not those of a cluster.
var ErrNoCluster = errors.New("the run has no cluster with this id")

// ErrNoHost is wrapped by the error for a host without documents.
var ErrNoHost = errors.New("the run holds no document on the host")

// holder returns the document that identifies a cluster: its center or its representative. The id of a cluster is the
// hash of the URL of this document.
func (r *Run) holder(id string) (uint32, error) {
	if hash, err := strconv.ParseUint(id, 16, 64); err == nil && len(id) == 16 {
		if d, ok := r.docs.ByHash(hash); ok {
			return d, nil
		}
	}
	return 0, fmt.Errorf("%q: %w", id, ErrNoCluster)
}

// TopicalClusterByID returns the topical cluster with an id. The cluster may have one document only.
func (r *Run) TopicalClusterByID(id string) (TopicalCluster, error) {
	if err := r.Need(config.Topical); err != nil {
		return TopicalCluster{}, err
	}
	d, err := r.holder(id)
	if err != nil {
		return TopicalCluster{}, err
	}
	if center, _ := r.clusters.Center(d); center != d {
		return TopicalCluster{}, fmt.Errorf("%q: %w", id, ErrNoCluster)
	}
	return r.TopicalCluster(d)
}

// TopicalMembers returns at most n documents of a topical cluster, after the first skip of them. The center comes
// first, then the others by their similarity to it; ties are sorted by URL.
func (r *Run) TopicalMembers(c TopicalCluster, skip, n int) []TopicalMember {
	order := make([]int, len(c.members))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch a, b := c.members[i], c.members[j]; {
		case a == b:
			return 0
		case a == c.Center:
			return -1
		case b == c.Center:
			return 1
		default:
			return cmp.Or(cmp.Compare(c.similarity[j], c.similarity[i]), cmp.Compare(r.docs.URL(a), r.docs.URL(b)))
		}
	})
	skip = min(max(skip, 0), len(order))
	var out []TopicalMember
	for _, i := range order[skip : skip+min(max(n, 0), len(order)-skip)] {
		out = append(out, TopicalMember{c.members[i], c.similarity[i]})
	}
	return out
}

// SyntacticClusterByID returns the syntactic cluster with an id. The cluster may have one page only.
func (r *Run) SyntacticClusterByID(id string) (SyntacticCluster, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return SyntacticCluster{}, err
	}
	d, err := r.holder(id)
	if err != nil {
		return SyntacticCluster{}, err
	}
	page, ok := r.pages.Page(d)
	if !ok || r.union.Member(page).Representative != page {
		return SyntacticCluster{}, fmt.Errorf("%q: %w", id, ErrNoCluster)
	}
	return r.SyntacticCluster(d)
}

// SyntacticMembers returns at most n documents of a syntactic cluster in order of ids, after the first skip of them.
func (r *Run) SyntacticMembers(c SyntacticCluster, skip, n int) (documents []uint32) {
	skip = min(max(skip, 0), len(c.pages))
	for _, p := range c.pages[skip : skip+min(max(n, 0), len(c.pages)-skip)] {
		documents = append(documents, r.pages.Document(p))
	}
	return documents
}
