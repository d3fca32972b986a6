package eval

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/lshclust/lshclust/eval/score"
	"golang.org/x/sync/errgroup"
)

// vector is a sparse vector over the dimensions of an inverted index. Its dimensions are in ascending order and its
// weights are positive.
type vector struct {
	dims    []uint32
	weights []float64
}

// add appends a dimension, which must be greater than all others.
func (v *vector) add(dim uint32, weight float64) {
	v.dims, v.weights = append(v.dims, dim), append(v.weights, weight)
}

// norm returns the Euclidean length of the vector.
func (v vector) norm() float64 {
	sum := 0.0
	for _, w := range v.weights {
		sum += w * w
	}
	return math.Sqrt(sum)
}

// sum returns the sum of the weights.
func (v vector) sum() float64 {
	sum := 0.0
	for _, w := range v.weights {
		sum += w
	}
	return sum
}

// normalise makes the length of every vector 1, so that the dot product of two vectors is their cosine.
func normalise(vectors []vector) {
	for _, v := range vectors {
		n := v.norm()
		for i := range v.weights {
			v.weights[i] /= n
		}
	}
}

// posting is the weight of a dimension in the vector of a target.
type posting struct {
	target int32
	weight float64
}

// measure compares two vectors dimension by dimension. add raises the scores of the targets in one posting list; all of
// them have a dimension that weighs w in the query. finish turns the score of a pair into its similarity.
type measure struct {
	add    func(scores []float64, list []posting, w float64)
	finish func(query, target int32, score float64) float64 // nil: the score is the similarity
}

// dot is the dot product.
var dot = measure{add: func(scores []float64, list []posting, w float64) {
	for _, p := range list {
		scores[p.target] += float64(w * p.weight) // the conversion forces rounding on machines with fused multiply-add
	}
}}

// jaccard is the weighted Jaccard coefficient: the sum of the smaller weights over the sum of the larger weights.
func jaccard(vectors []vector) measure {
	sums := make([]float64, len(vectors))
	for i, v := range vectors {
		sums[i] = v.sum()
	}
	return measure{
		add: func(scores []float64, list []posting, w float64) {
			for _, p := range list {
				scores[p.target] += min(w, p.weight)
			}
		},
		finish: func(q, t int32, smaller float64) float64 { return smaller / (sums[q] + sums[t] - smaller) },
	}
}

// inverted compares all vectors with one another by means of posting lists, which hold the targets that have a
// dimension. Vectors without a common dimension are never compared. The cost is the sum of the squares of the lengths
// of the lists.
type inverted struct {
	vectors  []vector
	postings [][]posting
	rank     []int32 // order of the targets at equal similarity; nil: by number
}

func newInverted(vectors []vector) *inverted {
	dims := 0
	for _, v := range vectors {
		if n := len(v.dims); n > 0 {
			dims = max(dims, int(v.dims[n-1])+1)
		}
	}
	x := &inverted{vectors: vectors, postings: make([][]posting, dims)}
	for t, v := range vectors {
		for i, d := range v.dims {
			x.postings[d] = append(x.postings[d], posting{int32(t), v.weights[i]})
		}
	}
	return x
}

// cut limits the lists of a ranking: a list ends after the neighbour that is number most of those that are not
// co-linked with the target. Therefore a list without its co-linked pairs is cut at most too, and not at a length that
// depends on the target, and a target has a neighbour in its cut list if it has one at all.
type cut struct {
	most int // 0: lists are whole
	co   score.CoLinks
}

// lists returns for every target all others in descending order of similarity, without those of similarity 0. The sums
// are computed in the order of the dimensions, so they are the same for any number of workers, and for both targets of
// a pair.
func (x *inverted) lists(ctx context.Context, how measure, c cut, workers int) ([][]score.Neighbour, error) {
	lists := make([][]score.Neighbour, len(x.vectors))
	workers = max(1, workers)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			one := scorer{inverted: x, how: how, cut: c, scores: make([]float64, len(x.vectors))}
			for q := w; q < len(lists); q += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				lists[q] = one.list(int32(q))
			}
			return nil
		})
	}
	return lists, g.Wait()
}

// scorer is one worker of lists.
type scorer struct {
	*inverted
	how    measure
	cut    cut
	scores []float64
	near   []score.Neighbour
}

// list returns the neighbours of a target.
func (s *scorer) list(q int32) []score.Neighbour {
	clear(s.scores)
	v := s.vectors[q]
	for i, d := range v.dims {
		s.how.add(s.scores, s.postings[d], v.weights[i])
	}
	s.near = s.near[:0]
	for t, value := range s.scores {
		if int32(t) == q || value == 0 {
			continue
		}
		if s.how.finish != nil {
			value = s.how.finish(q, int32(t), value)
		}
		s.near = append(s.near, score.Neighbour{Target: int32(t), Similarity: value})
	}
	if s.cut.most == 1 {
		s.near = s.upToNearest(q, s.near)
	}
	slices.SortFunc(s.near, s.compare)
	return slices.Clone(s.near[:s.cut.length(q, s.near)])
}

// upToNearest removes everything after the nearest neighbour that is not co-linked with the target, so that the rest
// can be sorted quickly. The list must be sorted by target.
func (s *scorer) upToNearest(q int32, list []score.Neighbour) []score.Neighbour {
	var together []int32 // those that have not been passed yet
	if s.cut.co != nil {
		together = s.cut.co[q]
	}
	nearest := -1
	for i, n := range list {
		for len(together) > 0 && together[0] < n.Target {
			together = together[1:]
		}
		if len(together) > 0 && together[0] == n.Target {
			continue
		}
		if nearest < 0 || s.compare(n, list[nearest]) < 0 {
			nearest = i
		}
	}
	if nearest < 0 {
		return list
	}
	last, kept := list[nearest], list[:0]
	for _, n := range list {
		if s.compare(n, last) <= 0 {
			kept = append(kept, n)
		}
	}
	return kept
}

// compare orders neighbours by descending similarity.
func (s *scorer) compare(a, b score.Neighbour) int {
	if a.Similarity != b.Similarity {
		return cmp.Compare(b.Similarity, a.Similarity)
	}
	if s.rank != nil {
		return cmp.Compare(s.rank[a.Target], s.rank[b.Target])
	}
	return cmp.Compare(a.Target, b.Target)
}

// length returns how much of a list is kept.
func (c cut) length(q int32, list []score.Neighbour) int {
	if c.most <= 0 || len(list) <= c.most {
		return len(list)
	}
	if c.co == nil {
		return c.most
	}
	apart := 0
	for i, n := range list {
		if _, together := slices.BinarySearch(c.co[q], n.Target); !together {
			if apart++; apart == c.most {
				return i + 1
			}
		}
	}
	return len(list)
}
