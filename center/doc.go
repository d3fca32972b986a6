// Package center clusters a graph of similar documents with CENTER.
//
// The nodes are scanned in some order. A node that is met unassigned becomes a
// center, and every unassigned neighbour joins its cluster and is not considered
// again. So each cluster is a star: a center and some of its neighbours. A node
// whose neighbours were all taken is a center alone. This is the clustering of
// section 4 of Haveliwala, Gionis and Indyk, "Scalable Techniques for Clustering
// the Web" (2000); it reads each edge once and keeps one number a node.
//
// The order decides. ByID is the paper's: pairs sorted by first id. Documents
// are numbered by a hash of their URL, so their id order is a random order, and
// the same scan is Pivot (KwikCluster), whose expected number of disagreements
// is at most three times that of the best correlation clustering. ByDegree meets
// the node with most neighbours first (star clustering), BySimilarity the node
// with the strongest edge.
//
// The one rule for the caller: the graph is symmetric, that is v is a neighbour
// of u with the same similarity that u has to v, and node numbers have the order
// of the document ids. A node may stand for a group of identical documents if it
// is numbered by the lowest of their ids: clustering the representatives, with
// the sizes of the groups as weights of the order, and giving every document its
// representative's center equals clustering all documents.
package center
