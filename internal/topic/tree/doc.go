// Package tree divides the nodes of a graph into topics, and each topic into smaller ones. Haveliwala, Gionis and Indyk
// name such a hierarchy as future work in "Scalable Techniques for Clustering the Web" (2000).
//
// A topic is a community: nodes that are more similar to one another than their similarities to all nodes let expect.
// The algorithm of Leiden finds communities (Traag, Waltman and van Eck, "From Louvain to Leiden", 2019) by moving nodes
// between them as long as the modularity rises. A resolution decides how fine they are. Build begins in the middle:
//
//   - Middle topics are communities of the pairs of which one side is among the nearest of the other.
//   - Tops are communities of the middle topics, whose links are the sums of all pairs between them. A top that has more
//     than its share of all nodes is divided at higher resolutions.
//   - Parts are communities of the pairs within a topic, again and again, down to the leaves, which are too small to be
//     divided, or have no parts.
//
// Most callers need these lines:
//
//	t, err := tree.Build(ctx, g, tree.Defaults)
//	for _, n := range t.Nodes { … }
//
// The result is the same for any number of workers and any limit of memory: similarities are added up as whole numbers,
// nodes are visited in the order of their numbers, and among equally good communities the one with the lower number is
// chosen.
//
// As in package center, the graph must be symmetric. With more than one worker, several goroutines call its method
// Neighbours at once.
package tree
