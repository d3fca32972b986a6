// Package shingles turns a document into a set of numbers, and the set into a
// sketch of a few hundred bytes from which resemblance and containment are read.
//
// It is the syntactic view in four steps, each in its own files:
//
//	text ─► tokens ─► shingles ─► sketch ─► estimate
//	        tokens,    rabin,      mod, min,   overlap,
//	        ascii,     window,     minmod,     bounds
//	        words      mixer       var, super
//
// A token is a word in lower case, packed into 8 bytes. A shingle is w tokens in
// a row; its identity is a Rabin fingerprint of (by default) 40 bits, and a
// bijection of the same width, the Mixer, turns identities into values in random
// order. Sketches keep some of the values: those divisible by m (ModSketch), the
// s smallest (MinSketch), both (MinModSketch), or those divisible by a power of
// two that grows with the document (VarSketch).
//
// The one rule: compare only what the same Config has made. Sketches carry
// their own parameters (m, s) and refuse each other when these differ, but a
// value does not tell which w, option, polynomial or seed it came from.
//
// Sources: [S1] Broder, Glassman, Manasse, Zweig, "Syntactic Clustering of the
// Web" (1997); [S2] Broder, "On the resemblance and containment of documents"
// (1997); [R] Broder, "Some applications of Rabin's fingerprinting method" (1993).
package shingles
