package query

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/resemble"
)

// ErrNoCluster is wrapped by the errors for ids that no cluster of the run has.
var ErrNoCluster = errors.New("the run has no cluster with this id")

// holder returns the document at the center of a cluster, or its representative. The id of a cluster is the hash of the
// URL of this document.
func (r *Run) holder(id string) (uint32, error) {
	if hash, err := strconv.ParseUint(id, 16, 64); err == nil && len(id) == 16 {
		if d, ok := r.docs.ByHash(hash); ok {
			return d, nil
		}
	}
	return 0, fmt.Errorf("%q: %w", id, ErrNoCluster)
}

// TopicalClusterByID returns the topical cluster with an id. The cluster may have one document.
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

// TopicalMembersFrom returns at most n documents of a topical cluster, without the first skip of them. The center comes
// first, then the others by their similarity to it, and ties in the order of the URLs.
func (r *Run) TopicalMembersFrom(c TopicalCluster, skip, n int) []TopicalMember {
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
		id := c.members[i]
		d := r.docs.At(id)
		out = append(out, TopicalMember{
			ID: id, URL: d.URL, Title: d.Title, Similarity: c.similarity[i], Crawled: d.Crawled,
			InLinks: int(d.InLinks), InHosts: int(d.InHosts), Anchors: r.Anchors(id, memberAnchors),
		})
	}
	return out
}

// SyntacticSummary returns the syntactic cluster of a document without its members.
func (r *Run) SyntacticSummary(id uint32) (SyntacticCluster, error) {
	c, _, err := r.syntacticGroup(id)
	return c, err
}

// SyntacticClusterByID returns the syntactic cluster with an id, without the URLs of its members, and at most n of its
// members without the first skip of them. The cluster may have one page.
func (r *Run) SyntacticClusterByID(id string, skip, n int) (c SyntacticCluster, members []uint32, err error) {
	if err := r.Need(config.Syntactic); err != nil {
		return c, nil, err
	}
	d, err := r.holder(id)
	if err != nil {
		return c, nil, err
	}
	page, ok := r.pages.Page(d)
	if !ok || r.union.Member(page).Representative != page {
		return c, nil, fmt.Errorf("%q: %w", id, ErrNoCluster)
	}
	c, pages, err := r.syntacticGroup(d)
	if err != nil {
		return c, nil, err
	}
	skip = min(max(skip, 0), len(pages))
	for _, p := range pages[skip : skip+min(max(n, 0), len(pages)-skip)] {
		members = append(members, r.pages.Document(p))
	}
	return c, members, nil
}

// syntacticGroup returns the syntactic cluster of a document without URLs, and its pages.
func (r *Run) syntacticGroup(id uint32) (SyntacticCluster, []uint32, error) {
	this, err := r.page(id)
	if err != nil {
		return SyntacticCluster{}, nil, err
	}
	g, pages := resemble.Group{Representative: this, Documents: 1, Distinct: 1, Lowest: 1}, []uint32{this}
	if i, ok := r.union.GroupOf(this); ok {
		g, pages = r.union.Group(i)
	}
	return r.syntacticCluster(g, pages, false), pages, nil
}
