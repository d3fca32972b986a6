package query

import (
	"github.com/lshclust/lshclust/bags"
)

// Bag returns the bag of a document, which is empty if the document has none. The bag points into the tables.
func (r *Run) Bag(id uint32) bags.Bag {
	if r.bags == nil {
		return bags.Bag{}
	}
	return r.bags.At(id)
}

// Dictionary returns the terms of the run with weights by a scheme, computed from their document frequencies in the
// whole run. A term of Bag is its number here. The dictionary points into the tables.
func (r *Run) Dictionary(how bags.Weighting) (*bags.Dictionary, error) {
	return bags.NewDictionary(how, r.terms.Bags, r.terms.Hashes(), r.terms.DFs())
}

// Word returns the word to show for a term, or false if no bag contains the term.
func (r *Run) Word(t bags.Term) (string, bool) {
	at, ok := r.terms.Find(uint64(t))
	if !ok {
		return "", false
	}
	return r.terms.Word(at), true
}

// TermWord returns the word to show for a term of a bag.
func (r *Run) TermWord(term uint32) string { return r.terms.Word(term) }

// TermDocuments returns the number of bags that contain a term.
func (r *Run) TermDocuments(term uint32) uint32 { return r.terms.DF(term) }
