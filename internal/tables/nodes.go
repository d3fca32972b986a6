package tables

import (
	"slices"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/lsh"
)

var nodesTable = kind{"nodes", 1}

type nodeColumns struct {
	node   numbers32     `lsh:"node,stream"`
	first  mapped.Starts `lsh:"first"`
	member numbers32     `lsh:"member,stream"`
}

// WriteNodes writes nodes.lsh. nodeOf contains the node of each document, or None if its bag is empty. Nodes are
// numbered in the order of their first documents.
func WriteNodes(path string, nodeOf []uint32, nodes int) error {
	var c nodeColumns
	w := nodesTable.create(path, &c)
	defer w.Abort()
	first := make([]uint64, nodes+1)
	for _, n := range nodeOf {
		if n != None {
			first[n+1]++
		}
	}
	for i := range nodes {
		first[i+1] += first[i]
	}
	members := make([]uint32, first[nodes])
	next := slices.Clone(first[:nodes])
	for id, n := range nodeOf {
		if n != None {
			members[next[n]] = uint32(id)
			next[n]++
		}
	}
	c.node.AddAll(nodeOf)
	for i := range nodes {
		c.first.Add(int(first[i+1] - first[i]))
	}
	c.member.AddAll(members)
	return w.Close()
}

// Nodes reads nodes.lsh. A node stands for all documents with one bag.
type Nodes struct {
	file
	nodeColumns
}

// OpenNodes opens nodes.lsh.
func OpenNodes(path string) (*Nodes, error) {
	n := new(Nodes)
	return n, nodesTable.open(path, &n.file, &n.nodeColumns, func() bool { return n.member.Len() <= n.node.Len() })
}

// Len returns the number of nodes.
func (n *Nodes) Len() int { return n.first.Len() - 1 }

// Documents returns the number of documents, including those with empty bags.
func (n *Nodes) Documents() int { return n.node.Len() }

// Of returns the node of a document, or None if its bag is empty.
func (n *Nodes) Of(id uint32) uint32 {
	if n.node.At(int(id)) == None {
		return None
	}
	return below(&n.node, int(id), n.Len())
}

// Members returns the documents of a node, ascending. The first one represents the others. The slice points into the
// table. It is empty only if there is no such node or the table is damaged.
func (n *Nodes) Members(node uint32) []uint32 {
	from, to := n.places(node)
	return n.member.SliceBelow(from, to, n.Documents())
}

// First returns the first document of a node, or None if there is no such node or the table is damaged.
func (n *Nodes) First(node uint32) uint32 {
	from, to := n.places(node)
	if from == to {
		return None
	}
	return below(&n.member, from, n.Documents())
}

// places returns where the documents of a node begin and end in the section member. A node has at least one document.
func (n *Nodes) places(node uint32) (from, to int) {
	from, to = n.first.Span(int(node), n.member.Len())
	if from == to && int64(node) < int64(n.Len()) {
		n.f.Report("first", int(node), "node %d has no document", node)
	}
	return from, to
}

var signaturesTable = kind{"sigs", 1}

// Signatures reads signatures.lsh.
type Signatures struct {
	file
	M   int // signatures per row
	row mapped.Column[byte]
}

// CreateSignatures starts signatures.lsh. The caller writes rows of 3·m bytes to the section.
func CreateSignatures(path string, m int) (*mapped.Writer, *mapped.Section) {
	w := mapped.Create(path, signaturesTable.name, signaturesTable.version)
	return w, w.Section("row", 3*m)
}

// OpenSignatures opens signatures.lsh.
func OpenSignatures(path string) (*Signatures, error) {
	s := new(Signatures)
	var err error
	if s.f, err = mapped.Open(path, signaturesTable.name, signaturesTable.version); err != nil {
		return nil, err
	}
	info, err := s.f.Info("row")
	if err == nil {
		s.M = info.ElemSize / 3
		s.row, err = mapped.View[byte](s.f, "row")
	}
	return s, s.opened(err, func() bool { return s.M > 0 })
}

// Len returns the number of rows.
func (s *Signatures) Len() int { return s.row.Len() / (3 * s.M) }

// Row returns row i, which must exist. It points into the table.
func (s *Signatures) Row(i int) []byte { return s.row.Slice(i*3*s.M, (i+1)*3*s.M) }

// All returns all rows. They point into the table.
func (s *Signatures) All() lsh.Signatures { return lsh.Signatures{M: s.M, Rows: s.row.All()} }
