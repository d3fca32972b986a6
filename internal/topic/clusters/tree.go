package clusters

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

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
	treeMembers  = 8
	largeLeaf    = 20
	innerMembers = label.MaxMembers
)

// A large topic is labelled by a random sample of so many of its documents: what many hosts link to is not what most of it is about.
const (
	largeTopic   = 1000
	largeMembers = 512
)

// TreeLabeller labels the nodes of a forest one after the other. It is not safe for concurrent use.
type TreeLabeller struct {
	l      *Labeller
	forest *Forest
	open   []*sample // of the last node and those above it, by depth
	own    []int32   // number of members of a sample that are in the node and have each word, while it is labelled
}

// sample is a sample of the documents of a node, by which it is labelled, and its children are contrasted.
type sample struct {
	node    uint32
	label   []string
	own     []string // the label without the names of children, which these keep
	has     []bool   // which members have the first phrase, or nil if that is not of headings
	ids     []uint32 // ascending
	members []label.Member
	held    map[uint32]int32 // number of them that have each word; see label.Labeller.Words
	taken   map[string]bool  // first phrases of the children and of the nodes above them, in lower case
}

// NewTreeLabeller returns a TreeLabeller for a forest.
func (l *Labeller) NewTreeLabeller(f *Forest) *TreeLabeller {
	return &TreeLabeller{l: l, forest: f, own: make([]int32, l.tables.Terms.Len())}
}

// Label returns the phrases that distinguish a node from its siblings, or nil for a document alone. It is quick if nodes come in
// order, because a node has documents in common with those above it.
func (l *TreeLabeller) Label(node uint32) []string {
	if l.forest.Node(node).Size < 2 {
		return nil
	}
	return l.at(node).label
}

// at returns the sample of a node with its label, and those of the nodes above it in open.
func (l *TreeLabeller) at(node uint32) *sample {
	n, depth := l.forest.Node(node), l.forest.Depth(node)
	if depth < len(l.open) && l.open[depth].node == node {
		l.open = l.open[:depth+1]
		return l.open[depth]
	}
	up := &sample{}
	if n.Parent != tables.None {
		up = l.at(n.Parent)
	}
	s := l.sample(node, up)
	l.open = append(l.open[:depth], s)
	s.label = l.labelBelow(s, up, l.open[:depth])
	s.has = l.l.label.Headed()
	s.own = s.label
	if n.Size >= mixedTopic && n.Level > 0 && !mostly(s.has) {
		l.nameByChildren(s)
	}
	if len(s.own) > 0 {
		first := strings.ToLower(s.own[0])
		s.taken[first] = true
		if depth > 0 { // a part of the nodes does not know the labels of tops in others
			up.taken[first] = true
		}
	}
	return s
}

// labelBelow returns the label of the node of a sample, given that of its parent, and the samples of all nodes above it.
func (l *TreeLabeller) labelBelow(s, up *sample, above []*sample) []string {
	if len(above) == 0 {
		return l.l.label.Label(s.members)
	}
	c := label.Contrast{Taken: up.taken}
	for _, a := range slices.Backward(above) {
		c.Above = append(c.Above, a.own...)
	}
	others := len(up.ids)
	for _, m := range l.within(up, s.node) {
		others--
		for word := range l.l.label.Words(m.Bag) {
			l.own[word]++
		}
	}
	c.Share = func(word uint32) float64 { return float64(up.held[word]-l.own[word]) / float64(others+1) }
	out := l.l.label.LabelAmong(s.members, c)
	for _, m := range l.within(up, s.node) {
		for word := range l.l.label.Words(m.Bag) {
			l.own[word] = 0
		}
	}
	return out
}

// A topic of so many documents of several subjects has so many names at most, of children with this fraction of the documents.
const (
	mixedTopic = 10000
	mostNames  = 3
	leastPart  = 50
)

