package tables

import (
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/mapped"
)

// ClustersWriter writes clusters.lsh.
type ClustersWriter struct {
	w     *mapped.Writer
	label *mapped.StringsWriter
	ids   *mapped.Section
}

// CreateClusters starts clusters.lsh: centerOf and similarity have one entry a document. Labels follow.
func CreateClusters(path string, centerOf []uint32, similarity []float32) (*ClustersWriter, error) {
	w, err := mapped.Create(path, "clusters", version)
	if err != nil {
		return nil, err
	}
	c := &ClustersWriter{w: w, label: w.Strings("label"), ids: w.Side("center", 4)}
	s := w.Section("center-of", 4)
	for _, x := range centerOf {
		s.U32(x)
	}
	s = w.Section("similarity", 4)
	for _, x := range similarity {
		s.F32(x)
	}
	return c, nil
}

// Label appends the phrases that label the cluster of a center, in the order of the centers; clusters of one need none.
func (c *ClustersWriter) Label(center uint32, phrases []string) {
	c.ids.U32(center)
	c.label.Add(strings.Join(phrases, "\n"))
}

// Close publishes the table.
func (c *ClustersWriter) Close() error { return c.w.Close() }

// Abort removes what was written.
func (c *ClustersWriter) Abort() { c.w.Abort() }

// Clusters reads clusters.lsh.
type Clusters struct {
	f          *mapped.File
	center     []uint32
	similarity []float32
	labelled   []uint32
	label      mapped.Strings
}

// OpenClusters opens clusters.lsh.
func OpenClusters(path string) (*Clusters, error) {
	r := open(path, "clusters")
	c := &Clusters{f: r.f, center: r.u32("center-of"), similarity: r.f32("similarity"), labelled: r.u32("center"), label: r.strings("label")}
	return c, r.done(len(c.center) == len(c.similarity) && len(c.labelled) == c.label.Len())
}

// Len is the number of documents.
func (c *Clusters) Len() int { return len(c.center) }

// Center returns the center of a document's cluster and the similarity to it, 1 for the center itself.
func (c *Clusters) Center(id uint32) (uint32, float32) {
	if int64(id) >= int64(len(c.center)) {
		return None, 0
	}
	return c.center[id], c.similarity[id]
}

// Centers returns the center of every document; it points into the table.
func (c *Clusters) Centers() []uint32 { return c.center }

// Label returns the phrases that tell what a cluster is about, nil for a cluster of one.
func (c *Clusters) Label(center uint32) []string {
	if i, ok := slices.BinarySearch(c.labelled, center); ok && c.label.At(i) != "" {
		return strings.Split(c.label.At(i), "\n")
	}
	return nil
}

// Close unmaps the table.
func (c *Clusters) Close() error { return c.f.Close() }
