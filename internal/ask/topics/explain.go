package topics

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/expand"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// Explanation says why two documents, a and b, are related in the topical view, or why not.
type Explanation struct {
	Similarity  float64  `json:"similarity" doc:"exact, of the bags: sum_min / sum_max" least:"0" most:"1" row:"true"`
	Cosine      float64  `json:"cosine" doc:"of the logarithms of the counts" least:"0" most:"1" row:"true"`
	Neighbours  float64  `json:"shared_neighbours" doc:"how alike the lists of the nearest neighbours of both are: their cosine" least:"0" most:"1" row:"true"`
	Relatedness float64  `json:"relatedness" doc:"similarity + 0.1 cosine + 0.2 shared_neighbours, which decides the order of related pages" row:"true"`
	Links       Field    `json:"link_words" doc:"of the words around the links to both"`
	Content     Field    `json:"content_words" doc:"of their own words"`
	SumMin      int      `json:"sum_min" doc:"sum of the smaller counts" row:"true"`
	SumMax      int      `json:"sum_max" doc:"sum of the larger counts" row:"true"`
	Terms       []Term   `json:"terms" doc:"of either bag, those with the largest shared count first"`
	AllTerms    int      `json:"all_terms" doc:"terms of either bag, listed or not"`
	Common      []string `json:"common_neighbours" doc:"URLs of neighbours of both, those first that add most to shared_neighbours, at most 10"`
	AllCommon   int      `json:"all_common_neighbours" doc:"documents with distinct bags that are neighbours of both, listed or not"`
	Signatures  int      `json:"signatures" doc:"of a bag" row:"true"`
	Agreeing    int      `json:"agreeing" doc:"signatures that are equal" row:"true"`
	Floor       float64  `json:"floor" doc:"smallest share of equal signatures of a stored pair"`
	Keys        int      `json:"keys" doc:"keys that are equal" row:"true"`
	AllKeys     int      `json:"all_keys" doc:"keys of a bag" row:"true"`
	EqualKeys   []Key    `json:"equal_keys"`
	Chance      float64  `json:"chance" doc:"probability that the index finds a pair of this similarity" least:"0" most:"1"`
	Found       bool     `json:"found" doc:"whether the run stores the pair" row:"true"`
	Why         string   `json:"why" doc:"the reason, in words" row:"true"`
	Together    bool     `json:"together" doc:"whether they are in one topical cluster" row:"true"`
}

// Term is a word of a field of either bag.
type Term struct {
	Word  string `json:"word"`
	Field By     `json:"field" doc:"whether it stands around links or in the content" enum:"links,content"`
	DF    int    `json:"df" doc:"bags that have it in this field"`
	A     int    `json:"a" doc:"count in the bag of a"`
	B     int    `json:"b" doc:"count in the bag of b"`
}

// Key is a key of a bag, made from some of its signatures.
type Key struct {
	Number     int   `json:"number"`
	Signatures []int `json:"signatures"`
}

// Explain says why two documents are related in the topical view, or why not.
func Explain(r *runs.Run, a, b uint32) *Explanation {
	x := &Explanation{
		Terms: []Term{}, Signatures: r.Config.Signatures, Floor: r.Config.Floor, AllKeys: r.Config.Keys, EqualKeys: []Key{}, Common: []string{},
		Together: CenterOf(r, a) == CenterOf(r, b),
	}
	compareBags(r, x, a, b)
	compareNeighbours(r, x, r.Nodes.Of(a), r.Nodes.Of(b))
	compareSignatures(r, x, r.Nodes.Of(a), r.Nodes.Of(b))
	x.Chance = lsh.Found(r.Config.Signatures, r.Config.KeySize, r.Config.Keys, r.Config.Floor, x.Similarity)
	x.Found, x.Why = why(r, x, a, b)
	return x
}

func compareBags(r *runs.Run, x *Explanation, a, b uint32) {
	bagA, bagB := r.Bags.At(a), r.Bags.At(b)
	x.Links, x.Content = fields(r, bagA, bagB)
	x.Cosine = bags.LogCosine(bagA, bagB)
	x.SumMin, x.SumMax = x.Links.SumMin+x.Content.SumMin, x.Links.SumMax+x.Content.SumMax
	eachTerm(bagA, bagB, func(t uint32, a, b int) {
		field := ByLinks
		if t >= r.Content {
			field = ByContent
		}
		x.Terms = append(x.Terms, Term{r.Terms.Word(t), field, int(r.Terms.DF(t)), a, b})
	})
	slices.SortStableFunc(x.Terms, func(s, t Term) int {
		return cmp.Or(cmp.Compare(min(t.A, t.B), min(s.A, s.B)), cmp.Compare(max(t.A, t.B), max(s.A, s.B)))
	})
	x.AllTerms = len(x.Terms)
	if x.SumMax > 0 {
		x.Similarity = float64(x.SumMin) / float64(x.SumMax)
	}
}

// mostCommon is the number of common neighbours that an explanation names.
const mostCommon = 10

func compareNeighbours(r *runs.Run, x *Explanation, a, b uint32) {
	if a != tables.None && b != tables.None {
		shared, both := expand.Common(&storedLists{run: r}, a, b)
		x.Neighbours, x.AllCommon = shared, len(both)
		for _, n := range both[:min(len(both), mostCommon)] {
			x.Common = append(x.Common, r.Docs.URL(r.Nodes.First(n)))
		}
	}
	x.Relatedness = float64(relatedness(float32(x.Similarity), x.Cosine, x.Neighbours))
}

