// Package lsh finds the pairs of similar documents among min-hash signatures.
//
// An [Index] is l random subsets of k out of the m signatures. A document has l keys: key j is the k signatures of
// subset j. Two documents are a candidate pair if they have a key in common, and a pair if in addition enough of their
// signatures agree. This is section 4 of Haveliwala, Gionis and Indyk, "Scalable Techniques for Clustering the Web"
// (2000). [Found] returns the probability of a pair as a function of similarity; it allows for the subsets sharing m
// signatures, which the well-known formula 1-(1-s^k)^l does not.
//
// [Index.Pairs] proceeds as the paper does: key by key, it sorts all documents by that key and pairs the documents of
// each bucket, which have the same key. It keeps no pairs from one key to the next: it forms a pair only at the first
// key that its two documents have in common, and their rows show which key that is. In a bucket larger than
// Config.MaxBucket, it does not pair all documents, which would take quadratic time, nor does it cut the bucket
// silently: it pairs each document with the first of the bucket and with the next Reach, and [Stats] counts the pairs
// left out. Config.Memory decides how many keys, or what part of one key, it handles at a time.
//
// A [Searcher] searches some of the keys, so that several processes can share a search. It needs the large buckets of
// all keys, which [Index.LargeBuckets] finds.
//
// All rows must come from one minhash.Family with as many permutations as the index has signatures. Rows of documents
// without elements are equal to one another, so leave them out.
//
// The pairs, and all counts, are the same for any number of workers and any memory.
package lsh
