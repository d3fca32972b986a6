package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/mapped"
)

var clustersTable = kind{"clusters", 1}

type clusterColumns struct {
	label      mapped.Texts `lsh:"label,packed" of:"cluster"`
	labelled   numbers32    `lsh:"center" of:"cluster"`
	center     numbers32    `lsh:"center-of,stream" of:"document"`
	similarity floats       `lsh:"similarity,stream" of:"document"`
}

// ClustersWriter writes clusters.lsh.
type ClustersWriter struct {
	writer
	clusterColumns
}

// CreateClusters starts clusters.lsh with the center of each document and the similarity to it. The caller adds the
// labels.
func CreateClusters(path string, centerOf []uint32, similarity []float32) *ClustersWriter {
	c := new(ClustersWriter)
	c.writer = clustersTable.create(path, &c.clusterColumns)
	c.center.AddAll(centerOf)
	c.similarity.AddAll(similarity)
	return c
}

// Label appends the phrases that label the cluster of a center. Centers must ascend. A cluster of one document needs
// no label.
func (c *ClustersWriter) Label(center uint32, phrases []string) {
	c.labelled.Add(center)
	c.label.Add(strings.Join(phrases, "\n"))
}

// Clusters reads clusters.lsh.
type Clusters struct {
	file
	clusterColumns
}

// OpenClusters opens clusters.lsh.
func OpenClusters(path string) (*Clusters, error) {
	c := new(Clusters)
	return c, clustersTable.open(path, &c.file, &c.clusterColumns, nil)
}

// Len returns the number of documents.
func (c *Clusters) Len() int { return c.center.Len() }

// Center returns the center of the cluster of a document and the similarity to it, which is 1 for the center itself.
// It returns None if there is no such document or the table is damaged.
func (c *Clusters) Center(id uint32) (uint32, float32) {
	of, ok := c.center.Below(int(id), c.Len())
	if !ok {
		return None, 0
	}
	return of, c.similarity.At(int(id))
}

// Centers returns the center of every document. The slice points into the table. In a damaged table, a document without
// a center is its own center.
func (c *Clusters) Centers() []uint32 {
	if all := c.center.SliceBelow(0, c.Len(), c.Len()); all != nil {
		return all
	}
	all := slices.Clone(c.center.All())
	for id, of := range all {
		if int64(of) >= int64(len(all)) {
			all[id] = uint32(id)
		}
	}
	return all
}

// Label returns the phrases that label the cluster of a center, or nil for a cluster of one document.
func (c *Clusters) Label(center uint32) []string {
	if i, ok := search(c.labelled.Column, center); ok && c.label.At(i) != "" {
		return strings.Split(c.label.At(i), "\n")
	}
	return nil
}

// ClusterID returns the public id of the cluster whose center or representative has the given canonical URL: the [Hash]
// of the URL as 16 hexadecimal digits.
func ClusterID(url string) string { return fmt.Sprintf("%016x", Hash(url)) }

// TreeID returns the public id of a node of the tree of topics: the [Hash] of the URL of its center as 16 hexadecimal
// digits, a dot and the level.
func TreeID(url string, level int) string {
	return fmt.Sprintf("%s.%d", ClusterID(url), level)
}
