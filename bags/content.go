package bags

import (
	"cmp"
	"slices"
)

// part returns the part of a bag's sum that goes to the content of a document. The content weighs as much as
// Content/(1+n) linking pages, where n is the number of pages that link to the document, in addition to the n pages and
// the title, which counts as one. So the part is Content/(Content+1) if no page links to the document, and falls with
// the square of n. part returns 0 for less than half a count.
func (w Weighting) part(pages uint64) float64 {
	n := 1 + float64(pages)/Unit
	part := w.Content / (w.Content + n*n)
	if part*float64(w.Sum) < 0.5 {
		return 0
	}
	return part
}

// mix adds the best terms of the content to w.share, whose weights sum to total, so that they make up the given part of
// the new total, which it returns. If a document has no other terms, its content is its bag.
func (w *Weigher) mix(content []Weighted, part, total float64) float64 {
	w.content, _ = w.weighed(w.content[:0], content, LogTF)
	w.content = w.best(w.content)
	sum := 0.0
	for _, s := range w.content {
		sum += s.weight
	}
	switch {
	case sum == 0:
		w.content = w.content[:0]
		return total
	case total > 0:
		scale := part / (1 - part) * total / sum
		for i := range w.content {
			w.content[i].weight *= scale
		}
	}
	return w.merge()
}

// best returns the heaviest terms of the content, in the order of the terms.
func (w *Weigher) best(all []share) []share {
	if len(all) <= w.how.ContentTerms {
		return all
	}
	slices.SortFunc(all, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.term, b.term))
	})
	all = all[:w.how.ContentTerms]
	slices.SortFunc(all, func(a, b share) int { return cmp.Compare(a.term, b.term) })
	return all
}

// merge adds w.content to w.share and returns the sum of the weights. Both are in the order of the terms.
func (w *Weigher) merge() (total float64) {
	merged := w.merged[:0]
	for i, j := 0, 0; i < len(w.share) || j < len(w.content); {
		var s share
		switch {
		case j == len(w.content) || i < len(w.share) && w.share[i].term < w.content[j].term:
			s = w.share[i]
			i++
		case i == len(w.share) || w.content[j].term < w.share[i].term:
			s = w.content[j]
			j++
		default:
			s = w.share[i]
			s.weight += w.content[j].weight
			i, j = i+1, j+1
		}
		total += s.weight
		merged = append(merged, s)
	}
	w.share, w.merged = merged, w.share
	return total
}
