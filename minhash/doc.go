// Package minhash turns bags of words into min-hash signatures.
//
// A bag is flattened to a set of elements (term,1)…(term,count), so that the resemblance of two sets is the weighted
// resemblance of the bags. A [Family] of m random linear permutations gives each set m signatures: signature k is the
// least value that permutation k takes on the set. Two sets of resemblance J agree in each signature with probability
// J, so that the share of equal signatures estimates J with variance J(1-J)/m. This is section 3 of Haveliwala, Gionis
// and Indyk, "Scalable Techniques for Clustering the Web" (2000).
//
// Most callers need three functions:
//
//	family := minhash.NewFamily(80, seed)
//	a, b := family.Signature(bagA), family.Signature(bagB)
//	estimate := float64(minhash.Agreement(a, b)) / 80
//
// Callers that sign many bags avoid allocations with [Element] and [Family.Sign].
//
// Permutations are a·x+b modulo the prime P = 2^31-1. Minima are taken over all 31 bits and only then shortened to
// three bytes: the minima of a 24-bit hash would agree on disjoint bags of 100 about fifty times too often. A row
// stores its m signatures as three planes, the low bytes first, so that row[:m] alone gives an upper bound of the
// agreement and may be kept in memory without the rest.
//
// Pass only elements made by Element to Sign. Linear permutations of raw, dense ids give biased estimates
// (by up to 0.014); Element scatters the ids first.
//
// Rows have the same bytes on every machine. Tests compare the amd64 assembly, which lab/assembly/minhash generates,
// with the Go code. Build with the tag noasm to leave the assembly out.
package minhash
