// Package classify gives a document the category that the nearest labelled documents vote for, with the probability
// that it is right: classes from examples, which [S3] names as future work. An inverted.Index of their bags finds the
// nearest.
//
// The categories form a tree: a label is a path of categories, the broadest first, and a document may have several. In
// [Examples.Vote], each of the K nearest examples votes for all categories on its paths with the square of its
// similarity. The path begins at the root of the tree and goes on to the child with the most votes, after subtracting
// half of the votes that the size of the child would bring by chance, so that a large category does not win by its
// size. The share of the votes for a category orders the answers of all documents by how often they are right;
// [Examples.Calibrate] turns it into a probability. [Model.Answer] gives both, and [Answer.Cut] shortens the path to
// the levels that are certain enough.
//
// Neighbours must be sorted by descending similarity, then by the number of the example, and the numbers of the
// examples must not depend on the order of the labels. Then equal examples give equal answers.
//
// [S3] is Haveliwala, Gionis, Indyk: Scalable Techniques for Clustering the Web, 2000.
package classify

import (
	"slices"
)

// Examples are labelled documents, numbered from 0, with the tree of their categories.
type Examples struct {
	nodes []category
	of    [][]int32 // categories of each example, on all levels, ascending
	depth int
}

// category is a node of the tree. Node 0 is the root. The nodes are in the order of their paths.
type category struct {
	parent, level int32
	name          string
	examples      int // number of examples in the category
}

// NewExamples makes the tree of the categories. paths[i] are the paths of example i; NewExamples drops levels below
// depth.
func NewExamples(paths [][][]string, depth int) *Examples {
	var all [][]string
	for _, some := range paths {
		for _, p := range some {
			all = append(all, p[:min(len(p), depth)])
		}
	}
	slices.SortFunc(all, slices.Compare)
	e := &Examples{nodes: make([]category, 1), of: make([][]int32, len(paths)), depth: depth}
	numbers := map[category]int32{}
	for _, p := range all {
		e.eachOn(p, func(key category) int32 {
			n, ok := numbers[key]
			if !ok {
				n = int32(len(e.nodes))
				numbers[key] = n
				e.nodes = append(e.nodes, key)
			}
			return n
		})
	}
	for i, some := range paths {
		for _, p := range some {
			e.eachOn(p, func(key category) int32 {
				e.of[i] = append(e.of[i], numbers[key])
				return numbers[key]
			})
		}
		slices.Sort(e.of[i])
		e.of[i] = slices.Compact(e.of[i])
		for _, c := range e.of[i] {
			e.nodes[c].examples++
		}
	}
	return e
}

// eachOn calls number for every category on a path, the broadest first; number returns the number of the node.
func (e *Examples) eachOn(path []string, number func(key category) int32) {
	at := int32(0)
	for level, name := range path[:min(len(path), e.depth)] {
		at = number(category{parent: at, level: int32(level + 1), name: name})
	}
}

// Path returns the names of the categories from the broadest to the given one.
func (e *Examples) Path(c int32) []string {
	out := make([]string, e.nodes[c].level)
	for ; c != 0; c = e.nodes[c].parent {
		out[e.nodes[c].level-1] = e.nodes[c].name
	}
	return out
}

// Paths returns the paths of an example, without those that are the beginning of another, in the order of their names.
func (e *Examples) Paths(i int32) [][]string {
	var out [][]string
	for _, c := range e.of[i] {
		if !slices.ContainsFunc(e.of[i], func(x int32) bool { return e.nodes[x].parent == c }) {
			out = append(out, e.Path(c))
		}
	}
	slices.SortFunc(out, slices.Compare)
	return out
}

// holds reports whether an example is in a category.
func (e *Examples) holds(i int, c int32) bool {
	_, ok := slices.BinarySearch(e.of[i], c)
	return ok
}
