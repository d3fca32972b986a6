// Package shingles turns a document into a set of numbers, and the set into a sketch of a few hundred bytes that
// estimates resemblance and containment.
//
//	text ─► words ─► shingles ─► sketch ─► estimate
//	        cutter   scanner,    sketches, overlap,
//	                 shingler    super     bounds
//
// A token is a word in lower case. A shingle is w consecutive tokens. A [Scanner] hashes it, where [S1] has Rabin
// fingerprints, and a [Shingler] permutes the hash and keeps 40 bits (by default). A [Sketcher] makes sketches, which keep
// some of the values: those divisible by m ([Mod]), the s smallest ([Min]), the s smallest of those divisible by m
// ([MinMod]), or those divisible by a power of two that grows with the document ([Var]). A [Set] keeps all of them.
//
// Compare only values made with the same Config: a value does not show which w, option or seed it came from.
//
// Sources: [S1] Broder, Glassman, Manasse, Zweig, "Syntactic Clustering of the Web" (1997); [S2] Broder, "On the
// resemblance and containment of documents" (1997).
package shingles
