package resemble

import (
	"cmp"
	"fmt"
	"slices"
)

// Len returns the number of documents.
func (c *Clusters) Len() int { return len(c.of) }

// Groups returns the clusters of at least two documents, in ascending order of their representatives.
func (c *Clusters) Groups() []Group { return c.groups }

// Group returns the cluster of a representative. ok is false if the document is alone or is not a representative.
func (c *Clusters) Group(representative uint32) (g Group, ok bool) {
	i, ok := slices.BinarySearchFunc(c.groups, representative, func(g Group, id uint32) int {
		return cmp.Compare(g.Representative, id)
	})
	if !ok {
		return Group{}, false
	}
	return c.groups[i], true
}

// Members returns the documents of a cluster in ascending order. The caller must not change them.
func (c *Clusters) Members(g Group) []uint32 { return c.order[g.from : g.from+g.Documents] }

// Representative returns the representative of a document's cluster, which is the document itself if it is alone.
func (c *Clusters) Representative(id uint32) uint32 { return c.of[id] }

// Member returns the place of a document in its cluster.
func (c *Clusters) Member(id uint32) Member {
	return Member{c.of[id], c.via[id], c.relation[id], float64(c.resemblance[id])}
}

// Policy decides which pairs are links of clusters.
type Policy struct {
	// Threshold is the least resemblance of a link; 0 means 0.5.
	Threshold float64
	// Containment, if not 0, is the least containment, in either direction, of a pair that is also a link, so that a
	// document and one that contains it are in one cluster. If it is 0, they are not, unless they are similar.
	Containment float64
}

func (p Policy) withDefaults() (Policy, error) {
	p.Threshold = cmp.Or(p.Threshold, 0.5)
	if !(p.Threshold > 0 && p.Containment >= 0) {
		return p, fmt.Errorf("resemble: policy %+v: want numbers above 0", p)
	}
	return p, nil
}

// Links reports whether a pair is a link.
func (p Policy) Links(x Pair) bool {
	return x.Resemblance() >= p.Threshold || p.Containment > 0 && x.Containment() >= p.Containment
}
