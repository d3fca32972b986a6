package inverted

import (
	"cmp"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/bags"
)

// Word is a word of a query, which is much shorter than a bag.
type Word struct {
	Terms  []uint32 // its terms: one for each language in which it has a stem of its own
	Weight float64  // how much it tells, above 0
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

// added returns what a count of a term of a word adds to the score, before it is divided by the total weight.
func added(weight float64, count uint16) float64 {
	return weight * (float64(count) / (float64(count) + Saturation))
}

func total(words []Word) (sum float64) {
	for _, w := range words {
		sum += w.Weight
	}
	return sum
}

// Matches returns the nodes whose bags fit some words best, at most top of them, by descending score and then by their
// numbers. A bag's score is the mean of c/(c+Saturation) over the words, by weight, where c is the count of the word in
// the bag. This is BM25 (Robertson, Walker: Some Simple Effective Approximations to the 2-Poisson Model, 1994) without
// its correction for long documents, since all bags have one sum. The Jaccard coefficient with a bag of the words alone
// would prefer pages about which the web says little else.
func (x *Index) Matches(words []Word, top int) []Match {
	of := total(words)
	if top <= 0 || !(of > 0) {
		return nil
	}
	var best []Match
	enough := 2 * max(top, 500) // so many are sorted at a time
	all := zeros.Get().(*[segmentNodes]float64)
	least, scores := 0.0, all[:] // to be among the best, a score must be above least
	for i := range x.lists.Segments() {
		base, nodes, terms := x.lists.Segment(i)
		if !x.follow(scores, words, i, terms) {
			continue
		}
		for n, score := range scores[:min(nodes, segmentNodes)] {
			if score = min(1, score/of); score > least {
				if best = append(best, Match{base + uint32(n), score}); len(best) >= enough {
					best = sorted(best)[:top]
					least = best[top-1].Score
				}
			}
		}
		clear(scores)
		if len(best) > top {
			best = sorted(best)[:top]
			least = best[top-1].Score
		}
	}
	zeros.Put(all) // not if a damaged table made it panic
	return sorted(best)
}

// zeros holds scores of nodes that are all 0.
var zeros = sync.Pool{New: func() any { return new([segmentNodes]float64) }}

// follow adds what the lists of the words in a segment say to the scores. It reports whether there is such a list.
func (x *Index) follow(scores []float64, words []Word, segment int, terms []uint32) (found bool) {
	for _, w := range words {
		for _, t := range w.Terms {
			at, ok := slices.BinarySearch(terms, t)
			if !ok {
				continue
			}
			found = true
			for list := x.lists.List(segment, at); len(list) > 0; {
				count, nodes, rest := group(list)
				add := added(w.Weight, count)
				for _, n := range nodes {
					scores[n] += add
				}
				list = rest
			}
		}
	}
	return found
}

func sorted(m []Match) []Match {
	slices.SortFunc(m, func(a, b Match) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Node, b.Node)) })
	return m
}
