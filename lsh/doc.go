// Package lsh finds the pairs of similar documents among min-hash signatures.
//
// An Index is l random subsets of k out of the m signatures. A document has l
// keys: key j is the k signatures of subset j. Two documents are a candidate
// pair if they have a key in common, and a pair if moreover enough of their
// signatures agree. This is section 4 of Haveliwala, Gionis and Indyk, "Scalable
// Techniques for Clustering the Web" (2000). Candidate and Found give the
// probability of either as a function of similarity; they allow for the subsets
// sharing 80 signatures, which the well-known 1-(1-s^k)^l does not.
//
// Pairs does it as the paper does: key by key, all documents are sorted by that
// key, and the documents of a run of equal keys are paired. Nothing is kept from
// one key to the next: a pair is formed only at the first key in which its two
// documents collide, which their rows tell. Runs longer than Config.MaxRun are
// not paired all with all, which would explode, nor cut silently: each document
// is paired with the first of the run and with the next Reach, and Stats counts
// what was left out. Config.Memory decides how many keys are handled at a time,
// or what part of one.
//
// The one rule for the caller: all rows come from one minhash.Family of as many
// permutations as the index has signatures. Rows of documents without elements
// are equal to one another, so leave them out.
//
// The pairs, and all counts, are the same for any number of workers and any
// memory.
package lsh
