package topics

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
)

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
func fields(r *runs.Run, a, b bags.Bag) (links, content Field) {
	linksA, contentA := a.Split(r.Content)
	linksB, contentB := b.Split(r.Content)
	return fieldOf(linksA, linksB), fieldOf(contentA, contentB)
}

// OfField returns the field of a bag to compare by.
func OfField(r *runs.Run, bag bags.Bag, by By) bags.Bag {
	links, content := bag.Split(r.Content)
	switch by {
	case ByLinks:
		return links
	case ByContent:
		return content
	}
	return bag
}

// Fields compares the links of two documents, and their contents.
func Fields(r *runs.Run, a, b uint32) (links, content Field) {
	return fields(r, r.Bags.At(a), r.Bags.At(b))
}

// BagWord is a word of a bag, with its count in each field.
type BagWord struct {
	Word    string `json:"word"`
	Links   int    `json:"link_count" doc:"count around the links to the document"`
	Content int    `json:"content_count" doc:"count in its own words"`
	df      uint32 // bags that have it, in the field where it is rarer
}

// BagWords returns at most most words of the bag of a document. Those with the largest counts come first, and of those
// the rarest.
func BagWords(r *runs.Run, id uint32, most int) []BagWord {
	var out []BagWord
	at, bag := map[bags.Term]int{}, Bag(r, id)
	for i, t := range bag.Terms {
		term := bags.Term(r.Terms.Hash(t))
		j, ok := at[term.OfLinks()]
		if !ok {
			j = len(out)
			at[term.OfLinks()] = j
			out = append(out, BagWord{Word: r.Terms.Word(t), df: math.MaxUint32})
		}
		out[j].df = min(out[j].df, r.Terms.DF(t))
		n := int(bag.Counts[i])
		if term.IsContent() {
			out[j].Content = n
		} else {
			out[j].Links = n
		}
	}
	slices.SortFunc(out, func(a, b BagWord) int {
		return cmp.Or(cmp.Compare(max(b.Links, b.Content), max(a.Links, a.Content)), cmp.Compare(a.df, b.df), cmp.Compare(a.Word, b.Word))
	})
	return out[:min(len(out), most)]
}

// EachClusterRow calls each with a row for every document, which says to which topical cluster it belongs.
func EachClusterRow(ctx context.Context, r *runs.Run, each func(run.TopicalClusterRow) error) error {
	if err := r.Need(config.Topical); err != nil {
		return err
	}
	centers := r.Clusters.Centers()
	size := make([]int32, len(centers))
	for _, c := range centers {
		size[c]++
	}
	for i, c := range centers {
		id := uint32(i)
		_, s := r.Clusters.Center(id)
		row := run.TopicalClusterRow{
			URL: r.Docs.URL(id), ClusterID: tables.ClusterID(r.Docs.URL(c)), ClusterSize: size[c], IsCenter: c == id, SimilarityToCenter: s,
			LabelTerms: r.Clusters.Label(c),
		}
		if err := errors.Join(ctx.Err(), each(row)); err != nil {
			return err
		}
	}
	return r.Err()
}

// EachPairRow calls each for every pair of the topical view once, the document with the lower id first. Only the first
// document of a node is in pairs with other nodes. Each of the others is in one pair with the first.
func EachPairRow(ctx context.Context, r *runs.Run, each func(run.TopicalPairRow) error) error {
	if err := r.Need(config.Topical); err != nil {
		return err
	}
	for node := range uint32(r.Pairs.Len()) {
		members := r.Nodes.Members(node)
		if len(members) == 0 {
			break // the table is damaged
		}
		row := run.TopicalPairRow{URLA: r.Docs.URL(members[0]), Similarity: 1}
		for _, id := range members[1:] {
			row.URLB = r.Docs.URL(id)
			if err := each(row); err != nil {
				return err
			}
		}
		for _, e := range r.Pairs.Neighbours(node) {
			if e.To < node {
				continue
			}
			row.URLB, row.Similarity = r.Docs.URL(r.Nodes.First(e.To)), e.Similarity
			if err := each(row); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return r.Err()
}
