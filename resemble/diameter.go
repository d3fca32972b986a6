package resemble

import "slices"

// diameter returns the largest number of links on a shortest path between two nodes of a connected graph, or bounds for
// it. It follows all links from each node if these are at most effort in total, and otherwise from two nodes.
func diameter(links []ids, from uint32, effort int) (low, high int) {
	g := newGraph(links)
	start, ok := slices.BinarySearch(g.nodes, from)
	if !ok {
		start = 0
	}
	far, last := g.farthest(start)
	if len(g.nodes)*2*len(links) > effort {
		again, _ := g.farthest(last)
		return again, 2 * far
	}
	for i := range g.nodes {
		d, _ := g.farthest(i)
		low = max(low, d)
	}
	return low, low
}

// graph holds the neighbours of each node: those of node i are to[start[i]:start[i+1]].
type graph struct {
	nodes []uint32 // ascending
	start []int
	to    []int32
	depth []int32
	queue []int32
}

func newGraph(links []ids) *graph {
	g := &graph{}
	for _, l := range links {
		g.nodes = append(g.nodes, l.a, l.b)
	}
	slices.Sort(g.nodes)
	g.nodes = slices.Compact(g.nodes)
	place := func(id uint32) int32 {
		i, _ := slices.BinarySearch(g.nodes, id)
		return int32(i)
	}
	g.start = make([]int, len(g.nodes)+1)
	for _, l := range links {
		g.start[place(l.a)+1]++
		g.start[place(l.b)+1]++
	}
	for i := range g.nodes {
		g.start[i+1] += g.start[i]
	}
	g.to = make([]int32, 2*len(links))
	next := slices.Clone(g.start)
	for _, l := range links {
		a, b := place(l.a), place(l.b)
		g.to[next[a]], g.to[next[b]] = b, a
		next[a]++
		next[b]++
	}
	g.depth = make([]int32, len(g.nodes))
	return g
}

// farthest returns the node that is farthest from the given one, and its distance.
func (g *graph) farthest(from int) (depth, node int) {
	for i := range g.depth {
		g.depth[i] = -1
	}
	g.depth[from] = 0
	g.queue = append(g.queue[:0], int32(from))
	for i := 0; i < len(g.queue); i++ {
		n := g.queue[i]
		for _, m := range g.to[g.start[n]:g.start[n+1]] {
			if g.depth[m] < 0 {
				g.depth[m] = g.depth[n] + 1
				g.queue = append(g.queue, m)
			}
		}
	}
	last := g.queue[len(g.queue)-1]
	return int(g.depth[last]), int(last)
}
