package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/eval"
)

// figureMeanings explains the figures of an evaluation, in the words of the tables.
var figureMeanings = [][2]string{
	{"target, query", "A target is a URL of the gold. Each target is a query in turn. Its neighbours are other targets, because other pages have no category."},
	{"coverage", "Share of the queries that have a neighbour at all."},
	{"same category", "Share of the queries whose nearest target shares the first 1, 2, 3 levels of a category path with the query. Of all queries: a query without a neighbour counts as wrong."},
	{"by chance", "What a random neighbour among the other targets would give; for clusters, what clusters of the same sizes with random members would give."},
	{"gamma", "How often is the target in the nearer of two categories ranked first? 1: always, 0: as often as by chance. The category of the other target differs from that of the query in the last level (sibling), the last two (cousin) or the last three (unrelated). Pairs ordered: share of these pairs of which the list ranks one before the other."},
	{"B-cubed", "Precision: how much of a target's cluster is in its category. Recall: how much of its category is in its cluster. F: their harmonic mean."},
	{"adjusted", "Rand index and mutual information (MI): 0 by chance, 1 at best."},
}

// explainFigures prints explanations of the figures below the tables of an evaluation.
func explainFigures(w io.Writer, e *eval.Evaluation) {
	fmt.Fprintln(w, "\nwhat the figures mean")
	more := figureMeanings
	if len(e.Related) > 1 {
		more = append(more[:len(more):len(more)], [2]string{pairKinds[1], "Without the pairs that one page links to together. Pages in one list share the words around their links, which makes them easy to find."})
	}
	if f := e.Related[0].Coverage; f.Queries != nil || f.Lists != nil {
		more = append(more[:len(more):len(more)], [2]string{"[low high]", "95 % interval. It resamples whole lists, because the targets under the same first two levels (a list) were chosen together."})
	}
	if e.Tree != nil && len(e.Tree.Levels) > 1 {
		more = append(more[:len(more):len(more)], treeMeaning)
	}
	for _, m := range more {
		name := m[0]
		for _, l := range wrapped(m[1], min(width(), 79)-24) {
			fmt.Fprintf(w, "  %-22s%s\n", name, l)
			name = ""
		}
	}
}

// wrapped breaks text between words into lines of at most n characters.
func wrapped(text string, n int) (lines []string) {
	at := ""
	for _, word := range strings.Fields(text) {
		if at != "" && len(at)+1+len(word) > n {
			lines, at = append(lines, at), ""
		}
		if at != "" {
			at += " "
		}
		at += word
	}
	return append(lines, at)
}
