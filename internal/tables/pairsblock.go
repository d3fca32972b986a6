package tables

import (
	"encoding/binary"
	"math"
)

// PairsBlock holds pairs of consecutive nodes for a PairsWriter. Several goroutines can make blocks at once.
type PairsBlock struct {
	node      []uint32 // nodes that have pairs
	first     []uint32 // for each element of node, where its pairs begin
	edge      []byte
	agreement []byte
}

// NewPairsBlock returns a block with capacity for the given number of pairs.
func NewPairsBlock(pairs int) *PairsBlock {
	return &PairsBlock{edge: make([]byte, 0, 8*pairs), agreement: make([]byte, 0, pairs)}
}

// Add appends one direction of a pair. Pairs must be added in order of (from, to).
func (b *PairsBlock) Add(from, to uint32, similarity float32, agreement uint8) {
	if n := len(b.node); n == 0 || b.node[n-1] != from {
		b.node, b.first = append(b.node, from), append(b.first, uint32(len(b.agreement)))
	}
	b.edge = binary.LittleEndian.AppendUint64(b.edge, uint64(to)|uint64(math.Float32bits(similarity))<<32)
	b.agreement = append(b.agreement, agreement)
}

// Len returns the number of pairs.
func (b *PairsBlock) Len() int { return len(b.agreement) }

// Size returns the number of bytes that the block takes.
func (b *PairsBlock) Size() int { return cap(b.edge) + cap(b.agreement) + 8*cap(b.node) }

// AddBlock appends the pairs of a block, whose nodes must follow those appended before.
func (p *PairsWriter) AddBlock(b *PairsBlock) {
	before := p.n
	for i, node := range b.node {
		p.n = before + uint64(b.first[i])
		p.upTo(node)
	}
	p.edge.Bytes(b.edge)
	p.agreement.Bytes(b.agreement)
	p.n = before + uint64(b.Len())
}
