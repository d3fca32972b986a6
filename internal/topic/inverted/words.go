package inverted

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/bags"
)

// Word is a word of a query, which is much shorter than a bag.
type Word struct {
	Terms  []uint32 // its terms: one per language in which it has its own stem
	Weight float64  // its weight in the score, above 0
}

// Match is a node with the score of its bag for some words, above 0 and below 1.
type Match struct {
	Node  uint32
	Score float64
}

// Saturation is the count at which a term adds half of its weight to a score; see Matches.
const Saturation = 2

// Score returns the score of a bag for some words; see Matches.
func Score(words []Word, bag bags.Bag) float64 {
	score := 0.0
	for _, w := range words {
		for _, t := range w.Terms {
			if i, ok := slices.BinarySearch(bag.Terms, t); ok {
				score += added(w.Weight, bag.Counts[i])
			}
		}
	}
	return min(1, score/total(words))
}

// added returns what a count of a term of a word adds to the score before division by the total weight.
func added(weight float64, count uint16) float64 {
	return weight * (float64(count) / (float64(count) + Saturation))
}

func total(words []Word) (sum float64) {
	for _, w := range words {
		sum += w.Weight
	}
	return sum
}

// Matches returns the nodes whose bags fit some words best, at most top of them, by descending score and then by
// number. A bag's score is the mean of c/(c+Saturation) over the words, by weight, where c is the count of the word in
// the bag. This is BM25 (Robertson, Walker: Some Simple Effective Approximations to the 2-Poisson Model, 1994) without
// its correction for long documents, since all bags have one sum. The Jaccard coefficient with a bag of the words alone
// would prefer pages about which the web says little else.
func (x *Index) Matches(words []Word, top int) []Match {
	of := total(words)
	if top <= 0 || !(of > 0) {
		return nil
	}
	var best []Match
	enough := 2 * max(top, 500) // so many matches are sorted at a time
	all := zeros.Get().(*[segmentNodes]float64)
	least, scores := Match{Node: math.MaxUint32}, all[:] // to be among the best, a match must come before least
	var met []uint16
	for i := range x.lists.Segments() {
		base, nodes, terms := x.lists.Segment(i)
		met = x.follow(met[:0], scores, words, i, terms)
		for _, n := range met {
			m := Match{base + uint32(n), min(1, scores[n]/of)}
			scores[n] = 0
			if int(n) >= nodes || better(m, least) >= 0 {
				continue
			}
			if best = append(best, m); len(best) >= enough {
				best = sorted(best)[:top]
				least = best[top-1]
			}
		}
		if len(best) > top {
			best = sorted(best)[:top]
			least = best[top-1]
		}
	}
	zeros.Put(all) // not if a damaged table caused a panic
	return sorted(best)
}

// zeros holds scores of nodes, all of them 0.
var zeros = sync.Pool{New: func() any { return new([segmentNodes]float64) }}

// follow adds the contributions of the words' lists in a segment to the scores, which are 0. It appends the nodes in
// these lists to met, each once. So the time of a search depends on the lengths of the words' lists, not on the number
// of nodes.
func (x *Index) follow(met []uint16, scores []float64, words []Word, segment int, terms []uint32) []uint16 {
	for _, w := range words {
		for _, t := range w.Terms {
			at, ok := slices.BinarySearch(terms, t)
			if !ok {
				continue
			}
			for list := x.lists.List(segment, at); len(list) > 0; {
				count, nodes, rest := group(list)
				add := added(w.Weight, count)
				for _, n := range nodes {
					if scores[n] == 0 && add > 0 {
						met = append(met, n)
					}
					scores[n] += add
				}
				list = rest
			}
		}
	}
	return met
}

// better orders matches by descending score and then by their nodes.
func better(a, b Match) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Node, b.Node))
}

func sorted(m []Match) []Match {
	slices.SortFunc(m, better)
	return m
}
