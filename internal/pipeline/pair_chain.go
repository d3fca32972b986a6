package pipeline

import (
	"context"
	"encoding/binary"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
)

// Index for finding alike nodes to chain. It needs to find only one or two of the neighbours of most nodes.
const (
	chainKeySize   = 3
	chainKeys      = 8
	chainMaxBucket = 8
	chainFloor     = 0.15
)

// chainedWidth is the number of neighbours that a round follows if there are so many nodes that the signatures of
// most neighbours of neighbours are not in the cache. Measured on 50,000 generated bags (neighbours followed; stored
// ones of the 4,000 nearest neighbours of the sample; processor time of the round): 25: 3,683, 1.9 s; 16: 3,661, 0.9
// s; 11: 3,636, 0.6 s.
const chainedWidth = 16

// widthFor returns how many neighbours a round follows. A configuration that does not follow whole lists has its own
// width.
func (s sizes) widthFor(c config.Config, nodes int) int {
	if nodes >= s.chained && c.Width >= c.Neighbours+c.Apart {
		return min(c.Width, chainedWidth)
	}
	return c.Width
}

// chains are sequences of nodes. At first each node is a sequence. Pairs of alike nodes, in order of agreement,
// append the sequences of their nodes to each other (single linkage). So the closer nodes of a sequence are to each
// other, the more alike they are.
type chains struct {
	first []uint32 // leads to the first node of the sequence
	last  []uint32 // for a first node, the last node of its sequence
	next  []uint32 // next node of the sequence, or tables.None
}

func newChains(nodes int) *chains {
	c := &chains{first: make([]uint32, nodes), last: make([]uint32, nodes), next: make([]uint32, nodes)}
	for n := range uint32(nodes) {
		c.first[n], c.last[n], c.next[n] = n, n, tables.None
	}
	return c
}

// of returns the first node of the sequence of a node.
func (c *chains) of(node uint32) uint32 {
	for c.first[node] != node {
		c.first[node] = c.first[c.first[node]]
		node = c.first[node]
	}
	return node
}

// after returns the node after another one, or tables.None, also if there are no chains.
func (c *chains) after(node uint32) uint32 {
	if c == nil {
		return tables.None
	}
	return c.next[node]
}

// join appends the sequence of b to that of a.
func (c *chains) join(a, b uint32) {
	a, b = c.of(a), c.of(b)
	if a == b {
		return
	}
	c.next[c.last[a]], c.last[a], c.first[b] = b, c.last[b], a
}

// chain finds pairs of alike nodes and builds the chains.
func (p *pairing) chain(ctx context.Context) (*chains, error) {
	m, k := p.sigs.M, min(chainKeySize, p.sigs.M)
	index, err := lsh.NewIndex(m, k, min(chainKeys, lsh.MostKeys(m, k)), p.config.Seed)
	if err != nil {
		return nil, err
	}
	c, packing := newChains(p.nodes.Len()), newPacking(p.nodes.Len())
	return c, sortFilled(ctx, p.sorting(packedSize), p.b.workers, func(to []*extsort.Appender) error {
		_, err := index.Pairs(ctx, p.sigs.All(), lsh.Config{
			Floor: chainFloor, MaxBucket: chainMaxBucket, Workers: p.b.workers, Memory: p.b.memory / 4,
		}, func(worker int, pairs []lsh.Pair) error {
			var rec [packedSize]byte
			for _, x := range pairs {
				binary.BigEndian.PutUint64(rec[:], packing.alike(x.A, x.B, m-int(x.Agreement)))
				if err := to[worker].Append(rec[:]); err != nil {
					return err
				}
			}
			return nil
		}, nil)
		return err
	}, func(alike eachRecordFunc) error {
		return alike(func(rec []byte) error {
			c.join(packing.pair(binary.BigEndian.Uint64(rec)))
			return nil
		})
	})
}

// alike packs a pair of nodes so that sorted pairs begin with the best agreement.
func (k packing) alike(a, b uint32, differs int) uint64 {
	return uint64(differs>>k.dropped)<<(2*k.place) | uint64(a)<<k.place | uint64(b)
}

// pair returns the nodes of a pair.
func (k packing) pair(alike uint64) (a, b uint32) {
	mask := uint64(1)<<k.place - 1
	return uint32(alike >> k.place & mask), uint32(alike & mask)
}
