// Package inverted finds the nodes whose bags are exactly the most similar to a given bag, without comparing the bag
// with all of them.
//
// For each term, the index lists the nodes whose bag holds it. Nodes are numbered, and consecutive nodes form a
// segment, which has lists of its own: so the gaps between the nodes of a list are small, the counters of a query fit into the cache
// of the processor, and segments can be built and searched one after another in bounded memory. [Ends] decides where
// segments end, a [Builder] builds them, and an [Index] searches them.
//
// No bag of an index has a sum below S, so the Jaccard coefficient of the flattened bags is at most c/(s+S-c), where s
// is the sum of the given bag and c is the sum of the smaller counts, what the two have in common: to be among the most
// similar, a node must have a certain number of elements in common with the given bag. A list is ordered by descending
// count. So a search can follow the lists of a term down to a count and no further; that count then bounds what it
// leaves out. It follows the short lists of the rare terms and the beginnings of the lists of the common ones, until
// what is left out cannot lift a new node above the k-th best. It compares the nodes that could still get there with
// the bag itself. This is the idea of MaxScore (Turtle, Flood: Query Evaluation: Strategies and Optimizations, 1995)
// with one counter per node. The result equals that of comparing all bags, to the last digit.
//
// The caller must give a Builder and an Index the same bags.
package inverted
