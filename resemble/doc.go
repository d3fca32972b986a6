// Package resemble finds the documents with much the same text and clusters them:
// the system of [S1] behind the sketches of package shingles.
//
//	shingle sets ─► FindEqual ─► FindBoilerplate ─► Refine ─► Pairs ─► Cluster
//	                levels of    per host           once more           union-find,
//	                equality                        without it          policy
//
// FindEqual eliminates documents that are equal to another one: identical bytes,
// the same canonical text, the same set of shingles. FindBoilerplate finds the
// menus and footers of each host, which are discounted from there on. Pairs sorts
// <shingle, id> for the sampled shingles of what is left, forms the pairs of
// documents that share one, adds them up to <id, id, count>, turns away those that
// cannot be similar, and compares the full sets of the others: every pair that it
// emits has its exact resemblance and both containments, so that a shingle shared
// by bad luck makes no link. Cluster joins the pairs that a Policy admits; another
// policy needs nothing but the stored pairs. SuperPairs and Greedy are other ways
// to pairs and to clusters, Exact is brute force, to measure the others by.
//
// The one rule for the caller: all values come from one shingles.Config, the values
// of a document are its whole set in ascending order, and Documents answers the
// same from first to last, to several goroutines at once.
//
// Results and counts depend on neither workers nor memory. Beside Resources.Memory
// a stage holds some numbers a document, 60 bytes at most, and Pairs 2 to 4 bytes for
// each sample of a short document, 128 MiB at most.
//
// Sources: [S1] Broder, Glassman, Manasse, Zweig, "Syntactic Clustering of the Web"
// (1997); [S2] Broder, "On the resemblance and containment of documents" (1997).
package resemble
