// Package resemble finds documents with similar texts and clusters them. It is the system of [S1], built on the
// shingles and sketches of package shingles.
//
//	shingle sets ─► FindEqual ─► FindBoilerplate ─► Refine ─► Pairs ─► Cluster
//	                levels of    per host           again     self-    union-find,
//	                equality                        without   join     policy
//	                                                it
//
// FindEqual eliminates documents that equal another one: the same bytes, the same canonical text, or the same set of
// shingles. FindBoilerplate finds the menus and footers of each host, which the following functions leave out. Pairs
// sorts <shingle, id> for the rarest sampled shingles of the remaining documents and <id, id> for the pairs of documents
// that share one, rejects those that share too few samples to be similar, and compares the full sets of the others. Every pair that it emits has its exact resemblance and both containments, so a shingle shared by
// chance makes no link. Cluster connects the pairs that a Policy admits. Clustering with another policy needs only the
// stored pairs. If only sketches of the documents are kept, figures are estimates (see Sketches). SuperPairs is another
// way to find pairs, and Greedy another way to cluster them.
//
// All values must come from one shingles.Config, the values of a document must be its whole set (or its sketch) in
// ascending order, and Documents must always give the same answers, to several goroutines at once.
//
// Results and counts depend on neither workers nor memory. In addition to Resources.Memory, a function holds a few
// numbers for each document, 120 bytes at most, and Pairs 2 to 4 bytes for each sample of a short document, 128 MiB at
// most, and as much for each sample of any, 32 MiB at most.
//
// Sources: [S1] Broder, Glassman, Manasse, Zweig, "Syntactic Clustering of the Web" (1997); [S2] Broder, "On the
// resemblance and containment of documents" (1997).
package resemble
