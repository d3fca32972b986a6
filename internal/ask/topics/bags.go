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

// Dictionary returns the terms of the run with weights by a scheme, computed from their document frequencies in the
// whole run. A term of Bag is its number here. The dictionary points into the tables.
func Dictionary(r *runs.Run, how bags.Weighting) (*bags.Dictionary, error) {
	return bags.NewDictionary(how, r.Terms.Bags, r.Terms.Hashes(), r.Terms.DFs())
}

// Word returns the word to show for a term, or false if no bag contains the term.
func Word(r *runs.Run, t bags.Term) (string, bool) {
	at, ok := r.Terms.Find(uint64(t))
	if !ok {
		return "", false
	}
	return r.Terms.Word(at), true
}

// bagOf returns the bag of a node, which is empty if the table is damaged.
func bagOf(r *runs.Run, node uint32) bags.Bag {
	return r.Bags.At(r.Nodes.First(node))
}
