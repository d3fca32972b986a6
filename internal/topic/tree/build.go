package tree

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/parallel"
)

// Config holds the settings of Build. The last three do not affect the tree.
type Config struct {
	Nearest int     // pairs of which one side is among so many nearest of the other make middle topics and their parts
	Middle  float64 // resolution of the middle topics
	Tops    float64 // resolution of the tops
	Share   float64 // of all nodes, by size, that a top may have unless it cannot be divided
	Parts   float64 // resolution of the parts of a topic
	Least   int     // number of nodes of a topic that is divided

	Workers int    // number of goroutines; 0 means 1
	Links   int    // maximum number of links in memory, LinkBytes each; others are in temporary files; 0: no limit
	Dir     string // folder for these files; "" means the default one
}

// Defaults are the settings that runs use. They were chosen by the golds of lab/quality.md.
var Defaults = Config{Nearest: 15, Middle: 2, Tops: 0.5, Share: 0.1, Parts: 1, Least: 20}

// most is the largest number of levels that Build makes below the middle topics, and of resolutions that it tries above.
const most = 32

// NoParent is the parent of a node that has none.
const NoParent = -1

// Node is a topic.
type Node struct {
	Level  int    // 0 for a leaf, else 1 more than the highest level of its children
	Center uint32 // node of the graph with the strongest links within the topic or, for a top, within its largest child
	Parent int    // index of the node that has this one among its children, or NoParent
	Size   int    // sum of the sizes of the nodes of the graph in the topic
	Leaves int    // leaves in it; 1 for a leaf
	End    int    // index after the last node below this one
}

// Tree is a division of the nodes of a graph into topics.
type Tree struct {
	// Nodes has each parent before its children, and all nodes below a node right after it. Siblings, and nodes without a
	// parent, are ordered by descending size, then by center. No node has a single child.
	Nodes []Node
	Leaf  []uint32 // index of the leaf that holds each node of the graph
}

// Build divides the nodes of g. size returns the size of a node; nil means 1 each.
func Build(ctx context.Context, g center.Graph, size func(node uint32) int, c Config) (*Tree, error) {
	c.Workers = max(1, c.Workers)
	all, near, err := pairs(ctx, g, c.Nearest, c)
	if err != nil {
		return nil, err
	}
	defer near.free()
	middle, n, err := near.communities(ctx, c.Middle, passes, c)
	if err != nil {
		return nil, err
	}
	b := &builder{Config: c, size: make([]int, g.Len())}
	for u := range b.size {
		b.size[u] = 1
		if size != nil {
			b.size[u] = size(uint32(u))
		}
	}
	above, err := all.join(ctx, middle, n, c)
	if err != nil {
		return nil, err
	}
	defer above.free()
	top, err := b.tops(ctx, above, middle)
	if err != nil {
		return nil, err
	}
	below, err := b.below(ctx, near, middle, n)
	if err != nil {
		return nil, err
	}
	return b.assemble(top, below), nil
}

// builder builds a tree.
type builder struct {
	Config
	size []int // of each node of the graph
}

