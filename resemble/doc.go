// Package resemble finds documents with much the same text and clusters them: the system of [S1] behind the sketches of
// package shingles.
//
//	shingle sets ─► FindEqual ─► FindBoilerplate ─► Refine ─► Pairs ─► Cluster
//	                levels of    per host           again     self-    union-find,
//	                equality                        without   join     policy
//	                                                it
//
// FindEqual eliminates documents that equal another one: the same bytes, the same canonical text, or the same set of
// shingles. FindBoilerplate finds the menus and footers of each host, which are left out from there on. Pairs sorts
// <shingle, id> for the sampled shingles of the remaining documents, forms the pairs of documents that share a sample,
// adds them up to <id, id, count>, turns away those that cannot be similar, and compares the full sets of the others.
// Every pair that it emits has its exact resemblance and both containments, so a shingle that is shared by chance makes
// no link. Cluster connects the pairs that a Policy admits; another policy needs only the stored pairs. If only
// sketches of the documents are kept, FindEqualSketches, FindSketchBoilerplate and SketchPairs take the place of these
// functions, and figures are estimates. SuperPairs and Greedy are other ways to pairs and to clusters. Exact is brute
// force, by which the others are measured.
//
// The rule for the caller: all values come from one shingles.Config, the values of a document are its whole set (or its
// sketch) in ascending order, and Documents always gives the same answers, to several goroutines at once.
//
// Results and counts depend on neither workers nor memory. Beside Resources.Memory, a function holds a few numbers for
// each document, 60 bytes at most, and Pairs 2 to 4 bytes for each sample of a short document, 128 MiB at most.
//
// Sources: [S1] Broder, Glassman, Manasse, Zweig, "Syntactic Clustering of the Web" (1997); [S2] Broder, "On the
// resemblance and containment of documents" (1997).
package resemble
