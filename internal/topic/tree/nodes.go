package tree

import (
	"cmp"
	"slices"
)

// NoParent is the parent of a node that has none.
const NoParent = -1

// Node is a cluster of the tree. A cluster that stays the same from one level to the next is one node.
type Node struct {
	Level  int    // the lowest level that has the cluster; 0 for a leaf
	Center uint32 // node of the graph at the center of the cluster
	Parent int    // index of the node that the cluster joins at a higher level, or NoParent
	Size   int    // sum of the sizes of the nodes of the graph in the cluster
	Leaves int    // clusters of the lowest level in it; 1 for a leaf
	End    int    // index after the last node below this one
}

// Nodes returns the nodes of the tree, each parent before its children, and all nodes below a node right after it.
// Siblings, and nodes without a parent, are ordered by descending size, then by center. size returns the size of a node
// of the graph; nil means 1 each.
//
// The clusters of a level L are the nodes whose level is at most L and whose parent, if any, has a level above L.
func (t *Tree) Nodes(size func(node uint32) int) []Node {
	f := t.forest(size)
	var roots []int32
	for i, n := range f.nodes {
		if n.Parent == NoParent {
			roots = append(roots, int32(i))
		}
	}
	out := make([]Node, 0, len(f.nodes))
	type todo struct {
		node   int32
		parent int
	}
	var stack []todo
	push := func(some []int32, parent int) {
		slices.SortFunc(some, f.compare)
		for _, n := range slices.Backward(some) {
			stack = append(stack, todo{n, parent})
		}
	}
	push(roots, NoParent)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := f.nodes[at.node]
		n.Parent = at.parent
		push(f.children(at.node), len(out))
		out = append(out, n)
	}
	for i := range slices.Backward(out) {
		n := &out[i]
		n.End = max(n.End, i+1)
		if n.Parent != NoParent {
			out[n.Parent].End = max(out[n.Parent].End, n.End)
		}
	}
	return out
}

// forest holds the nodes of a tree in the order of their levels, with the children of each.
type forest struct {
	nodes []Node
	first []int32 // start of the children of each node in child
	child []int32
}

func (f *forest) children(n int32) []int32 { return f.child[f.first[n]:f.first[n+1]] }

func (f *forest) compare(a, b int32) int {
	return cmp.Or(cmp.Compare(f.nodes[b].Size, f.nodes[a].Size), cmp.Compare(f.nodes[a].Center, f.nodes[b].Center))
}

// forest returns the nodes without those that have a single child.
func (t *Tree) forest(size func(node uint32) int) *forest {
	f := &forest{}
	at := make([]int32, len(t.levels[0].center)) // node of each cluster of the level
	for c, of := range t.levels[0].center {
		at[c] = int32(c)
		f.nodes = append(f.nodes, Node{Center: of, Parent: NoParent, Leaves: 1})
	}
	for u, c := range t.lowest {
		if size == nil {
			f.nodes[c].Size++
		} else {
			f.nodes[c].Size += size(uint32(u))
		}
	}
	for l := 1; l < len(t.levels); l++ {
		at = f.rise(t.levels[l-1].parent, t.levels[l].center, at, l)
	}
	f.link()
	return f
}

// rise adds the nodes of a level and returns the node of each of its clusters.
func (f *forest) rise(parent, centers []uint32, below []int32, level int) []int32 {
	parts, only := make([]int, len(centers)), make([]int32, len(centers))
	for c, p := range parent {
		parts[p]++
		only[p] = below[c]
	}
	at := make([]int32, len(centers))
	for p, n := range parts {
		if at[p] = only[p]; n > 1 {
			at[p] = int32(len(f.nodes))
			f.nodes = append(f.nodes, Node{Level: level, Center: centers[p], Parent: NoParent})
		}
	}
	for c, p := range parent {
		if parts[p] > 1 {
			up, child := &f.nodes[at[p]], &f.nodes[below[c]]
			child.Parent = int(at[p])
			up.Size += child.Size
			up.Leaves += child.Leaves
		}
	}
	return at
}

// link lists the children of each node.
func (f *forest) link() {
	f.first = make([]int32, len(f.nodes)+1)
	for _, n := range f.nodes {
		if n.Parent != NoParent {
			f.first[n.Parent+1]++
		}
	}
	for i := range f.nodes {
		f.first[i+1] += f.first[i]
	}
	next := slices.Clone(f.first)
	f.child = make([]int32, f.first[len(f.nodes)])
	for i, n := range f.nodes {
		if n.Parent != NoParent {
			f.child[next[n.Parent]] = int32(i)
			next[n.Parent]++
		}
	}
}
