package tables

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/rice"
)

// The neighbours of a node are stored as ascending numbers, then the form of the similarities (a byte), the least of them (a
// uvarint), and what the others have more, in the order of the neighbours (see package rice).
//
// The similarity of two bags is a fraction of whole numbers: what they have in common, over the rest of the sum of
// both, which is 2, 3 or 4 times the sum of a field. So these two numbers state it exactly. Any other similarity is
// stored as a float32. The last two bits tell which it is. If they are those of all neighbours, they are only in the byte
// with the form.
const (
	otherFloat = 3 // in place of the number of fields of both bags, less 2

	formBits = 2 // the last bits of a similarity
	mixed    = 3 // in place of the form of all similarities if they have their own
)

// packSimilarity returns a similarity as a number for the table. sum is the sum of a field of a bag.
func packSimilarity(s float32, sum uint64) uint64 {
	for fields := uint64(2); fields <= 4; fields++ {
		total := float64(fields * sum)
		common := uint64(math.Round(float64(s) * total / (1 + float64(s))))
		if packed := common<<2 | (fields - 2); s >= 0 && s <= 1 && unpackSimilarity(packed, sum) == s {
			return packed
		}
	}
	return uint64(math.Float32bits(s))<<2 | otherFloat
}

// unpackSimilarity is the inverse of packSimilarity.
func unpackSimilarity(packed, sum uint64) float32 {
	if packed&3 == otherFloat {
		return math.Float32frombits(uint32(packed >> 2))
	}
	common := packed >> 2
	return float32(float64(common) / float64((packed&3+2)*sum-common))
}

// PairsBlock holds pairs of consecutive nodes for a PairsWriter. Several goroutines can make blocks at once.
type PairsBlock struct {
	sum    uint64
	node   []uint32 // nodes that have pairs
	first  []uint64 // for each element of node, where its list begins
	list   []byte
	edges  int
	ids    []uint64 // of the neighbours of one node
	packed []uint64 // their similarities
}

// NewPairsBlock returns an empty block for bags with the given sum in each field.
func NewPairsBlock(sum int) *PairsBlock { return &PairsBlock{sum: uint64(sum)} }

// Add appends the neighbours of a node, in ascending order. Nodes must be added in ascending order.
func (b *PairsBlock) Add(node uint32, list []center.Edge) {
	if len(list) == 0 {
		return
	}
	b.node, b.first, b.edges = append(b.node, node), append(b.first, uint64(len(b.list))), b.edges+len(list)
	b.ids, b.packed = b.ids[:0], b.packed[:0]
	form := packSimilarity(list[0].Similarity, b.sum) & (1<<formBits - 1)
	for _, e := range list {
		s := packSimilarity(e.Similarity, b.sum)
		b.ids, b.packed = append(b.ids, uint64(e.To)), append(b.packed, s)
		if s&(1<<formBits-1) != form || form == otherFloat {
			form = mixed
		}
	}
	if form != mixed {
		for i := range b.packed {
			b.packed[i] >>= formBits
		}
	}
	least := slices.Min(b.packed)
	for i := range b.packed {
		b.packed[i] -= least
	}
	w := rice.Writer{Bytes: binary.AppendUvarint(append(rice.AppendAscending(b.list, b.ids), byte(form)), least)}
	w.List(b.packed)
	b.list = w.Bytes
}

// Len returns the number of pairs, each in one direction.
func (b *PairsBlock) Len() int { return b.edges }

// Size returns the number of bytes that the block takes.
func (b *PairsBlock) Size() int {
	return cap(b.list) + 4*cap(b.node) + 8*(cap(b.first)+cap(b.ids)+cap(b.packed))
}

// pairsTable has had these versions: 2 packs the lists; 3 states what all similarities of a list have in common once; 4 has
// Golomb-Rice codes.
var pairsTable = kind{"pairs", 4}

type pairColumns struct {
	first  mapped.Starts `lsh:"first"`
	totals numbers64     `lsh:"totals"` // the sum of a field of a bag; the number of pairs in both directions
	list   octets        `lsh:"list,stream"`
}

