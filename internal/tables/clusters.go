package tables

import (
	"bytes"
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

// TreeNode is a node of the tree of topics.
type TreeNode struct {
	Level  int      // 0 for a leaf
	Parent uint32   // number of the parent, None for a root
	Center uint32   // document
	Size   uint32   // number of documents
	Leaves uint32   // number of leaves below; 1 for a leaf
	End    uint32   // number after the last node below
	Label  []string // phrases that distinguish the node from its siblings, best first
}

var treeTable = kind{"tree", 1}

type treeColumns struct {
	label  mapped.Texts `lsh:"label,packed" of:"node"`
	level  octets       `lsh:"level" of:"node"`
	parent numbers32    `lsh:"parent" of:"node"`
	center numbers32    `lsh:"center" of:"node"`
	size   numbers32    `lsh:"size" of:"node"`
	end    numbers32    `lsh:"end" of:"node"`
	leafOf numbers32    `lsh:"leaf-of,stream"`
}

// TreeWriter writes tree.lsh.
type TreeWriter struct {
	writer
	treeColumns
}

// CreateTree starts tree.lsh with the leaf of each document. The caller adds the nodes.
func CreateTree(path string, leafOf []uint32) *TreeWriter {
	t := new(TreeWriter)
	t.writer = treeTable.create(path, &t.treeColumns)
	t.leafOf.AddAll(leafOf)
	return t
}

// Add appends a node. Nodes must be added in preorder.
func (t *TreeWriter) Add(n TreeNode) {
	t.level.Add(byte(n.Level))
	t.parent.Add(n.Parent)
	t.center.Add(n.Center)
	t.size.Add(n.Size)
	t.end.Add(n.End)
	t.label.Add(strings.Join(n.Label, "\n"))
}

// Tree reads tree.lsh.
type Tree struct {
	file
	treeColumns
}

// OpenTree opens tree.lsh.
func OpenTree(path string) (*Tree, error) {
	t := new(Tree)
	return t, treeTable.open(path, &t.file, &t.treeColumns, nil)
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return t.level.Len() }

// Documents returns the number of documents.
func (t *Tree) Documents() int { return t.leafOf.Len() }

// At returns a node, which must exist. In a damaged table, a node with impossible numbers is a leaf without a parent,
// whose center is None.
func (t *Tree) At(i uint32) TreeNode {
	n := TreeNode{
		Level: int(t.level.At(int(i))), Parent: t.parent.At(int(i)), Center: t.center.At(int(i)), Size: t.size.At(int(i)),
		End: t.end.At(int(i)),
	}
	if s := t.label.At(int(i)); s != "" {
		n.Label = strings.Split(s, "\n")
	}
	_, fits := t.center.Below(int(i), t.Documents())
	if n.Parent != None {
		_, before := t.parent.Below(int(i), int(i)) // a parent comes first
		fits = fits && before
	}
	if n.End <= i || int64(n.End) > int64(t.Len()) {
		t.f.Report("end", int(i), "node %d ends at %d of %d", i, n.End, t.Len())
		fits = false
	}
	if !fits {
		return TreeNode{Parent: None, Center: None, End: i + 1, Label: n.Label}
	}
	n.Leaves = uint32(bytes.Count(t.level.Slice(int(i), int(n.End)), []byte{0}))
	return n
}

// Leaf returns the leaf of a document, or None if there is no such document or the table is damaged.
func (t *Tree) Leaf(id uint32) uint32 {
	return below(&t.leafOf, int(id), t.Len())
}
