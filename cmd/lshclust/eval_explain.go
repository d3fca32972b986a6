package main

import (
	"fmt"
	"io"

	"github.com/lshclust/lshclust/eval"
)

// explainFigures says under the tables of an evaluation what their figures mean.
func explainFigures(w io.Writer, e *eval.Evaluation) {
	fmt.Fprint(w, `
what the figures mean
  target, query     A target is a URL of the gold. Each is a query in its turn, and
                    its neighbours are other targets: other pages have no category.
  coverage          Share of the queries that have a neighbour at all.
  same category     Share whose nearest target has the first 1, 2, 3 levels of a
                    category path in common with the query. Of all queries: one
                    without a neighbour counts as wrong.
  by chance         What a neighbour drawn from the other targets would give; for
                    clusters, clusters of the same sizes with random members.
  gamma             Of two targets, is the one in the nearer category ranked first?
                    1: always, 0: as by chance. The other one's category differs
                    from the query's in the last level (sibling), the last two
                    (cousin) or all three (unrelated). Pairs ordered: share of the
                    pairs in which the list puts one before the other.
  B-cubed           Precision: how much of a target's cluster has its category;
                    recall: how much of its category is in its cluster.
  adjusted          Rand index and mutual information: 0 by chance, 1 at best.
`)
	if len(e.Related) > 1 {
		fmt.Fprint(w, `  no page links     Without the pairs that one page links to together: pages in one
  to both           list share the words around their links, which makes it easy.
`)
	}
	if e.Clusters.Coverage.Queries != nil || e.Clusters.Coverage.Lists != nil {
		fmt.Fprint(w, `  [low high]        95 % interval. It resamples whole lists, since targets under the
                    same first two levels (a list) were chosen together.
`)
	}
}
