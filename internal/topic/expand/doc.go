// Package expand finds the neighbours of neighbours, which are often neighbours too: from the pairs that a cheap index
// has found it reaches nearly all that comparing everything with everything would find (the idea of NN-descent: Dong,
// Moses, Li: Efficient k-nearest neighbor graph construction for generic similarity measures, 2011).
//
// A [Search] does this for one node, when it is asked about, and compares the node exactly with everything that it
// meets. A [Lister] does it for all nodes, when a run is built: of what a node meets, it compares exactly only those
// whose signatures agree best, and it keeps the nearest neighbours of all and the nearest of those to which no page
// links together with the node. Pages that one page lists together share the words around their links, so they fill
// the list of nearest neighbours; the others are the discoveries.
//
// The caller must pass in exact similarities. The results are then the same in whatever order
// the nodes are worked on.
package expand
