package query

import "github.com/lshclust/lshclust/bags"

// By chooses what a question compares documents by.
type By string

// The values of By. The empty string is ByBoth.
const (
	ByBoth    By = "both"    // whole bags
	ByLinks   By = "links"   // the words around the links to them
	ByContent By = "content" // their own words
)

// Field compares one field of two bags, a and b.
type Field struct {
	Similarity float64 `json:"similarity" doc:"sum_min / sum_max" least:"0" most:"1"`
	SumMin     int     `json:"sum_min" doc:"sum of the smaller counts"`
	SumMax     int     `json:"sum_max" doc:"sum of the larger counts"`
	A          int     `json:"a" doc:"sum of the counts in the bag of a"`
	B          int     `json:"b" doc:"sum of the counts in the bag of b"`
}

func fieldOf(a, b bags.Bag) Field {
	p := Field{A: a.Sum(), B: b.Sum()}
	if p.SumMin, p.SumMax = bags.Overlap(a, b); p.SumMax > 0 {
		p.Similarity = float64(p.SumMin) / float64(p.SumMax)
	}
	return p
}

// fields compares the fields of two bags.
func (r *topicalView) fields(a, b bags.Bag) (links, content Field) {
	linksA, contentA := a.Split(r.content)
	linksB, contentB := b.Split(r.content)
	return fieldOf(linksA, linksB), fieldOf(contentA, contentB)
}

// field returns the field of a bag to compare by.
func (r *topicalView) field(bag bags.Bag, by By) bags.Bag {
	links, content := bag.Split(r.content)
	switch by {
	case ByLinks:
		return links
	case ByContent:
		return content
	}
	return bag
}

// Fields returns how similar the links of two documents are, and how similar their contents.
func (r *topicalView) Fields(a, b uint32) (links, content float64) {
	x, y := r.fields(r.bags.At(a), r.bags.At(b))
	return x.Similarity, y.Similarity
}

// HasContent reports whether the bags of the run have a field of content besides that of links.
func (r *topicalView) HasContent() bool { return int(r.content) < r.terms.Len() && r.content > 0 }
