package tree

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/scratch"
)

// one is the similarity 1 as a whole number. A float32 from 1/2 to 1 is a multiple of 2^-24, and smaller ones are
// rounded to such multiples, so that sums do not depend on the order of their terms.
const one = 1 << 24

// links are the links between clusters: for two clusters, the sum of the similarities of their pairs of nodes.
type links struct {
	nodes []uint64 // number of nodes of the graph in each cluster
	each  func(c uint32, yield func(to uint32, sum uint64))
	pool  *scratch.Pool // holds the links that are not in memory
}

// linksOf returns the links between the nodes of a graph, each of which is a cluster.
func linksOf(g center.Graph) *links {
	return &links{nodes: slices.Repeat([]uint64{1}, g.Len()), each: func(u uint32, yield func(uint32, uint64)) {
		for _, e := range g.Neighbours(u) {
			if sum := uint64(float64(max(0, min(e.Similarity, 1)))*one + 0.5); sum > 0 {
				yield(e.To, sum)
			}
		}
	}}
}

func (l *links) free() { l.pool.Free() }

const (
	block = 1024    // number of clusters whose links a worker adds up at a time
	chunk = 1 << 20 // number of links that are allocated together in files, at most

	waiting = 16 << 20 // bytes of links that wait for those of blocks before them
)

// LinkBytes is the size of a link.
const LinkBytes = 4 + 8

// summed are the links of a block of clusters, or a chunk of the links of several blocks.
type summed struct {
	to   []uint32
	sum  []uint64
	ends []int // of the links of each cluster
}

// join returns the links between larger clusters. They are in memory, or in temporary files if there are too many.
func (l *links) join(ctx context.Context, into numbered, c Config) (*links, error) {
	clusters := len(into.centers)
	out := &links{nodes: make([]uint64, clusters)}
	for c, to := range into.of {
		out.nodes[to] += l.nodes[c]
	}
	parts := grouped(into.of, clusters)
	blocks := (clusters + block - 1) / block
	workers := max(1, min(c.Workers, blocks))
	adders := make([][]uint64, workers) // sum of the links to each cluster, 0 between clusters
	for w := range adders {
		adders[w] = make([]uint64, clusters)
	}
	add := func(worker, b int, emit func(summed, int) error) error {
		var s summed
		for c := b * block; c < min(clusters, (b+1)*block); c++ {
			s.add(l, uint32(c), parts(c), into.of, adders[worker])
		}
		return emit(s, len(s.to)*LinkBytes)
	}
	var held store
	out.pool = scratch.New(c.Dir, 0).Pool()
	err := parallel.Ordered(ctx, blocks, workers, waiting, add, func(_ int, s summed) error {
		held.put(s, c.Links, out.pool)
		return nil
	})
	out.each = held.each
	if err != nil {
		out.free()
	}
	return out, err
}

// grouped returns a function that lists the parts of a cluster, given the cluster of each part.
func grouped(of []uint32, clusters int) func(c int) []uint32 {
	first, parts := make([]int, clusters+1), make([]uint32, len(of))
	for _, c := range of {
		first[c+1]++
	}
	for c := range clusters {
		first[c+1] += first[c]
	}
	next := slices.Clone(first)
	for part, c := range of {
		parts[next[c]] = uint32(part)
		next[c]++
	}
	return func(c int) []uint32 { return parts[first[c]:first[c+1]] }
}

// add appends the links of a cluster to others, each once and, since CENTER needs none, in no particular order.
func (s *summed) add(l *links, c uint32, parts, of []uint32, sum []uint64) {
	from := len(s.to)
	for _, part := range parts {
		l.each(part, func(next uint32, n uint64) {
			to := of[next]
			if to == c {
				return
			}
			if sum[to] == 0 {
				s.to = append(s.to, to)
			}
			sum[to] += n
		})
	}
	for _, to := range s.to[from:] {
		s.sum = append(s.sum, sum[to])
		sum[to] = 0
	}
	s.ends = append(s.ends, len(s.to))
}

// store holds the links of all clusters, block by block.
type store struct {
	chunks []*summed
	places []place // of the blocks
	links  int
}

// place is where the links of a block are.
type place struct {
	in   *summed
	from int   // in the chunk
	ends []int // of the links of each cluster, from there
}

// put adds the links of the next block. At most most links are in memory, others in the pool; 0 is no limit.
func (h *store) put(s summed, most int, pool *scratch.Pool) {
	n := len(s.to)
	last := len(h.chunks) - 1
	if last < 0 || cap(h.chunks[last].to)-len(h.chunks[last].to) < n {
		size := max(n, min(chunk, h.links))
		if most == 0 || h.links+n <= most {
			pool, size = nil, n // in memory
		}
		h.chunks = append(h.chunks, &summed{to: scratch.Grow[uint32](pool, nil, size), sum: scratch.Grow[uint64](pool, nil, size)})
		last++
	}
	in := h.chunks[last]
	h.places = append(h.places, place{in, len(in.to), s.ends})
	in.to, in.sum = append(in.to, s.to...), append(in.sum, s.sum...)
	h.links += n
}

// each yields the links of a cluster.
func (h *store) each(c uint32, yield func(to uint32, sum uint64)) {
	p, i := &h.places[c/block], int(c%block)
	from, to := p.from, p.from+p.ends[i]
	if i > 0 {
		from += p.ends[i-1]
	}
	for i, n := range p.in.to[from:to] {
		yield(n, p.in.sum[from+i])
	}
}

// average is the graph of the clusters with the average similarity over all pairs of their nodes.
type average struct {
	links *links
	out   []center.Edge
}

func (a *average) Len() int { return len(a.links.nodes) }

func (a *average) Neighbours(c uint32) []center.Edge {
	a.out = a.out[:0]
	size := float64(a.links.nodes[c])
	a.links.each(c, func(to uint32, sum uint64) {
		mean := float64(sum) / one / (size * float64(a.links.nodes[to]))
		a.out = append(a.out, center.Edge{To: to, Similarity: float32(mean)})
	})
	return a.out
}
