package tables

import (
	"encoding/binary"
	"math"
)

// PairsBlock holds pairs of consecutive nodes for a PairsWriter. Blocks can be made by several goroutines.
type PairsBlock struct {
	node      []uint32 // those that have pairs
	first     []uint32 // by number in node, where the pairs of the node begin
	edge      []byte
	agreement []byte
}

// NewPairsBlock returns a block with room for so many pairs.
func NewPairsBlock(pairs int) *PairsBlock {
	return &PairsBlock{edge: make([]byte, 0, 8*pairs), agreement: make([]byte, 0, pairs)}
}

// Add appends one direction of a pair. The pairs come in the order of (from, to).
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

// AddBlock appends the pairs of a block, whose nodes follow those appended before.
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
