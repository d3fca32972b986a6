package expand

import (
	"cmp"
	"math"
	"slices"

	"github.com/lshclust/lshclust/internal/sets"
)

// Reach says how far the near neighbours of a node reach. Their vector has their similarities, and a similarity of own for
// the node itself. How alike the vectors of two nodes are says more than their similarity alone: both may be similar to the
// same nodes, though they have little in common (Jarvis, Patrick: Clustering Using a Similarity Measure Based on Shared Near
// Neighbors, 1973).
type Reach struct {
	Last   uint64  // Key of the last near neighbour, or a greater number
	Length float32 // of the vector
}

// own is about as large as the similarity of a near neighbour.
const own = .2

// ReachOf returns the Reach of a node with some neighbours, of which the width most similar are near (at least 1).
func ReachOf(neighbours []Neighbour, width int) Reach {
	r := Reach{Last: math.MaxUint64}
	if len(neighbours) > width {
		keys := make([]uint64, len(neighbours))
		for i, n := range neighbours {
			keys[i] = Key(n.Node, n.Similarity)
		}
		sets.Lowest(keys, width)
		r.Last = slices.Max(keys[:width])
	}
	sum := product(own, own)
	for _, n := range neighbours {
		if r.has(n.Node, n.Similarity) {
			sum += product(n.Similarity, n.Similarity)
		}
	}
	r.Length = float32(math.Sqrt(float64(sum) / product1))
	return r
}

// has reports whether a neighbour is near.
func (r Reach) has(node uint32, similarity float32) bool { return Key(node, similarity) <= r.Last }

// vector returns the near neighbours of a node, and the node itself with a similarity of own, in order of their numbers.
func vector(l Lists, node uint32) []Neighbour {
	reach := l.Reach(node)
	v := slices.DeleteFunc(l.Of(nil, node), func(n Neighbour) bool { return !reach.has(n.Node, n.Similarity) })
	v = append(v, Neighbour{node, own})
	slices.SortFunc(v, byNode)
	return v
}

func byNode(a, b Neighbour) int { return cmp.Compare(a.Node, b.Node) }

// Common returns what Met.Shared is for two nodes, and the near neighbours of both, those first that contribute most.
func Common(l Lists, a, b uint32) (shared float64, both []uint32) {
	of := map[uint32]uint64{}
	sum, other := uint64(0), vector(l, b)
	for _, n := range vector(l, a) {
		if i, ok := slices.BinarySearchFunc(other, n, byNode); ok {
			of[n.Node] = product(n.Similarity, other[i].Similarity)
			sum += of[n.Node]
			if n.Node != a && n.Node != b {
				both = append(both, n.Node)
			}
		}
	}
	slices.SortStableFunc(both, func(m, n uint32) int { return cmp.Compare(of[n], of[m]) })
	return cosine(sum, l.Reach(a), l.Reach(b)), both
}

// cosine returns the cosine of two vectors with a sum of products.
func cosine(sum uint64, a, b Reach) float64 {
	return min(1, float64(sum)/product1/(float64(a.Length)*float64(b.Length)))
}

// product returns the product of two similarities as a multiple of 1/product1, so that a sum does not depend on the order of
// its terms.
func product(a, b float32) uint64 {
	return uint64(float64(a)*(1<<24)) * uint64(float64(b)*(1<<24))
}

const product1 = 1 << 48
