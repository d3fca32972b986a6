package bags

import (
	"cmp"
	"slices"
)

// NoNode is the node of a document whose bag is empty.
const NoNode = ^uint32(0)

// Documents gives access to the bags of all documents by number. Equal bags have equal hashes.
type Documents interface {
	Len() int
	At(document uint32) Bag
	Hash(document uint32) uint64
}

// Nodes numbers the distinct bags that are not empty, in the order of the first document with each bag. nodeOf holds
// the node of each document, NoNode if its bag is empty, and first the first document of each node.
func Nodes(d Documents) (nodeOf, first []uint32) {
	nodeOf = firstEqual(d)
	for id, equal := range nodeOf {
		switch {
		case equal == NoNode:
		case equal == uint32(id):
			nodeOf[id] = uint32(len(first))
			first = append(first, uint32(id))
		default:
			nodeOf[id] = nodeOf[equal]
		}
	}
	return nodeOf, first
}

// firstEqual returns for each document the first one with the same bag, NoNode if the bag is empty.
func firstEqual(d Documents) []uint32 {
	type hashed struct {
		hash uint64
		id   uint32
	}
	n := uint32(d.Len())
	docs := make([]hashed, 0, n)
	for id := range n {
		if d.At(id).Len() > 0 {
			docs = append(docs, hashed{d.Hash(id), id})
		}
	}
	slices.SortFunc(docs, func(a, b hashed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id)) })
	first := make([]uint32, n)
	for i := range first {
		first[i] = NoNode
	}
	for i, h := range docs {
		first[h.id] = h.id
		for j := i - 1; j >= 0 && docs[j].hash == h.hash; j-- {
			if Equal(d.At(docs[j].id), d.At(h.id)) { // the first comparison nearly always succeeds
				first[h.id] = first[docs[j].id]
				break
			}
		}
	}
	return first
}

// Equal reports whether two bags hold the same terms with the same counts.
func Equal(a, b Bag) bool { return slices.Equal(a.Terms, b.Terms) && slices.Equal(a.Counts, b.Counts) }
