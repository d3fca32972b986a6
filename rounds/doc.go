// Package rounds clusters pairs in parts: no part holds the pairs or the numbers of all nodes, and parts exchange
// records between rounds. The results are those of package center and of the union-find of package resemble, which read
// all pairs in one task.
//
// # CENTER
//
// The nodes are numbered in the order in which CENTER scans them; in a run, whose ids are in a random order, these are
// the ids. A part has a range of nodes and their links, to both sides, sorted. A node is undecided, a center or a
// member. It waits for its lower neighbours, those with lower numbers, and is told of each of them exactly once, after
// that neighbour was decided: that it is a center, or that it is not. When a node has been told of a center, it is a
// member. When it has been told of all its lower neighbours and none is a center, it is a center. Then its own higher
// neighbours are told. In the end, the center of a member is the lowest one that it was told of.
//
// This gives the answer of [center.Cluster], whatever the parts and whenever the records arrive:
//
//  1. The scan makes a node u a center if and only if no lower neighbour of u is a center. For if a lower neighbour c
//     is a center, then c was scanned before u and has assigned u, unless u was assigned even before that. And if u is
//     assigned when it is scanned, then a center that was scanned before has assigned it, which is a lower neighbour.
//  2. So the decisions agree, by induction over the numbers: if those on all lower neighbours of u agree, then u is told
//     of a center if and only if it has one among them, and it is a center in neither case or in both.
//  3. The scan assigns a member to the first center among its neighbours that is scanned, which is the lowest. It is
//     lower than the member by 1. In the rounds, a member is told of all its lower neighbours, also after it has been
//     decided, and keeps the lowest center.
//  4. It ends: the lowest undecided node waits for nobody, and is decided in the round in which it has been told of its
//     last lower neighbour.
//
// A round is a step over a part: the records that the part was told and the links of its undecided nodes go in, records
// for other parts and the links that remain undecided come out. Within a part, nodes are scanned in order and told at
// once, so that the first part is decided in the first round and there are at most as many rounds as parts, plus one in
// which nothing is left to send. In a random order, a greedy independent set is decided in O(log n) rounds of local
// minima with high probability (Fischer and Noever, "Tight Analysis of Parallel Randomized Greedy MIS", 2018), so many
// parts do not need many rounds. Each link is sent once at most, as 8 bytes; what a node was told may arrive in any
// order, since counting and taking the least do not depend on it. The state is 8 bytes a node of the part.
//
// # Components
//
// The components of a graph and the weakest link of each follow from its maximum spanning forest: the links by which
// union-find connects two components when it takes all links from the strongest to the weakest, equally strong ones in
// the order of their records. The forest lacks a link if and only if stronger links connect its ends, and then it lacks
// the link among more links too. So each part keeps only the forest of its links ([Forest]), the forests of two parts
// together are reduced again, and after log2(parts) more rounds one forest is left, which is that of all links. A part
// may have any of the links. The state is 4 bytes for each node of the graph.
//
// [Local] does both in one process, and stands for the engine that does the steps of a round on many machines.
package rounds