func compareSignatures(r *runs.Run, x *Explanation, a, b uint32) {
	if a == tables.None || b == tables.None {
		return
	}
	family := minhash.NewFamily(r.Config.Signatures, r.Config.Seed)
	rowA, rowB := family.Signature(bagOf(r, a)), family.Signature(bagOf(r, b))
	x.Agreeing = minhash.Agreement(rowA, rowB)
	agree := minhash.Mask(rowA, rowB)
	for j, subset := range r.Index.Subsets {
		k := Key{Number: j}
		for _, s := range subset {
			if agree.Has(int(s)) {
				k.Signatures = append(k.Signatures, int(s))
			}
		}
		if len(k.Signatures) == len(subset) {
			x.EqualKeys = append(x.EqualKeys, k)
		}
	}
	x.Keys = len(x.EqualKeys)
}

// why reports whether the pair of two documents is in the run, with the reason.
func why(r *runs.Run, x *Explanation, idA, idB uint32) (bool, string) {
	a, b := r.Nodes.Of(idA), r.Nodes.Of(idB)
	switch {
	case idA == idB:
		return true, "both are the same document"
	case a == tables.None || b == tables.None:
		return false, "a bag is empty: no link to the document, and no word of its own, has a term of the run"
	case a == b:
		return true, "their bags are identical"
	}
	switch _, stored := r.Pairs.Find(a, b); {
	case stored && x.Keys == 0:
		return true, fmt.Sprintf("no key in common, but expansion met the pair: %d of %d signatures agree", x.Agreeing, x.Signatures)
	case stored:
		return true, fmt.Sprintf("they collide in %d of %d keys, and %d of %d signatures agree", x.Keys, x.AllKeys, x.Agreeing, x.Signatures)
	}
	if r.Config.Neighbours > 0 {
		return false, whyNotNearest(r, x, a, b)
	}
	if x.Similarity < r.Config.Similarity && x.Keys > 0 && !belowFloor(x) {
		return false, fmt.Sprintf("candidates in %d keys, but only pairs with a similarity of %.3g or more are stored", x.Keys, r.Config.Similarity)
	}
	return false, whyNoCandidate(r, x)
}

// belowFloor reports whether too few signatures agree for a candidate.
func belowFloor(x *Explanation) bool {
	return float64(x.Agreeing)/float64(max(1, x.Signatures)) < x.Floor
}

// whyNoCandidate says why the index did not find a pair.
func whyNoCandidate(r *runs.Run, x *Explanation) string {
	switch {
	case x.Keys == 0:
		return fmt.Sprintf("no key in common (%d of %d signatures agree; a pair as similar as this is found with probability %.3f)", x.Agreeing,
			x.Signatures, x.Chance)
	case belowFloor(x):
		return fmt.Sprintf("candidates in %d keys, but only %d of %d signatures agree and the floor is %.3g", x.Keys, x.Agreeing, x.Signatures, x.Floor)
	}
	return fmt.Sprintf("they collide only in buckets of more than %d nodes, where not every pair is formed", r.Config.MaxBucket)
}

// whyNotNearest says why a run that stores the nearest neighbours lacks a pair of nodes.
func whyNotNearest(r *runs.Run, x *Explanation, a, b uint32) string {
	c := r.Config
	switch {
	case x.Similarity < c.Similarity:
		return fmt.Sprintf("only pairs with a similarity of %.3g or more are stored", c.Similarity)
	case crowded(r, a, b, x.Similarity) && crowded(r, b, a, x.Similarity):
		apart := ""
		if c.Apart > 0 {
			apart = fmt.Sprintf(" and the %d nearest that no page lists together with it", c.Apart)
		}
		return fmt.Sprintf("keys in common: %d, but the run stores the %d nearest of a document%s, and both have nearer ones", x.Keys, c.Neighbours, apart)
	}
	why := whyNoCandidate(r, x)
	if x.Keys > 0 && !belowFloor(x) {
		why = fmt.Sprintf("candidates in %d keys, but only in buckets of more than %d nodes, where not every pair is formed, or behind others that agree in more signatures, which are compared first",
			x.Keys, c.MaxBucket)
	}
	if c.Rounds > 0 {
		why += "; expansion did not add the pair either"
	}
	return why
}

// crowded reports whether a node has no place for a neighbour of this similarity: the run stores Config.Neighbours
// that are at least as near and, if no page links to both nodes, Config.Apart of these to which no page links
// together with the node.
func crowded(r *runs.Run, node, other uint32, similarity float64) bool {
	c, less := r.Config, func(e center.Edge) bool { return e.Similarity < float32(similarity) }
	near := slices.DeleteFunc(r.Pairs.Neighbours(node), less)
	if len(near) < c.Neighbours || c.Apart == 0 || linkedTogether(r, node, other) {
		return len(near) >= c.Neighbours
	}
	apart := slices.DeleteFunc(near, func(e center.Edge) bool { return linkedTogether(r, node, e.To) })
	return len(apart) >= c.Apart
}

// linkedTogether reports whether a page links to the first documents of both nodes.
func linkedTogether(r *runs.Run, a, b uint32) bool {
	return Together(r, r.Nodes.First(a), r.Nodes.First(b)) > 0
}
