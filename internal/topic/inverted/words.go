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
	Terms  []uint32 // its terms, distinct: around links and in contents, and for each language in which it has its own stem
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
		count := uint32(0)
		for _, t := range w.Terms {
			if i, ok := slices.BinarySearch(bag.Terms, t); ok {
				count += uint32(bag.Counts[i])
			}
		}
		score += added(w.Weight, count)
	}
	return min(1, score/total(words))
}

// added returns what a count of a word adds to the score before division by the total weight.
func added(weight float64, count uint32) float64 {
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
// the bag, the sum of those of its terms. This is BM25 (Robertson, Walker: Some Simple Effective Approximations to the
// 2-Poisson Model, 1994) without its correction for long documents, since a field of a bag has the same sum however long
// the texts are that it was made from. The Jaccard coefficient with a bag of the words alone would prefer pages about which the
// web says little else.
func (x *Index) Matches(words []Word, top int) []Match {
	of := total(words)
	if top <= 0 || !(of > 0) {
		return nil
	}
	var best []Match
	enough := 2 * max(top, 500) // so many matches are sorted at a time
	t := tallies.Get().(*tally)
	least := Match{Node: math.MaxUint32} // to be among the best, a match must come before least
	for i := range x.lists.Segments() {
		base, nodes, terms := x.lists.Segment(i)
		x.follow(t, words, i, nodes, terms)
		for _, n := range t.met {
			m := Match{base + uint32(n), min(1, t.scores[n]/of)}
			t.scores[n] = 0
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
	tallies.Put(t) // not if a damaged table caused a panic
	return sorted(best)
}

// tally holds the scores of the nodes of a segment.
type tally struct {
	scores [segmentNodes]float64 // 0 between segments
	counts [segmentNodes]uint32  // of one word; 0 between words
	met    []uint16              // the nodes with a score, each once
	held   []uint16              // the nodes with a count, each once
	nodes  []uint16              // of one group
}

var tallies = sync.Pool{New: func() any { return &tally{} }}

// follow adds up the scores of the nodes in the lists of the words in a segment. So the time of a search depends on the
// lengths of these lists, not on the number of nodes.
func (x *Index) follow(t *tally, words []Word, segment, nodes int, terms []uint32) {
	t.met = t.met[:0]
	for _, w := range words {
		t.held = t.held[:0]
		for _, term := range w.Terms {
			if at, ok := slices.BinarySearch(terms, term); ok {
				t.count(read(x.lists.List(segment, at), nodes))
			}
		}
		for _, n := range t.held {
			if t.scores[n] == 0 {
				t.met = append(t.met, n)
			}
			t.scores[n] += added(w.Weight, t.counts[n])
			t.counts[n] = 0
		}
	}
}

// count adds the counts of a list.
func (t *tally) count(l list) {
	for l.count > 0 {
		count := uint32(l.count)
		t.nodes = l.group(t.nodes)
		for _, n := range t.nodes {
			if t.counts[n] == 0 {
				t.held = append(t.held, n)
			}
			t.counts[n] += count
		}
	}
}

// better orders matches by descending score and then by their nodes.
func better(a, b Match) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Node, b.Node))
}

func sorted(m []Match) []Match {
	slices.SortFunc(m, better)
	return m
}
