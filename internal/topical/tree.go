package topical

import (
	"context"
	"iter"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/label"
	"github.com/lshclust/lshclust/internal/topic/tree"
)

// Tree divides the nodes into topics; see package tree.
func (t *Tables) Tree(ctx context.Context, c tree.Config) (*tree.Tree, error) {
	return tree.Build(ctx, t.Pairs, t.size, c)
}

// Forest numbers the nodes of a tree of topics in preorder. A document without words is a leaf by
// itself; these leaves come last, and take no memory except for their numbers, because a table of links has millions
// of them.
type Forest struct {
	LeafOf []uint32 // node of each document

	of        *Tables
	nodes     []tree.Node  // without the documents without words
	alone     []uint32     // documents without words, ascending
	stored    *tables.Tree // if not nil, it has the nodes
	documents []uint32     // in order of their leaves
	first     []uint32     // index in documents of the first document of each node, and the number of its documents
}

// Forest returns the nodes of a tree with their documents.
func (t *Tables) Forest(from *tree.Tree) *Forest {
	f := &Forest{LeafOf: make([]uint32, t.Nodes.Documents()), of: t, nodes: from.Nodes}
	for node, leaf := range from.Leaf {
		for _, id := range t.Nodes.Members(uint32(node)) {
			f.LeafOf[id] = leaf
		}
	}
	for id := range f.LeafOf {
		if t.Nodes.Of(uint32(id)) == tables.None {
			f.LeafOf[id] = uint32(f.Len())
			f.alone = append(f.alone, uint32(id))
		}
	}
	f.fill()
	return f
}

// ForestOf returns the nodes of a stored tree. The table must stay open as long as the forest is used.
func ForestOf(t *tables.Tree) *Forest {
	f := &Forest{LeafOf: make([]uint32, t.Documents()), stored: t}
	for id := range f.LeafOf {
		if f.LeafOf[id] = t.Leaf(uint32(id)); f.LeafOf[id] == tables.None {
			f.LeafOf[id] = 0 // the table is damaged; the caller sees its error
		}
	}
	if f.Len() > 0 {
		f.fill()
	}
	return f
}

// Len returns the number of nodes.
func (f *Forest) Len() int {
	if f.stored != nil {
		return f.stored.Len()
	}
	return len(f.nodes) + len(f.alone)
}

// Node returns a node without its label.
func (f *Forest) Node(i uint32) tables.TreeNode {
	if f.stored != nil {
		n := f.stored.At(i)
		n.Label = nil
		return n
	}
	if joined := uint32(len(f.nodes)); i >= joined {
		return tables.TreeNode{Parent: tables.None, Center: f.alone[i-joined], Size: 1, Leaves: 1, End: i + 1}
	}
	n := &f.nodes[i]
	out := tables.TreeNode{
		Level: n.Level, Parent: tables.None, Center: f.of.Nodes.First(n.Center), Size: uint32(n.Size), Leaves: uint32(n.Leaves), End: uint32(n.End),
	}
	if n.Parent != tree.NoParent {
		out.Parent = uint32(n.Parent)
	}
	return out
}

// fill lists the documents in order of their leaves.
func (f *Forest) fill() {
	f.first, f.documents = make([]uint32, f.Len()+1), make([]uint32, len(f.LeafOf))
	for _, leaf := range f.LeafOf {
		f.first[leaf+1]++
	}
	for i := range f.Len() {
		f.first[i+1] += f.first[i]
	}
	next := append([]uint32(nil), f.first...)
	for id, leaf := range f.LeafOf {
		f.documents[next[leaf]] = uint32(id)
		next[leaf]++
	}
}

// Documents returns the documents of a node, leaf by leaf. The caller must not modify the slice.
func (f *Forest) Documents(node uint32) []uint32 {
	return f.documents[f.first[node]:f.first[f.Node(node).End]]
}

// Depth returns the number of nodes above a node.
func (f *Forest) Depth(node uint32) (depth int) {
	for up := f.Node(node).Parent; up != tables.None; up = f.Node(up).Parent {
		depth++
	}
	return depth
}

// The labels of a leaf and of an inner node are made from at most these numbers of documents. Reading their texts is most
// of the work of the stage, and there are fewer inner nodes, which need more documents to be described.
const (
	treeMembers  = 12
	innerMembers = 48
)

// sampled is the number of documents of a node with which its children are contrasted.
const sampled = 64

// TreeLabeller labels the nodes of a forest one after the other. It is not safe for concurrent use.
type TreeLabeller struct {
	l      *Labeller
	forest *Forest
	cached []family // by depth
}

// family is a sample of the documents of a node, with which its children are contrasted.
type family struct {
	parent uint32
	places []uint32         // indexes of Forest.documents, ascending
	held   map[uint32]int32 // number of them that have each word; see label.Labeller.Words
}

// NewTreeLabeller returns a TreeLabeller for a forest.
func (l *Labeller) NewTreeLabeller(f *Forest) *TreeLabeller { return &TreeLabeller{l: l, forest: f} }

// Label returns the phrases that distinguish a node from its siblings, given the labels of the nodes above.
func (l *TreeLabeller) Label(node uint32, above []string) []string {
	documents, parent := l.forest.Documents(node), l.forest.Node(node).Parent
	if parent == tables.None {
		return l.l.Label(documents)
	}
	f := l.family(parent)
	own := map[uint32]int32{}
	from, to := l.forest.first[node], l.forest.first[l.forest.Node(node).End]
	others := len(f.places)
	for _, p := range f.places {
		if p >= from && p < to {
			others--
			for word := range l.words(p) {
				own[word]++
			}
		}
	}
	most := treeMembers
	if l.forest.Node(node).Level > 0 {
		most = innerMembers
	}
	share := func(word uint32) float64 { return float64(f.held[word]-own[word]) / float64(others+1) }
	return l.l.label.LabelAmong(l.l.members(documents, most), label.Contrast{Share: share, Above: above})
}

// family returns the sample of a node. It keeps the last one of each depth, because siblings are labelled together.
func (l *TreeLabeller) family(parent uint32) *family {
	depth := l.forest.Depth(parent)
	for len(l.cached) <= depth {
		l.cached = append(l.cached, family{parent: tables.None})
	}
	f := &l.cached[depth]
	if f.parent == parent {
		return f
	}
	*f = family{parent: parent, held: map[uint32]int32{}}
	from, all := l.forest.first[parent], len(l.forest.Documents(parent))
	n := min(all, sampled)
	for i := range n {
		place := from + uint32(i*all/n)
		f.places = append(f.places, place)
		for word := range l.words(place) {
			f.held[word]++
		}
	}
	return f
}

// words yields the words of the document at a place of the forest.
func (l *TreeLabeller) words(place uint32) iter.Seq[uint32] {
	return l.l.label.Words(l.l.tables.Bags.At(l.forest.documents[place]))
}
