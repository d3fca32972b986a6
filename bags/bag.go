// Package bags turns what was said of a document into its bag: a set of (word, occurrence) elements of fixed size
// ([S3] section 3.1).
//
// Frequencies of terms are weighted by how rare the terms are among all bags, normalised to a common sum, and rounded
// to whole counts, so that a bag is a multiset of about Sum elements whatever the number of links behind it. Its
// flattened form, (w,1) … (w,f) for a word that counts f times, is an ordinary set: the Jaccard coefficient of two
// such sets is the sum of the smaller counts over the sum of the larger ones, which is Similarity, and what min-hash
// signatures estimate.
//
// Counting comes first, where the bags are put together, and sees every bag once; it yields a Dictionary of the terms
// that are neither too rare nor too common. Weighing (Weigher) is a pure function of one raw bag and the dictionary.
//
// The one rule: the terms of a bag are sorted, without repeats, and their counts are at least 1.
//
// [S3] is Haveliwala, Gionis, Indyk: Scalable Techniques for Clustering the Web, 2000; [S4] is Haveliwala, Gionis,
// Klein, Indyk: Evaluating Strategies for Similarity Search on the Web, 2002.
package bags

// Bag is a multiset of terms. Both slices have one entry a term.
type Bag struct {
	Terms  []uint32 // numbers of terms in the Dictionary, ascending
	Counts []uint16 // at least 1
}

// Len is the number of distinct terms.
func (b Bag) Len() int { return len(b.Terms) }

// Sum is the number of elements of the flattened bag.
func (b Bag) Sum() int {
	n := 0
	for _, c := range b.Counts {
		n += int(c)
	}
	return n
}

// Elements appends the flattened bag to dst: element(w,1) … element(w,f) for every term.
func (b Bag) Elements(dst []uint32, element func(term, occurrence uint32) uint32) []uint32 {
	for i, t := range b.Terms {
		for f := range uint32(b.Counts[i]) {
			dst = append(dst, element(t, f+1))
		}
	}
	return dst
}

// Overlap returns the sum of the smaller and of the larger counts over the terms of both bags.
func Overlap(a, b Bag) (smaller, larger int) {
	i, j := 0, 0
	for i < len(a.Terms) && j < len(b.Terms) {
		x, y := int(a.Counts[i]), int(b.Counts[j])
		switch {
		case a.Terms[i] < b.Terms[j]:
			larger += x
			i++
		case a.Terms[i] > b.Terms[j]:
			larger += y
			j++
		default:
			smaller, larger = smaller+min(x, y), larger+max(x, y)
			i, j = i+1, j+1
		}
	}
	for ; i < len(a.Terms); i++ {
		larger += int(a.Counts[i])
	}
	for ; j < len(b.Terms); j++ {
		larger += int(b.Counts[j])
	}
	return smaller, larger
}

// Similarity is the Jaccard coefficient of the flattened bags, from 0 to 1. An empty bag is similar to nothing.
func Similarity(a, b Bag) float64 {
	smaller, larger := Overlap(a, b)
	if larger == 0 {
		return 0
	}
	return float64(smaller) / float64(larger)
}
