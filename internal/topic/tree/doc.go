// Package tree nests clusters: it joins similar nodes of a graph to clusters, and these to larger ones, level by level.
// Haveliwala, Gionis and Indyk name such a hierarchy as future work in "Scalable Techniques for Clustering the Web" (2000).
//
// The similarity of two clusters is their average linkage: the mean similarity over all pairs of a node of one cluster and
// a node of the other, where a pair that the graph does not have counts as 0. So the thresholds of the levels are far
// below those of pairs. The zeros make the levels good: with the mean over the pairs of the graph alone, or with the pairs
// of the centers alone, one heap swallows everything or nothing joins.
//
// Build begins with CENTER over the nodes, for pairs with a similarity of [Seed], and repeats it over the clusters that it
// got, with a threshold that falls in small steps to that of the lowest level, then to that of the next, and so on. The
// cluster with the strongest link is scanned first. With small steps the levels are nearly those of agglomerative
// clustering, which joins the two most similar clusters again and again; with one step for each level, a center takes
// what belongs to another one (lab/quality.md has the figures).
//
// Most callers need these lines:
//
//	t, err := tree.Build(ctx, g, tree.Config{Thresholds: []float64{0.03, 0.01}})
//	for _, n := range t.Nodes(size) { … }
//
// The result is the same for any number of workers and any limit of memory, because similarities are added up as whole
// numbers, multiples of 2^-24.
//
// As in package center, the graph must be symmetric. With more than one worker, several goroutines call its method
// Neighbours at once.
package tree
