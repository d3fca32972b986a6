package rounds

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
)

// None is the number of no node.
const None = ^uint32(0)

// Link is a link from a node to a neighbour.
type Link struct{ From, To uint32 }

// Told is a record for a node about one of its lower neighbours: the neighbour if it is a center, otherwise None.
type Told struct{ Node, Center uint32 }

// RecordSize is the size of a Link and of a Told as a record.
const RecordSize = 8

// Record returns the link as a record. Sorted records are sorted links.
func (l Link) Record() [RecordSize]byte { return record(l.From, l.To) }

// Record returns what a node was told as a record, which begins with the number of the node.
func (t Told) Record() [RecordSize]byte { return record(t.Node, t.Center) }

func record(a, b uint32) (rec [RecordSize]byte) {
	binary.BigEndian.PutUint32(rec[:], a)
	binary.BigEndian.PutUint32(rec[4:], b)
	return rec
}

// ParseLink returns the link of a record.
func ParseLink(rec []byte) Link {
	return Link{binary.BigEndian.Uint32(rec), binary.BigEndian.Uint32(rec[4:])}
}

// ParseTold returns what a record tells a node.
func ParseTold(rec []byte) Told {
	return Told{binary.BigEndian.Uint32(rec), binary.BigEndian.Uint32(rec[4:])}
}

// ErrLinks is wrapped by errors about links that are out of order, out of range or not symmetric.
var ErrLinks = errors.New("rounds: impossible links")

// CenterPart is the state of CENTER for a range of nodes, 8 bytes a node.
type CenterPart struct {
	first   uint32
	waiting []uint32 // lower neighbours that the node was not told of; modulo 2^32 until its own links have been read
	center  []uint32 // the lowest center that the node was told of; None if there is none
}

// NewCenterPart returns the state of n nodes from first on, before the first round.
func NewCenterPart(first uint32, n int) *CenterPart {
	p := &CenterPart{first, make([]uint32, n), make([]uint32, n)}
	for i := range p.center {
		p.center[i] = None
	}
	return p
}

// Round does a round. told is what the nodes were told since the last round, in any order. links are all links of the
// nodes in the first round, and later what the last round kept, ascending; links of a node to itself have no effect. It
// calls send with what nodes of other parts must be told, and keep with the links of nodes that are still undecided. The
// rounds end when no part keeps a link and no node was told anything.
func (p *CenterPart) Round(told iter.Seq2[Told, error], links iter.Seq2[Link, error], send func(Told) error, keep func(Link) error) error {
	for t, err := range told {
		if err == nil && !p.has(t.Node) {
			err = fmt.Errorf("%w: node %d is told to the part from %d", ErrLinks, t.Node, p.first)
		}
		if err != nil {
			return err
		}
		p.hear(t)
	}
	var last Link
	for l, err := range links {
		if err == nil && (!p.has(l.From) || l.From < last.From || l.From == last.From && l.To < last.To) {
			err = fmt.Errorf("%w: %d-%d after %d-%d in the part from %d", ErrLinks, l.From, l.To, last.From, last.To, p.first)
		}
		if err == nil {
			err = p.read(l, send, keep)
		}
		if err != nil {
			return err
		}
		last = l
	}
	return nil
}

// read takes one link. When the links of a node to higher ones come, those to lower ones have been counted.
func (p *CenterPart) read(l Link, send func(Told) error, keep func(Link) error) error {
	switch i := l.From - p.first; {
	case l.To < l.From:
		p.waiting[i]++
		return nil
	case l.To == l.From:
		return nil
	case p.center[i] == None && p.waiting[i] > 0:
		return keep(l)
	}
	t := Told{l.To, p.tells(l.From)}
	if !p.has(l.To) {
		return send(t)
	}
	p.hear(t)
	return nil
}

// tells returns what a decided node tells its neighbours.
func (p *CenterPart) tells(node uint32) uint32 {
	if p.center[node-p.first] == None {
		return node
	}
	return None
}

func (p *CenterPart) hear(t Told) {
	i := t.Node - p.first
	p.waiting[i]--
	p.center[i] = min(p.center[i], t.Center)
}

func (p *CenterPart) has(node uint32) bool {
	return node >= p.first && uint64(node) < uint64(p.first)+uint64(len(p.center))
}

// Centers calls put with the center of each node, in order, when the rounds have ended.
func (p *CenterPart) Centers(put func(center uint32) error) error {
	for i, c := range p.center {
		node := p.first + uint32(i)
		if p.waiting[i] != 0 {
			return fmt.Errorf("%w: node %d was not told of all its neighbours", ErrLinks, node)
		}
		if err := put(min(c, node)); err != nil {
			return err
		}
	}
	return nil
}

// AppendBinary appends the state, which ParseCenterPart reads.
func (p *CenterPart) AppendBinary(b []byte) ([]byte, error) {
	b = binary.LittleEndian.AppendUint32(b, p.first)
	for i, c := range p.center {
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, p.waiting[i]), c)
	}
	return b, nil
}

// ParseCenterPart reads what AppendBinary wrote.
func ParseCenterPart(b []byte) (*CenterPart, error) {
	if len(b)%8 != 4 {
		return nil, fmt.Errorf("rounds: state of %d bytes", len(b))
	}
	p := NewCenterPart(binary.LittleEndian.Uint32(b), len(b)/8)
	for i := range p.center {
		at := b[4+8*i:]
		p.waiting[i], p.center[i] = binary.LittleEndian.Uint32(at), binary.LittleEndian.Uint32(at[4:])
	}
	return p, nil
}
