// Package expand finds the neighbours of neighbours, which are often neighbours too. Starting from the pairs of a cheap
// index, it reaches nearly all that comparing everything with everything would find (the idea of NN-descent: Dong,
// Moses, Li: Efficient k-nearest neighbor graph construction for generic similarity measures, 2011).
//
// A [Search] does this for one node, when a query asks about it, compares the node exactly with everything that it meets,
// and says how alike their neighbours are. A [Lister] does it for all nodes, when a run is built: it compares a node
// exactly with only those of the nodes it meets whose signatures agree best, and keeps the nearest neighbours of all and
// the nearest that are apart from the node. Pages that one page lists together share the words around their links, so they
// fill the list of nearest neighbours; the others are the discoveries.
//
// The caller must pass in exact similarities. The results are then the same in whatever order the nodes are processed.
package expand
