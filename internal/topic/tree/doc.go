// Package tree nests clusters: it joins similar clusters into larger ones, and these again, level by level. Haveliwala,
// Gionis and Indyk name such a hierarchy as future work in "Scalable Techniques for Clustering the Web" (2000).
//
// The lowest level is a clustering by the caller, usually with package center. Each higher level runs CENTER over the
// clusters of the level below, with a threshold that falls from level to level. The similarity of two clusters is their
// average linkage: the mean similarity over all pairs of a node of one cluster and a node of the other, where a pair
// that the graph does not have counts as 0. So the thresholds of the levels are far below those of pairs. The zeros
// make the levels good: with the mean over the pairs of the graph alone, or with the pairs of the centers alone, one
// heap swallows everything or nothing joins (lab/quality.md has the figures).
//
// Most callers need these lines:
//
//	lowest := center.Cluster(g, center.ByID.Nodes(g, threshold, nil), threshold)
//	t, err := tree.Build(ctx, g, lowest, tree.Config{Thresholds: []float64{0.03, 0.01}, Order: center.ByID})
//	for _, n := range t.Nodes(size) { … }
//
// The result is the same for any number of workers and any limit of memory, because similarities are added up as whole
// numbers, multiples of 2^-24.
//
// As in package center, the graph must be symmetric. With more than one worker, several goroutines call its method
// Neighbours at once.
package tree
