package topics

import (
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/runs"
)

// Bag returns the bag of a document, which is empty if the document has none. The bag points into the tables.
func Bag(r *runs.Run, id uint32) bags.Bag {
	if r.Bags == nil {
		return bags.Bag{}
	}
	return r.Bags.At(id)
}

// bagOf returns the bag of a node, which is empty if the table is damaged.
func bagOf(r *runs.Run, node uint32) bags.Bag {
	return r.Bags.At(r.Nodes.First(node))
}