// nameByChildren names a topic of several subjects: by the phrase of headings that names it, if there is one, and by its largest
// children that others name, which most of their members have.
func (l *TreeLabeller) nameByChildren(s *sample) {
	var names []string
	own, taken, depth, end := s.label, maps.Clone(s.taken), len(l.open), l.forest.Node(s.node).End
	if s.has != nil {
		names = own[:1:1]
		s.taken[strings.ToLower(names[0])] = true
	}
	s.label, s.own = nil, names
	for child := s.node + 1; child < end && len(names) < mostNames; child = l.forest.Node(child).End {
		if l.forest.Node(child).Size < l.forest.Node(s.node).Size/leastPart {
			break
		}
		var told []bool
		for i := range l.within(s, child) {
			told = append(told, s.has != nil && s.has[i])
		}
		if mostly(told) {
			continue
		}
		if c := l.at(child); mostly(c.has) && !label.Alike(names, c.label[0]) {
			names = append(names, c.label[0])
		}
	}
	l.open, s.taken, s.label = l.open[:depth], taken, names
	if len(names) < 2 {
		s.label, s.own = own, own
	}
}

// mostly reports whether at least half of some values are true.
func mostly(values []bool) bool {
	n := 0
	for _, v := range values {
		if v {
			n++
		}
	}
	return n > 0 && 2*n >= len(values)
}

// within yields the members of a sample that are in a node, with their indexes.
func (l *TreeLabeller) within(s *sample, node uint32) iter.Seq2[int, label.Member] {
	end := l.forest.Node(node).End
	return func(yield func(int, label.Member) bool) {
		for i, id := range s.ids {
			if leaf := l.forest.LeafOf[id]; leaf >= node && leaf < end && !yield(i, s.members[i]) {
				return
			}
		}
	}
}

// many is the number of hosts from which on more of them do not matter.
const many = 2

// sample returns the sample of a node, given that of its parent: documents that many hosts link to, of which most is said, then
// others, and among them, as in a large topic, those with the lowest ids, which are random. So those that a node has in common
// with the node above it are in both samples.
func (l *TreeLabeller) sample(node uint32, up *sample) *sample {
	n, s := l.forest.Node(node), &sample{node: node, held: map[uint32]int32{}, taken: map[string]bool{}}
	for _, above := range l.open[:l.forest.Depth(node)] {
		if len(above.own) > 0 {
			s.taken[strings.ToLower(above.own[0])] = true
		}
	}
	hosts, most := uint32(many), treeMembers
	switch {
	case n.Size >= largeTopic:
		hosts, most = 0, largeMembers
	case n.Level > 0 || n.Size >= largeLeaf:
		most = innerMembers
	}
	s.ids = l.best(l.forest.Documents(node), most, hosts)
	for _, id := range s.ids {
		var m label.Member
		if i, ok := slices.BinarySearch(up.ids, id); ok {
			m = up.members[i]
		} else {
			m = l.l.member(id)
			m.Cut = new(label.Cut)
		}
		s.members = append(s.members, m)
		if n.Level > 0 {
			for word := range l.l.label.Words(m.Bag) {
				s.held[word]++
			}
		}
	}
	return s
}

// best returns at most n of some documents, ascending: those to which the most hosts link, of which so many count, and of these
// those with the lowest ids.
func (l *TreeLabeller) best(documents []uint32, n int, hosts uint32) []uint32 {
	keys := make([]uint64, 0, n)
	for _, id := range documents {
		key := uint64(id)
		if hosts > 0 {
			key |= uint64(hosts-min(hosts, l.l.tables.Documents.InHosts(id))) << 32
		}
		if len(keys) == n && key > keys[n-1] {
			continue
		}
		i, _ := slices.BinarySearch(keys, key)
		keys = slices.Insert(keys[:min(len(keys), n-1)], i, key)
	}
	out := make([]uint32, len(keys))
	for i, key := range keys {
		out[i] = uint32(key)
	}
	slices.Sort(out)
	return out
}
