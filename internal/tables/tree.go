package tables

import (
	"strings"

	"github.com/lshclust/lshclust/internal/mapped"
)

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

// TreeWriter writes tree.lsh.
type TreeWriter struct {
	writer
	label  *mapped.StringsWriter
	level  *mapped.Section
	parent *mapped.Section
	center *mapped.Section
	size   *mapped.Section
	leaves *mapped.Section
	end    *mapped.Section
}

// CreateTree starts tree.lsh with the leaf of each document. The caller adds the nodes.
func CreateTree(path string, leafOf []uint32) *TreeWriter {
	w := mapped.Create(path, "tree", version)
	t := &TreeWriter{
		writer: writer{w}, label: w.PackedStrings("label"), level: w.Side("level", 1), parent: w.Side("parent", 4), center: w.Side("center", 4),
		size: w.Side("size", 4), leaves: w.Side("leaves", 4), end: w.Side("end", 4),
	}
	s := w.Section("leaf-of", 4)
	for _, x := range leafOf {
		s.U32(x)
	}
	return t
}

// Add appends a node. Nodes must be added in preorder.
func (t *TreeWriter) Add(n TreeNode) {
	t.level.Bytes([]byte{byte(n.Level)})
	t.parent.U32(n.Parent)
	t.center.U32(n.Center)
	t.size.U32(n.Size)
	t.leaves.U32(n.Leaves)
	t.end.U32(n.End)
	t.label.Add(strings.Join(n.Label, "\n"))
}

// Tree reads tree.lsh.
type Tree struct {
	file
	leafOf column32
	level  column8
	parent column32
	center column32
	size   column32
	leaves column32
	end    column32
	label  mapped.Strings
}

// OpenTree opens tree.lsh.
func OpenTree(path string) (*Tree, error) {
	r := open(path, "tree")
	t := &Tree{
		file: file{r.f}, leafOf: r.u32("leaf-of"), level: r.u8("level"), parent: r.u32("parent"), center: r.u32("center"),
		size: r.u32("size"), leaves: r.u32("leaves"), end: r.u32("end"), label: r.strings("label"),
	}
	n := t.level.Len()
	return t, r.done(n == t.parent.Len() && n == t.center.Len() && n == t.size.Len() && n == t.leaves.Len() && n == t.end.Len() && n == t.label.Len())
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
		Leaves: t.leaves.At(int(i)), End: t.end.At(int(i)),
	}
	if s := t.label.At(int(i)); s != "" {
		n.Label = strings.Split(s, "\n")
	}
	fits := t.below("center", int(i), n.Center, t.Documents())
	if n.Parent != None {
		fits = t.below("parent", int(i), n.Parent, int(i)) && fits // a parent comes first
	}
	if n.End <= i || int64(n.End) > int64(t.Len()) {
		t.f.Report("end", int(i), "node %d ends at %d of %d", i, n.End, t.Len())
		fits = false
	}
	if !fits {
		return TreeNode{Parent: None, Center: None, End: i + 1, Label: n.Label}
	}
	return n
}

// Leaf returns the leaf of a document, or None if there is no such document or the table is damaged.
func (t *Tree) Leaf(id uint32) uint32 {
	if int64(id) >= int64(t.leafOf.Len()) {
		return None
	}
	leaf := t.leafOf.At(int(id))
	if !t.below("leaf-of", int(id), leaf, t.Len()) {
		return None
	}
	return leaf
}
