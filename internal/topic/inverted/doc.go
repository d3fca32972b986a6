// Package inverted finds the nodes whose bags are exactly the most similar to a given bag, without comparing the bag
// with all of them.
//
// The index lists for each term the nodes whose bag holds it. Nodes are numbered, and consecutive nodes form a segment,
// which has lists of its own: so a node takes two bytes in a list, the counters of a query fit into the cache of the
// processor, and segments can be built and searched one after the other in bounded memory. [Ends] decides where
// segments end, [Builder] builds them, and an [Index] searches them.
//
// All bags of an index have one common sum S, so the Jaccard coefficient of the flattened bags is c/(s+S-c), where s is
// the sum of the given bag and c what the two have in common, the sum of the smaller counts: the most similar bags are
// those that have most in common with the given one. A list is ordered by descending count. So a search can follow the
// lists of a term down to a count and no further; what it leaves out is then bounded by that count. It follows the
// short lists of the rare terms and the beginnings of the lists of the common ones, until what is left out cannot lift
// a node that was not met above the k-th best. The nodes that could still get there are compared with the bag itself.
// This is the idea of MaxScore (Turtle, Flood: Query Evaluation: Strategies and Optimizations, 1995) with one counter a
// node. The result equals that of comparing all bags, to the last place.
//
// The caller must give a Builder and an Index the same bags.
package inverted
