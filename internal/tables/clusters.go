package tables

import (
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/mapped"
)

// ClustersWriter writes clusters.lsh.
type ClustersWriter struct {
	writer
	label *mapped.StringsWriter
	ids   *mapped.Section
}

// CreateClusters starts clusters.lsh with the center of each document and the similarity to it. The caller adds the
// labels.
func CreateClusters(path string, centerOf []uint32, similarity []float32) *ClustersWriter {
	w := mapped.Create(path, "clusters", version)
	c := &ClustersWriter{writer: writer{w}, label: w.PackedStrings("label"), ids: w.Side("center", 4)}
	s := w.Section("center-of", 4)
	for _, x := range centerOf {
		s.U32(x)
	}
	s = w.Section("similarity", 4)
	for _, x := range similarity {
		s.F32(x)
	}
	return c
}

// Label appends the phrases that label the cluster of a center. Centers must ascend. A cluster of one document needs
// no label.
func (c *ClustersWriter) Label(center uint32, phrases []string) {
	c.ids.U32(center)
	c.label.Add(strings.Join(phrases, "\n"))
}

// Clusters reads clusters.lsh.
type Clusters struct {
	file
	center     column32
	similarity columnF32
	labelled   column32
	label      mapped.Strings
}

// OpenClusters opens clusters.lsh.
func OpenClusters(path string) (*Clusters, error) {
	r := open(path, "clusters")
	c := &Clusters{file: file{r.f}, center: r.u32("center-of"), similarity: r.f32("similarity"), labelled: r.u32("center"), label: r.strings("label")}
	return c, r.done(c.center.Len() == c.similarity.Len() && c.labelled.Len() == c.label.Len())
}

// Len returns the number of documents.
func (c *Clusters) Len() int { return c.center.Len() }

// Center returns the center of the cluster of a document and the similarity to it, which is 1 for the center itself.
// It returns None if there is no such document or the table is damaged.
func (c *Clusters) Center(id uint32) (uint32, float32) {
	if int64(id) >= int64(c.center.Len()) {
		return None, 0
	}
	of := c.center.At(int(id))
	if !c.below("center-of", int(id), of, c.Len()) {
		return None, 0
	}
	return of, c.similarity.At(int(id))
}

// Centers returns the center of every document. The slice points into the table. In a damaged table, a document without
// a center is its own center.
func (c *Clusters) Centers() []uint32 {
	all := c.center.All()
	if c.allBelow("center-of", 0, all, c.Len()) {
		return all
	}
	all = slices.Clone(all)
	for id, of := range all {
		if int64(of) >= int64(len(all)) {
			all[id] = uint32(id)
		}
	}
	return all
}

// Label returns the phrases that label the cluster of a center, or nil for a cluster of one document.
func (c *Clusters) Label(center uint32) []string {
	if i, ok := search(c.labelled, center); ok && c.label.At(i) != "" {
		return strings.Split(c.label.At(i), "\n")
	}
	return nil
}
