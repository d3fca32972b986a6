package main

import (
	"fmt"
	"io"

	"github.com/lshclust/lshclust/eval"
)

// treeTable prints the B-cubed figures of each level of the tree against each level of the gold, with the best F marked,
// and the dendrogram purity of the tree.
func treeTable(w io.Writer, e *eval.Evaluation, levels int) {
	if e.Tree == nil || len(e.Tree.Levels) < 2 {
		return
	}
	fmt.Fprintln(w, "\ntree of the clusters by level, level 0 being the clusters of the run: B-cubed\nfigures (* the best F of a level of the gold)")
	fmt.Fprintf(w, "  %4s %9s %8s %7s %5s %9s %6s %6s %9s\n", "tree", "threshold", "clusters", "largest", "gold", "precision", "recall", "F", "by chance")
	for i, p := range e.Tree.Levels {
		head := fmt.Sprintf("  %4d %9g %8d %7d", i, p.Threshold, p.Scores.Clusters, p.Scores.Largest)
		for k, l := range p.Scores.Levels[:levels] {
			star := " "
			if eval.Best(e.Tree.Levels, k+1) == i {
				star = "*"
			}
			fmt.Fprintf(w, "%s %5d %9s %6s %5s%s %9s\n", head, k+1, bare(l.BCubed.Precision), bare(l.BCubed.Recall), bare(l.BCubed.F), star, bare(l.BCubed.ChanceF))
			head = fmt.Sprintf("%*s", len(head), "")
		}
	}
	fmt.Fprintln(w, "\ntree as a whole: dendrogram purity")
	levelTable(w, "", levels, []levelRow{
		{"tree", func(k int) string { return bare(e.Tree.Whole[k].Purity) }},
		{"  by chance", func(k int) string { return bare(e.Tree.Whole[k].Chance) }},
		{"its lowest level", func(k int) string { return bare(e.Tree.Flat[k].Purity) }},
	})
}

// treeMeaning explains the figure of the tree as a whole.
var treeMeaning = [2]string{"dendrogram purity", "Of two targets of one category: how much of the smallest node of the tree that has both is in the category. By chance: the same tree with shuffled targets."}
