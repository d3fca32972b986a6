// Package bags turns the weighted terms of a document into its bag: a multiset of words of fixed size ([S3] section
// 3.1).
//
// A [Weigher] weights the frequencies of terms by how rare the terms are among all bags, scales them, and rounds them
// to whole counts, so that the sum of the counts does not depend on the number of links that a bag was made from. The
// flattened form of a bag, (w,1) … (w,f) for a word w with count f, is an ordinary set. The Jaccard coefficient of two
// flattened bags is the sum of the smaller counts divided by the sum of the larger ones. [Similarity] returns it, and
// min-hash signatures estimate it.
//
// A bag has two fields: the words around the links to a document, and the words of its own content. Each is scaled to
// [Weighting].Sum by itself, and may be empty. Since their terms differ, the similarity of two bags is the mean of the
// similarity of their links and that of their contents, each weighed by the sum of its larger counts; see [Bag.Split].
//
// Before any bag can be weighed, the caller counts the document frequencies of all terms and makes the [Dictionary] of
// the terms that are neither too rare nor too common. Weighing is a pure function of one raw bag, a list of [Weighted]
// terms, and the dictionary.
//
// The terms of a bag are sorted and distinct, and their counts are at least 1; callers must keep them so.
//
// [S3] is Haveliwala, Gionis, Indyk: Scalable Techniques for Clustering the Web, 2000; [S4] is Haveliwala, Gionis,
// Klein, Indyk: Evaluating Strategies for Similarity Search on the Web, 2002.
package bags

import (
	"math"
	"slices"
)

// Bag is a multiset of terms. Both slices have one entry for each term.
type Bag struct {
	Terms  []uint32 // numbers of terms in the Dictionary, ascending
	Counts []uint16 // at least 1
}

// Len returns the number of distinct terms.
func (b Bag) Len() int { return len(b.Terms) }

// Sum returns the number of elements of the flattened bag.
func (b Bag) Sum() int {
	n := 0
	for _, c := range b.Counts {
		n += int(c)
	}
	return n
}

// Split divides a bag into its terms of links and those of content, given the number of the first term of content.
func (b Bag) Split(content uint32) (links, own Bag) {
	i, _ := slices.BinarySearch(b.Terms, content)
	return Bag{b.Terms[:i], b.Counts[:i]}, Bag{b.Terms[i:], b.Counts[i:]}
}

// Elements appends the flattened bag to dst: element(w,1) … element(w,f) for each term w that counts f times.
func (b Bag) Elements(dst []uint32, element func(term, occurrence uint32) uint32) []uint32 {
	for i, t := range b.Terms {
		for f := range uint32(b.Counts[i]) {
			dst = append(dst, element(t, f+1))
		}
	}
	return dst
}

// Overlap returns the sum of the smaller and the sum of the larger counts of the terms of both bags. Its loop has no
// branch that depends on the terms, since a processor would mispredict every other one.
func Overlap(a, b Bag) (smaller, larger int) {
	s, t := a.Terms, b.Terms
	c, d := a.Counts[:len(s)], b.Counts[:len(t)]
	for i, j := 0, 0; i < len(s) && j < len(t); {
		x, y := s[i], t[j]
		least, stepS, stepT := int(min(c[i], d[j])), 0, 0
		if x <= y {
			stepS = 1
		}
		if x >= y {
			stepT = 1
		}
		smaller += least & -(stepS & stepT)
		i, j = i+stepS, j+stepT
	}
	return smaller, a.Sum() + b.Sum() - smaller
}

// Similarity returns the Jaccard coefficient of the flattened bags, from 0 to 1. An empty bag has similarity 0 to every
// bag.
func Similarity(a, b Bag) float64 {
	smaller, larger := Overlap(a, b)
	if larger == 0 {
		return 0
	}
	return float64(smaller) / float64(larger)
}

// LogCosine returns the cosine of two bags as vectors of log(1+count), from 0 to 1. Terms with small counts matter more to it
// than to [Similarity]. An empty bag has the cosine 0 to every bag.
func LogCosine(a, b Bag) float64 {
	s, t := a.Terms, b.Terms
	c, d := a.Counts[:len(s)], b.Counts[:len(t)]
	common := uint64(0)
	for i, j := 0, 0; i < len(s) && j < len(t); {
		x, y := s[i], t[j]
		if x == y {
			common += logOf(c[i]) * logOf(d[j])
		}
		if x <= y {
			i++
		}
		if x >= y {
			j++
		}
	}
	return cosine(common, squares(c), squares(d))
}

// cosine returns the cosine of two vectors, given their inner product and the squares of their lengths.
func cosine(common, a, b uint64) float64 {
	if common == 0 {
		return 0
	}
	return min(1, float64(common)/math.Sqrt(float64(a)*float64(b)))
}

func squares(counts []uint16) (sum uint64) {
	for _, n := range counts {
		sum += logOf(n) * logOf(n)
	}
	return sum
}

// logOf returns log(1+n) as a multiple of 1/1024, so that a sum does not depend on the order of its terms.
func logOf(n uint16) uint64 {
	if int(n) < len(logs) {
		return logs[n]
	}
	return uint64(math.Round(1024 * math.Log1p(float64(n))))
}

var logs = func() (t [256]uint64) {
	for i := range t {
		t[i] = uint64(math.Round(1024 * math.Log1p(float64(i))))
	}
	return t
}()
