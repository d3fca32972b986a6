package workload

import (
	"fmt"
	"iter"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/shingles"
)

// Pair is a planted pair.
type Pair struct {
	Kind       string // "text" for pages, "window" for targets of links, "bag" for documents with bags
	A, B       string // URLs
	Similarity float64
	AinB, BinA float64 // for texts: the containment of A in B, and of B in A
}

// String returns the pair as a line of a table.
func (p Pair) String() string {
	return fmt.Sprintf("%s\t%s\t%s\t%.6f\t%.6f\t%.6f\n", p.Kind, p.A, p.B, p.Similarity, p.AinB, p.BinA)
}

// PagePairs yields the pairs of pages of one family with their resemblance, which is computed from all of their
// shingles. Pages of different families have only shingles in common that occur by chance.
func (w *World) PagePairs(c shingles.Config) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		s, err := shingles.New(c)
		if err != nil {
			yield(Pair{}, err)
			return
		}
		var p Page
		var text []byte
		for f := range w.families {
			var url [familySize]string
			var values [familySize][]uint64
			for m := range uint64(familySize) {
				w.Page(int64(w.places.to(f*familySize+m)), &p)
				set := shingles.NewSet()
				text = p.AppendText(text[:0])
				s.Sketch(set, text)
				url[m], values[m] = string(p.URL), slices.Clone(set.Values())
			}
			for a := range familySize {
				for b := a + 1; b < familySize; b++ {
					n := float64(sets.Common(values[a], values[b]))
					x, y := float64(len(values[a])), float64(len(values[b]))
					if !yield(Pair{"text", url[a], url[b], n / (x + y - n), n / x, n / y}, nil) {
						return
					}
				}
			}
		}
	}
}

// LinkPairs yields the pairs of targets of one group of planted links with the similarity of the bags that have each
// word of the window once.
func (w *World) LinkPairs() iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		var p Page
		for g := range w.groups {
			var url [groupSize]string
			var words [groupSize][]uint64
			for m := range uint64(groupSize) {
				slot := g*groupSize + m
				w.Page(int64(w.places.to(w.families*familySize+slot)), &p)
				target, _, _, _ := p.Link(0)
				url[m] = string(target)
				all := w.windowWords(slot)
				words[m] = slices.Sorted(slices.Values(all[:]))
			}
			for a := range groupSize {
				for b := a + 1; b < groupSize; b++ {
					n := float64(sets.Common(words[a], words[b]))
					if !yield(Pair{Kind: "window", A: url[a], B: url[b], Similarity: n / (2*windowWords - n)}, nil) {
						return
					}
				}
			}
		}
	}
}

// BagPairs yields the pairs of documents of one group with the similarity of their bags.
func (s *Bags) BagPairs() iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		for f := range s.families {
			var url [bagGroup]string
			var bag [bagGroup]bags.Bag
			for m := range uint64(bagGroup) {
				doc := int(s.world.places.to(f*bagGroup + m))
				url[m] = s.URL(doc)
				s.Bag(doc, &bag[m])
				sortBag(&bag[m])
			}
			for a := range bagGroup {
				for b := a + 1; b < bagGroup; b++ {
					if !yield(Pair{Kind: "bag", A: url[a], B: url[b], Similarity: bags.Similarity(bag[a], bag[b])}, nil) {
						return
					}
				}
			}
		}
	}
}
