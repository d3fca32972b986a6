package tables

import (
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/lsh"
)

// WriteNodes writes nodes.lsh. nodeOf contains the node of each document, or None if its bag is empty. Nodes are
// numbered in the order of their first documents.
func WriteNodes(path string, nodeOf []uint32, nodes int) error {
	w := mapped.Create(path, "nodes", version)
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
	next := append([]uint64(nil), first[:nodes]...)
	for id, n := range nodeOf {
		if n != None {
			members[next[n]] = uint32(id)
			next[n]++
		}
	}
	s := w.Section("node", 4)
	for _, n := range nodeOf {
		s.U32(n)
	}
	offsets := w.Offsets("first")
	for _, x := range first {
		offsets.U64(x)
	}
	s = w.Section("member", 4)
	for _, id := range members {
		s.U32(id)
	}
	return w.Close()
}

// Nodes reads nodes.lsh. A node stands for all documents with one bag.
type Nodes struct {
	file
	node   column32
	first  mapped.Offsets
	member column32
}

// OpenNodes opens nodes.lsh.
func OpenNodes(path string) (*Nodes, error) {
	r := open(path, "nodes")
	n := &Nodes{file: file{r.f}, node: r.u32("node"), first: r.offsets("first"), member: r.u32("member")}
	return n, r.done(n.first.Len() > 0 && n.member.Len() <= n.node.Len())
}

// Len returns the number of nodes.
func (n *Nodes) Len() int { return n.first.Len() - 1 }

// Documents returns the number of documents, including those with empty bags.
func (n *Nodes) Documents() int { return n.node.Len() }

// Of returns the node of a document, or None if its bag is empty.
func (n *Nodes) Of(id uint32) uint32 {
	if int64(id) >= int64(n.node.Len()) {
		return None
	}
	node := n.node.At(int(id))
	if node == None || !n.below("node", int(id), node, n.Len()) {
		return None
	}
	return node
}

// Members returns the documents of a node, ascending. The first one represents the others. The slice points into the
// table. It is empty only if there is no such node or the table is damaged.
func (n *Nodes) Members(node uint32) []uint32 {
	from, to := n.places(node)
	if ids := n.member.Slice(from, to); n.allBelow("member", from, ids, n.Documents()) {
		return ids
	}
	return nil
}

// First returns the first document of a node, or None if there is no such node or the table is damaged.
func (n *Nodes) First(node uint32) uint32 {
	from, to := n.places(node)
	if from == to {
		return None
	}
	if id := n.member.At(from); n.below("member", from, id, n.Documents()) {
		return id
	}
	return None
}

// places returns where the documents of a node begin and end in the section member. A node has at least one document.
func (n *Nodes) places(node uint32) (from, to int) {
	from, to = n.span("first", n.first, int(node), n.member.Len())
	if from == to && int64(node) < int64(n.Len()) {
		n.f.Report("first", int(node), "node %d has no document", node)
	}
	return from, to
}

// Signatures reads signatures.lsh.
type Signatures struct {
	file
	M   int // signatures per row
	row column8
}

// CreateSignatures starts signatures.lsh. The caller writes rows of 3·m bytes to the section.
func CreateSignatures(path string, m int) (*mapped.Writer, *mapped.Section) {
	w := mapped.Create(path, "sigs", version)
	return w, w.Section("row", 3*m)
}

// OpenSignatures opens signatures.lsh.
func OpenSignatures(path string) (*Signatures, error) {
	r := open(path, "sigs")
	s := &Signatures{file: file{r.f}, row: r.u8("row")}
	if r.err == nil {
		info, _ := r.f.Info("row")
		s.M = info.ElemSize / 3
	}
	return s, r.done(s.M > 0)
}

// Len returns the number of rows.
func (s *Signatures) Len() int { return s.row.Len() / (3 * s.M) }

// Row returns row i, which must exist. It points into the table.
func (s *Signatures) Row(i int) []byte { return s.row.Slice(i*3*s.M, (i+1)*3*s.M) }

// All returns all rows. They point into the table.
func (s *Signatures) All() lsh.Signatures { return lsh.Signatures{M: s.M, Rows: s.row.All()} }
