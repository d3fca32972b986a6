// Package center clusters a graph of similar documents with CENTER.
//
// CENTER scans the nodes in some order. If a node is unassigned when it is scanned, it becomes a center, and all of its
// unassigned neighbours become members of its cluster and are not considered again. So each cluster is a star: a center
// and some of its neighbours. A node whose neighbours all belong to other clusters is a center alone. This is the
// clustering of section 4 of Haveliwala, Gionis and Indyk, "Scalable Techniques for Clustering the Web" (2000). It
// reads each edge once and keeps one number a node.
//
// Most callers need these two lines:
//
//	g := center.NewGraph(n, pairs)
//	centers := center.Cluster(g, center.ByID.Nodes(g, threshold, nil), threshold)
//
// The result depends on the [Order]. [ByID] is the order of the paper, whose pairs are sorted by first id. In a run,
// documents are numbered by a hash of their URL, so that the order of the ids is random and the scan is Pivot
// (KwikCluster), whose expected number of disagreements is at most three times that of the best correlation clustering.
// [ByDegree] scans the node with the most neighbours first (star clustering), [BySimilarity] the node with the
// strongest edge.
//
// A graph must be symmetric: if v is a neighbour of u, then u is a neighbour of v with the same similarity. Node
// numbers must have the order of the document ids. A node may represent a group of identical documents if it is
// numbered by the lowest of their ids. If the order knows the sizes of the groups, clustering the nodes and giving
// every document the center of its node equals clustering all documents.
package center
