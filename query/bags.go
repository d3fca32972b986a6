package query

import (
	"github.com/lshclust/lshclust/bags"
)

// Bag returns the bag of a document, empty if it has none. It points into the tables.
func (r *Run) Bag(id uint32) bags.Bag {
	if r.bags == nil {
		return bags.Bag{}
	}
	return r.bags.At(id)
}

// Dictionary returns the terms of the run with weights by a scheme, from their document frequencies among the bags of all
// documents. A term of Bag is its number here. It points into the tables.
func (r *Run) Dictionary(how bags.Weighting) (*bags.Dictionary, error) {
	return bags.NewDictionary(how, r.terms.Bags, r.terms.Hash, r.terms.DF)
}
