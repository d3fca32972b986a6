package tree

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/scratch"
	"github.com/lshclust/lshclust/internal/sets"
)

// one is the similarity 1 as a whole number, so that sums do not depend on the order of their terms.
const one = 1 << 24

const (
	block = 1024    // number of nodes whose links are gathered together
	chunk = 1 << 20 // number of links that are allocated together in files, at most

	waiting = 16 << 20 // bytes of links that wait for those of blocks before them
)

// LinkBytes is the size of a link.
const LinkBytes = 4 + 8

// graph is a graph whose edges, the links, are whole numbers.
type graph struct {
	strength []uint64 // of each node: the sum of its links, and of twice the links between the nodes that it stands for
	of       func(worker int, u uint32) (to []uint32, sums []uint64)
	pool     *scratch.Pool // holds the links that are not in memory
}

func (g *graph) len() int { return len(g.strength) }

func (g *graph) free() { g.pool.Free() }

// total returns the sum of all strengths, twice that of the links.
func (g *graph) total() (sum uint64) {
	for _, s := range g.strength {
		sum += s
	}
	return sum
}

// links are the links of a block of nodes, or a chunk of the links of several blocks.
type links struct {
	to   []uint32
	sum  []uint64
	ends []int // of the links of each node
}

func (l *links) add(to uint32, sum uint64) { l.to, l.sum = append(l.to, to), append(l.sum, sum) }

// gather makes a graph, given the strength of each node. add appends the links of a node to others.
func gather(ctx context.Context, strength []uint64, c Config, add func(worker int, u uint32, to *links)) (*graph, error) {
	var held store
	g := &graph{strength: strength, of: held.of, pool: scratch.New(c.Dir, 0).Pool()}
	blocks, sizes := (g.len()+block-1)/block, make([]int, max(1, c.Workers)) // of the last block of each worker
	work := func(worker, b int, emit func(links, int) error) error {
		l := links{to: make([]uint32, 0, sizes[worker]), sum: make([]uint64, 0, sizes[worker])}
		for u := b * block; u < min(g.len(), (b+1)*block); u++ {
			add(worker, uint32(u), &l)
			l.ends = append(l.ends, len(l.to))
		}
		sizes[worker] = len(l.to)
		return emit(l, len(l.to)*LinkBytes)
	}
	err := parallel.Ordered(ctx, blocks, c.Workers, waiting, work, func(_ int, l links) error {
		held.put(l, c.Links, g.pool)
		return nil
	})
	if err != nil {
		g.free()
	}
	return g, err
}