// PairsWriter writes pairs.lsh in order of the nodes.
type PairsWriter struct {
	writer
	pairColumns
	next       uint32 // number of nodes in the column first
	begun      uint64 // bytes of lists in it
	sum, edges uint64
}

// CreatePairs starts pairs.lsh for bags with the given sum in each field.
func CreatePairs(path string, sum int) *PairsWriter {
	p := &PairsWriter{sum: uint64(sum)}
	p.writer = pairsTable.create(path, &p.pairColumns)
	return p
}

// upTo appends the nodes before one whose list begins at a place.
func (p *PairsWriter) upTo(node uint32, at uint64) {
	for ; p.next < node; p.next++ {
		p.first.Add(int(at - p.begun))
		p.begun = at
	}
}

// AddBlock appends the pairs of a block, whose nodes must follow those appended before.
func (p *PairsWriter) AddBlock(b *PairsBlock) {
	before := uint64(p.list.Size())
	for i, node := range b.node {
		p.upTo(node, before+b.first[i])
	}
	p.list.AddAll(b.list)
	p.edges += uint64(b.edges)
}

// Close publishes the table for the given number of nodes.
func (p *PairsWriter) Close(nodes int) error {
	p.upTo(uint32(nodes), uint64(p.list.Size()))
	p.totals.AddAll([]uint64{p.sum, p.edges})
	p.list.AddAll(make([]byte, rice.Padding))
	return p.w.Close()
}

// Pairs reads pairs.lsh, which contains every pair of nodes in both directions. It implements center.Graph.
type Pairs struct {
	file
	pairColumns
}

// OpenPairs opens pairs.lsh.
func OpenPairs(path string) (*Pairs, error) {
	p := new(Pairs)
	return p, pairsTable.open(path, &p.file, &p.pairColumns, func() bool { return p.totals.Len() == 2 && p.list.Len() >= rice.Padding })
}

// Len returns the number of nodes.
func (p *Pairs) Len() int { return p.first.Len() - 1 }

// Count returns the number of pairs. Each pair counts once.
func (p *Pairs) Count() int { return int(p.totals.At(1) / 2) }

// Find returns the similarity of two nodes, or false if they are not a pair. Either may be None.
func (p *Pairs) Find(from, to uint32) (similarity float32, ok bool) {
	if from == None || to == None {
		return 0, false
	}
	list := p.Neighbours(from)
	i, ok := slices.BinarySearchFunc(list, to, func(e center.Edge, to uint32) int { return cmp.Compare(e.To, to) })
	if ok {
		similarity = list[i].Similarity
	}
	return similarity, ok
}

// Neighbours returns the edges of a node to its neighbours, ascending, in a new slice. It is empty if the table is
// damaged.
func (p *Pairs) Neighbours(node uint32) []center.Edge {
	from, to := p.first.Span(int(node), p.list.Len()-rice.Padding)
	if from == to {
		return nil
	}
	list := p.list.Slice(from, to+rice.Padding)
	out, ok := unpack(list, p.totals.At(0), p.Len())
	if !ok {
		p.f.Report("list", from, "the neighbours of node %d are damaged", node)
	}
	return out
}

// unpack returns the neighbours in a list, which is followed by padding, if all are below nodes.
func unpack(list []byte, sum uint64, nodes int) (out []center.Edge, ok bool) {
	var buffer [2 * 128]uint64
	ids, rest, ok := rice.Ascending(buffer[:0:128], list)
	if !ok || len(ids) == 0 || ids[len(ids)-1] >= uint64(nodes) || len(rest) < 1 || rest[0] > mixed {
		return nil, false
	}
	form := uint64(rest[0])
	least, at := binary.Uvarint(rest[1:])
	if at <= 0 {
		return nil, false
	}
	more := buffer[128:]
	if len(ids) > len(more) {
		more = make([]uint64, len(ids))
	}
	more = more[:len(ids)]
	if rest, ok = rice.List(more, rest[1+at:]); !ok || len(rest) != rice.Padding {
		return nil, false
	}
	out = make([]center.Edge, len(ids))
	for i, id := range ids {
		s := least + more[i]
		if form != mixed {
			s = s<<formBits | form
		}
		out[i] = center.Edge{To: uint32(id), Similarity: unpackSimilarity(s, sum)}
	}
	return out, true
}
