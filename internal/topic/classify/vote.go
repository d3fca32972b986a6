package classify

import "slices"

// K is the number of examples that vote. On the directory set, 20 were right at level 2 for .654 of gold.tsv, 10 for
// .646, 5 for .622 and the nearest alone for .597; 40 were not better.
const K = 20

// chance is the factor of the votes to subtract that the size of a category would bring by chance. Without co-linked
// pairs, 0, 1/2, 1 and 2 were right at level 2 of gold.tsv for .518, .527, .519 and .468; averaged over the categories
// of level 1, instead of the documents, for .561, .581, .601 and .560.
const chance = 0.5

// Neighbour is an example near a document.
type Neighbour struct {
	Example    int32
	Similarity float64
	Together   bool // some page links to the document and the example
}

// Level is what the neighbours say about one level of the answer.
type Level struct {
	Category   int32   // node of the tree; see Examples.Path
	Share      float64 // of the votes, 0 to 1
	Confidence float64 // probability that the category is right, 0 unless calibrated; at most that of the level above
}

// Vote returns the path that the first K neighbours vote for. It ends where no neighbour has a deeper category. Vote
// breaks ties in favour of the category whose name comes first.
func (e *Examples) Vote(near []Neighbour) []Level {
	near = near[:min(len(near), K)]
	votes, total := map[int32]float64{}, 0.0
	for _, n := range near {
		w := n.Similarity * n.Similarity
		total += w
		for _, c := range e.of[n.Example] {
			votes[c] += w
		}
	}
	var path []Level
	for at := int32(0); total > 0; {
		best, most := int32(0), 0.0
		for c, v := range votes {
			if e.nodes[c].parent != at {
				continue
			}
			v -= chance * total * float64(e.nodes[c].examples) / float64(len(e.of))
			if best == 0 || v > most || v == most && c < best {
				best, most = c, v
			}
		}
		if best == 0 {
			break
		}
		path = append(path, Level{Category: best, Share: votes[best] / total})
		at = best
	}
	return path
}

// together reports whether a page links to the document and one of the examples that vote.
func together(near []Neighbour) bool {
	return slices.ContainsFunc(near[:min(len(near), K)], func(n Neighbour) bool { return n.Together })
}
