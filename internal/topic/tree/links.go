package tree

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/parallel"
)

// one is the similarity 1 as a whole number. A float32 from 1/2 to 1 is a multiple of 2^-24, and smaller ones are
// rounded to such multiples, so that sums do not depend on the order of their terms.
const one = 1 << 24

// link is an edge with the sum of the similarities of the pairs that it stands for.
type link struct {
	to  uint32
	sum uint64
}

// links holds the links between the current clusters in the form in which they are known: as links between older,
// smaller clusters (parts), with the current cluster of each part.
type links struct {
	parts   int
	of      []uint32                            // cluster of each part; nil: each part is a cluster
	between func(part uint32, yield func(link)) // the links of a part
	nodes   []uint64                            // number of nodes of the graph in each cluster
	count   int                                 // number of clusters
	first   []int                               // start of the parts of each cluster in member; set if of is
	member  []uint32
}

// newLinks returns the links between clusters of nodes of a graph.
func newLinks(g center.Graph, of []uint32, clusters int) *links {
	l := &links{parts: g.Len(), nodes: slices.Repeat([]uint64{1}, g.Len()), count: g.Len()}
	l.between = func(u uint32, yield func(link)) {
		for _, e := range g.Neighbours(u) {
			if sum := uint64(float64(max(0, min(e.Similarity, 1)))*one + 0.5); sum > 0 {
				yield(link{e.To, sum})
			}
		}
	}
	l.join(of, clusters)
	return l
}

// join joins clusters: of is the new cluster of each cluster.
func (l *links) join(of []uint32, clusters int) {
	nodes := make([]uint64, clusters)
	for c, to := range of {
		nodes[to] += l.nodes[c]
	}
	l.nodes, l.count = nodes, clusters
	if l.of == nil {
		l.of = slices.Clone(of)
	} else {
		for part, c := range l.of {
			l.of[part] = of[c]
		}
	}
	l.first, l.member = make([]int, clusters+1), make([]uint32, l.parts)
	for _, c := range l.of {
		l.first[c+1]++
	}
	for c := range clusters {
		l.first[c+1] += l.first[c]
	}
	next := slices.Clone(l.first[:clusters])
	for part, c := range l.of {
		l.member[next[c]] = uint32(part)
		next[c]++
	}
}

// sums adds up the links of clusters, one cluster after another.
type sums struct {
	l   *links
	sum []uint64 // by cluster, 0 between calls
	out []link
}

// of returns the links of a cluster to others, each once and, since CENTER needs none, in no particular order. The
// slice is valid until the next call.
func (s *sums) of(c uint32) []link {
	s.out = s.out[:0]
	for _, part := range s.l.member[s.l.first[c]:s.l.first[c+1]] {
		s.l.between(part, func(e link) {
			to := s.l.of[e.to]
			if to == c {
				return
			}
			if s.sum[to] == 0 {
				s.out = append(s.out, link{to: to})
			}
			s.sum[to] += e.sum
		})
	}
	for i := range s.out {
		to := s.out[i].to
		s.out[i].sum, s.sum[to] = s.sum[to], 0
	}
	return s.out
}

// average is the graph of the clusters with the average similarity over all pairs of their nodes.
type average struct {
	l   *links
	of  func(c uint32) []link
	out []center.Edge
}

func (a *average) Len() int { return a.l.count }

func (a *average) Neighbours(c uint32) []center.Edge {
	a.out = a.out[:0]
	for _, e := range a.of(c) {
		mean := float64(e.sum) / one / (float64(a.l.nodes[c]) * float64(a.l.nodes[e.to]))
		a.out = append(a.out, center.Edge{To: e.to, Similarity: float32(mean)})
	}
	return a.out
}

// errMany stops contract.
var errMany = errors.New("too many links")

// graph returns the graph of the current clusters. If there are at most most links (0: any number), it adds them up
// once and keeps the sums; otherwise the graph adds up the links of a cluster whenever they are needed.
func (l *links) graph(ctx context.Context, workers, most int) (center.Graph, error) {
	switch err := l.contract(ctx, workers, most); {
	case err == nil:
		s := l.between
		var of []link
		return &average{l: l, of: func(c uint32) []link {
			of = of[:0]
			s(c, func(e link) { of = append(of, e) })
			return of
		}}, nil
	case errors.Is(err, errMany):
		s := &sums{l: l, sum: make([]uint64, l.count)}
		return &average{l: l, of: s.of}, nil
	default:
		return nil, err
	}
}

// block is the number of clusters whose links a worker adds up at a time.
const block = 1024

// contract makes the clusters the parts, with the sums of their links in memory.
func (l *links) contract(ctx context.Context, workers, most int) error {
	blocks := (l.count + block - 1) / block
	tos, totals, first := make([][]uint32, blocks), make([][]uint64, blocks), make([]int, l.count+1)
	workers = max(1, min(workers, blocks))
	adders := make([]sums, workers)
	for w := range adders {
		adders[w] = sums{l: l, sum: make([]uint64, l.count)}
	}
	var held atomic.Int64
	err := parallel.Each(ctx, blocks, workers, func(w, b int) error {
		for c := b * block; c < min(l.count, (b+1)*block); c++ {
			own := adders[w].of(uint32(c))
			if n := held.Add(int64(len(own))); most > 0 && n > int64(most) {
				return errMany
			}
			for _, e := range own {
				tos[b], totals[b] = append(tos[b], e.to), append(totals[b], e.sum)
			}
			first[c+1] = len(tos[b])
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.parts, l.of, l.first, l.member = l.count, nil, nil, nil
	l.between = func(c uint32, yield func(link)) {
		from := 0
		if c%block > 0 {
			from = first[c]
		}
		to, sum := tos[c/block], totals[c/block]
		for i := from; i < first[c+1]; i++ {
			yield(link{to[i], sum[i]})
		}
	}
	return nil
}
