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

// Part compares one part of two bags, a and b.
type Part struct {
	Similarity float64 `json:"similarity" doc:"sum_min / sum_max" least:"0" most:"1"`
	SumMin     int     `json:"sum_min" doc:"sum of the smaller counts"`
	SumMax     int     `json:"sum_max" doc:"sum of the larger counts"`
	A          int     `json:"a" doc:"sum of the counts in the bag of a"`
	B          int     `json:"b" doc:"sum of the counts in the bag of b"`
}

func partOf(a, b bags.Bag) Part {
	p := Part{A: a.Sum(), B: b.Sum()}
	if p.SumMin, p.SumMax = bags.Overlap(a, b); p.SumMax > 0 {
		p.Similarity = float64(p.SumMin) / float64(p.SumMax)
	}
	return p
}

// parts compares the parts of two bags.
func (r *topicalView) parts(a, b bags.Bag) (links, content Part) {
	linksA, contentA := a.Split(r.content)
	linksB, contentB := b.Split(r.content)
	return partOf(linksA, linksB), partOf(contentA, contentB)
}

// part returns the part of a bag to compare by.
func (r *topicalView) part(bag bags.Bag, by By) bags.Bag {
	links, content := bag.Split(r.content)
	switch by {
	case ByLinks:
		return links
	case ByContent:
		return content
	}
	return bag
}

// Parts returns how similar the links of two documents are, and how similar their contents.
func (r *topicalView) Parts(a, b uint32) (links, content float64) {
	x, y := r.parts(r.bags.At(a), r.bags.At(b))
	return x.Similarity, y.Similarity
}

// HasContent reports whether the bags of the run have a part of content besides that of links.
func (r *topicalView) HasContent() bool { return int(r.content) < r.terms.Len() && r.content > 0 }
