package main

import (
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/internal/query"
)

// certainty puts into words how certain the answer to a query is, in a run whose shingles have w words.
func certainty(s query.Certainty, w int) string {
	var out []string
	switch {
	case s.Shingles == 0 && s.Sketches != "":
		return fmt.Sprintf("its sketch %s is empty: nothing can be found by it", s.Sketches)
	case s.Shingles == 0:
		return "the document has no words, so that nothing can be found"
	case s.Shingles == 1 && s.Sketches == "":
		out = append(out, fmt.Sprintf("the document is a single shingle: if it has fewer than %d words, it is found only in pages that say nothing else; a run with fewer words a shingle (--set shingle=N) finds such texts", w))
	}
	switch {
	case s.Sketches != "":
		out = append(out, fmt.Sprintf("%d of its shingles are in its sketch %s; figures are estimates; every sample of every page was searched: no page that shares one was missed, and one that shares none is not found", s.Shingles, s.Sketches))
	case s.Exact():
		out = append(out, "the index holds every shingle of every page: no page that shares one was missed")
	case s.Modulus == 1:
		out = append(out, "the index holds every shingle of every page")
	default:
		out = append(out, fmt.Sprintf("the index holds one shingle in %d of long pages, and %d of this document's: a long page with all of this text %s, one with half of it with probability %.2f, one with a fifth with %.2f",
			s.Modulus, s.LookedUp, ofWhole(s), s.Probability(0.5), s.Probability(0.2)))
	}
	if s.Compared < s.Candidates {
		out = append(out, fmt.Sprintf("%d pages share a shingle with it; only the %d of them that seem to share most were compared", s.Candidates, s.Compared))
	}
	return strings.Join(out, "; ")
}

// duplicateProbability puts into words how certain the list of duplicates of a page is, in a run with this threshold.
func duplicateProbability(p, threshold float64) string {
	if p == 0 {
		return "it may not have been compared with any other page: it is too short, its shingles are in too many pages (max_common), or the index does not tell in how many they are (index_modulus); pages that equal it are listed"
	}
	return fmt.Sprintf("a page with a resemblance of %g is found with a probability of at least %.3f, if the shingles that the two share are like a random choice", threshold, p)
}

// ofWhole tells with which probability a long page that has all of the document is found.
func ofWhole(s query.Certainty) string {
	if p := s.Probability(1); p < 1 {
		return fmt.Sprintf("is found with probability %.2f", p)
	}
	return "is found for certain"
}