// pairs returns the graph of all pairs, which stay where they are, and that of the pairs of which one side is among so many
// nearest of the other.
func pairs(ctx context.Context, from center.Graph, nearest int, c Config) (all, near *graph, err error) {
	n := from.Len()
	all = &graph{strength: make([]uint64, n)}
	buffers, similarities := make([]links, c.Workers), make([][]float32, c.Workers)
	all.of = func(worker int, u uint32) ([]uint32, []uint64) {
		l := &buffers[worker]
		l.to, l.sum = l.to[:0], l.sum[:0]
		for _, e := range from.Neighbours(u) {
			l.add(e.To, whole(e.Similarity))
		}
		return l.to, l.sum
	}
	least := make([]float32, n) // similarity to the last of the nearest of each node
	err = parallel.Each(ctx, (n+block-1)/block, c.Workers, func(worker, b int) error {
		for u := b * block; u < min(n, (b+1)*block); u++ {
			s := similarities[worker][:0]
			for _, e := range from.Neighbours(uint32(u)) {
				s = append(s, e.Similarity)
				all.strength[u] += whole(e.Similarity)
			}
			if len(s) > nearest {
				sets.Lowest(s, len(s)-nearest)
				least[u] = slices.Min(s[len(s)-nearest:])
			}
			similarities[worker] = s
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	strength := make([]uint64, n)
	near, err = gather(ctx, strength, c, func(_ int, u uint32, to *links) {
		for _, e := range from.Neighbours(u) {
			if s := whole(e.Similarity); e.To != u && s > 0 && (e.Similarity >= least[u] || e.Similarity >= least[e.To]) {
				to.add(e.To, s)
				strength[u] += s
			}
		}
	})
	return all, near, err
}

// whole returns a similarity as a whole number.
func whole(similarity float32) uint64 { return uint64(float64(max(0, min(similarity, 1)))*one + 0.5) }

// join returns the graph of the groups of the nodes, given the group of each. Their links are sums of those of the nodes.
func (g *graph) join(ctx context.Context, of []uint32, groups int, c Config) (*graph, error) {
	strength := make([]uint64, groups)
	for u, group := range of {
		strength[group] += g.strength[u]
	}
	c.Workers = max(1, min(c.Workers, groups/block))
	parts := grouped(of, groups)
	sums := make([][]uint64, c.Workers) // of the links to each group, 0 between groups
	for w := range sums {
		sums[w] = make([]uint64, groups)
	}
	return gather(ctx, strength, c, func(worker int, group uint32, to *links) {
		sum, from := sums[worker], len(to.to)
		for _, part := range parts(group) {
			next, weights := g.of(worker, part)
			k := len(to.to)
			to.to = slices.Grow(to.to, len(next))[:k+len(next)]
			for i, n := range next { // without branches, as in look
				of := of[n]
				to.to[k] = of
				more := k + 1
				if sum[of] != 0 {
					more = k
				}
				k = more
				sum[of] += weights[i]
			}
			to.to = to.to[:k]
		}
		near := to.to[from:]
		to.to = to.to[:from]
		for _, n := range near {
			if n != group {
				to.add(n, sum[n])
			}
			sum[n] = 0
		}
	})
}

// within returns the graph of the nodes of a group, given the group of each node and its index among those of its group.
func (g *graph) within(ctx context.Context, nodes, of, index []uint32, c Config) (*graph, error) {
	strength, group := make([]uint64, len(nodes)), of[nodes[0]]
	return gather(ctx, strength, c, func(worker int, u uint32, to *links) {
		next, weights := g.of(worker, nodes[u])
		k, sum := len(to.to), g.strength[nodes[u]]
		to.to, to.sum = slices.Grow(to.to, len(next))[:k+len(next)], slices.Grow(to.sum, len(next))[:k+len(next)]
		for i, n := range next { // without branches, as in look
			to.to[k], to.sum[k] = index[n], weights[i]
			more, less := k, weights[i]
			if of[n] == group {
				more, less = k+1, 0
			}
			k, sum = more, sum-less
		}
		to.to, to.sum, strength[u] = to.to[:k], to.sum[:k], sum
	})
}

// grouped returns a function that lists the parts of a group in order, given the group of each part.
func grouped(of []uint32, groups int) func(group uint32) []uint32 {
	first, parts := make([]int, groups+1), make([]uint32, len(of))
	for _, c := range of {
		first[c+1]++
	}
	for c := range groups {
		first[c+1] += first[c]
	}
	next := slices.Clone(first)
	for part, c := range of {
		parts[next[c]] = uint32(part)
		next[c]++
	}
	return func(c uint32) []uint32 { return parts[first[c]:first[c+1]] }
}

// store holds the links of all nodes, block by block.
type store struct {
	chunks []*links
	places []place // of the blocks
	links  int
}

// place is where the links of a block are.
type place struct {
	in   *links
	from int   // in the chunk
	ends []int // of the links of each node, from there
}

// put adds the links of the next block. At most most links are in memory, others in the pool; 0 is no limit.
func (h *store) put(l links, most int, pool *scratch.Pool) {
	n := len(l.to)
	last := len(h.chunks) - 1
	if last < 0 || cap(h.chunks[last].to)-len(h.chunks[last].to) < n {
		size := max(n, min(chunk, h.links))
		if most == 0 || h.links+n <= most {
			pool, size = nil, n // in memory
		}
		h.chunks = append(h.chunks, &links{to: scratch.Grow[uint32](pool, nil, size), sum: scratch.Grow[uint64](pool, nil, size)})
		last++
	}
	in := h.chunks[last]
	h.places = append(h.places, place{in, len(in.to), l.ends})
	in.to, in.sum = append(in.to, l.to...), append(in.sum, l.sum...)
	h.links += n
}

// of returns the nodes to which a node has links, and the sums of these.
func (h *store) of(_ int, u uint32) (to []uint32, sums []uint64) {
	p, i := &h.places[u/block], int(u%block)
	from, end := p.from, p.from+p.ends[i]
	if i > 0 {
		from += p.ends[i-1]
	}
	return p.in.to[from:end], p.in.sum[from:end]
}