// tops returns the top of each middle topic, given their graph and the middle topic of each node.
func (b *builder) tops(ctx context.Context, g *graph, middle []uint32) ([]uint32, error) {
	size, all := make([]int, g.len()), 0
	for u, of := range middle {
		size[of] += b.size[u]
		all += b.size[u]
	}
	limit := max(1, int(float64(all)*b.Share))
	top, tops := make([]uint32, g.len()), uint32(0)
	var divide func(g *graph, nodes []uint32, resolution float64, tries int) error
	divide = func(g *graph, nodes []uint32, resolution float64, tries int) error {
		of, n, err := g.communities(ctx, resolution, passes, b.Config)
		if err != nil {
			return err
		}
		parts, index := grouped(of, n), indexes(of, n)
		for group := range uint32(n) {
			part, sum := chosen(nodes, parts(group)), 0
			for _, m := range part {
				sum += size[m]
			}
			if sum <= limit || len(part) == 1 || tries == most {
				for _, m := range part {
					top[m] = tops
				}
				tops++
				continue
			}
			inner, err := g.within(ctx, parts(group), of, index, b.Config)
			if err == nil {
				finer := 2 * resolution * float64(inner.total()) / float64(max(1, g.total()))
				err = divide(inner, part, finer, tries+1)
				inner.free()
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return top, divide(g, identity(g.len()), b.Tops, 0)
}

// branch is a middle topic with its parts: nodes with their centers and parents, of which the first is the topic itself, and
// the leaf of each of its nodes of the graph.
type branch struct {
	nodes []Node
	leaf  []uint32
	of    []uint32 // nodes of the graph
}

// below divides the middle topics.
func (b *builder) below(ctx context.Context, g *graph, middle []uint32, n int) ([]branch, error) {
	out, parts, index := make([]branch, n), grouped(middle, n), indexes(middle, n)
	err := parallel.Each(ctx, n, b.Workers, func(worker, i int) error {
		own := *b
		own.Workers, own.Links = 1, max(1, b.Links/b.Workers)
		if b.Links == 0 {
			own.Links = 0
		}
		nodes := parts(uint32(i))
		here := &out[i]
		here.of, here.leaf = nodes, make([]uint32, len(nodes))
		inner, err := g.within(ctx, nodes, middle, index, own.Config)
		if err != nil {
			return err
		}
		defer inner.free()
		return own.divide(ctx, here, inner, identity(len(nodes)), NoParent, 0)
	})
	return out, err
}

// divide adds a topic and its parts to a branch, given the graph of its nodes, and their indexes in the branch.
func (b *builder) divide(ctx context.Context, to *branch, g *graph, nodes []uint32, parent, depth int) error {
	strongest := 0
	for u, s := range g.strength {
		if s > g.strength[strongest] {
			strongest = u
		}
	}
	at := len(to.nodes)
	to.nodes = append(to.nodes, Node{Center: to.of[nodes[strongest]], Parent: parent})
	for _, u := range nodes {
		to.leaf[u] = uint32(at)
	}
	if len(nodes) < b.Least || depth == most {
		return nil
	}
	of, n, err := g.communities(ctx, b.Parts, 1, b.Config)
	if err != nil || n == 1 {
		return err
	}
	parts, index := grouped(of, n), indexes(of, n)
	for group := range uint32(n) {
		inner, err := g.within(ctx, parts(group), of, index, b.Config)
		if err == nil {
			err = b.divide(ctx, to, inner, chosen(nodes, parts(group)), at, depth+1)
			inner.free()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// indexes returns the index of each node among those of its group.
func indexes(of []uint32, groups int) []uint32 {
	next, out := make([]uint32, groups), make([]uint32, len(of))
	for u, group := range of {
		out[u] = next[group]
		next[group]++
	}
	return out
}

// assemble puts the middle topics with their parts below their tops. A top with one middle topic is that topic.
func (b *builder) assemble(top []uint32, below []branch) *Tree {
	topics := make([]int, len(top)) // by top
	for _, t := range top {
		topics[t]++
	}
	t := &Tree{Leaf: make([]uint32, len(b.size))}
	at := make([]int, len(top)) // 1 more than the index of the node of each top
	var nodes []Node
	for i, br := range below {
		up := NoParent
		if of := top[i]; topics[of] > 1 {
			if at[of] == 0 {
				nodes = append(nodes, Node{Parent: NoParent})
				at[of] = len(nodes)
			}
			up = at[of] - 1
		}
		first := len(nodes)
		for _, n := range br.nodes {
			if n.Parent == NoParent {
				n.Parent = up
			} else {
				n.Parent += first
			}
			nodes = append(nodes, n)
		}
		for i, u := range br.of {
			leaf := first + int(br.leaf[i])
			t.Leaf[u] = uint32(leaf)
			nodes[leaf].Size += b.size[u]
			nodes[leaf].Leaves = 1
		}
	}
	t.order(nodes)
	return t
}

// order sets the nodes, given the sizes of the leaves, the centers of all but the tops, and the parents, each of which precedes
// its children. The leaves of t are indexes of the given nodes.
func (t *Tree) order(nodes []Node) {
	largest := make([]int, len(nodes)) // size of the largest child seen of a node without a center
	for _, n := range slices.Backward(nodes) {
		if n.Parent == NoParent {
			continue
		}
		up := &nodes[n.Parent]
		up.Size += n.Size
		up.Leaves += n.Leaves
		up.Level = max(up.Level, n.Level+1)
		if up.Parent == NoParent && n.Size >= largest[n.Parent] {
			up.Center, largest[n.Parent] = n.Center, n.Size
		}
	}
	ids := identity(len(nodes))
	slices.SortFunc(ids, func(a, b uint32) int {
		m, n := &nodes[a], &nodes[b]
		return cmp.Or(cmp.Compare(m.Parent, n.Parent), cmp.Compare(n.Size, m.Size), cmp.Compare(m.Center, n.Center))
	})
	first := make([]int, len(nodes)+2) // index in ids of the first child of each parent, which is 1 lower
	for _, n := range nodes {
		first[n.Parent+2]++
	}
	for i := range len(nodes) + 1 {
		first[i+1] += first[i]
	}
	t.Nodes = make([]Node, 0, len(nodes))
	index := make([]uint32, len(nodes)) // in t.Nodes
	var add func(parent, to int)
	add = func(parent, to int) {
		for _, id := range ids[first[parent+1]:first[parent+2]] {
			at := len(t.Nodes)
			index[id] = uint32(at)
			t.Nodes = append(t.Nodes, nodes[id])
			t.Nodes[at].Parent = to
			add(int(id), at)
			t.Nodes[at].End = len(t.Nodes)
		}
	}
	add(NoParent, NoParent)
	t.Leaf = chosen(index, t.Leaf)
}
