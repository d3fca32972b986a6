// Package shingles turns a document into a set of numbers, and the set into a sketch of a few hundred bytes that
// estimates resemblance and containment.
//
// There are four steps, each in its own files:
//
//	text ─► tokens ─► shingles ─► sketch ─► estimate
//	        tokens,    rabin,      mod, min,   overlap,
//	        ascii,     window,     minmod,     bounds
//	        words      mixer       var, super
//
// A token is a word in lower case, packed into 8 bytes. A shingle is w consecutive tokens. It is identified by a Rabin
// fingerprint of 40 bits (by default), which the Mixer, a bijection of the same width, turns into a value that looks
// random. A sketch keeps some of the values: those that are divisible by m (ModSketch), the s smallest (MinSketch), the
// s smallest of those divisible by m (MinModSketch), or those divisible by a power of two that grows with the document
// (VarSketch). A Set keeps all of them. A Sketcher makes sketches of any kind and compares their stored samples.
//
// The one rule: compare only values that the same Config has made. Sketches know their own parameters (m, s) and refuse
// to be compared if these differ, but a value does not tell which w, option, polynomial or seed it came from.
//
// Sources: [S1] Broder, Glassman, Manasse, Zweig, "Syntactic Clustering of the Web" (1997); [S2] Broder, "On the
// resemblance and containment of documents" (1997); [R] Broder, "Some applications of Rabin's fingerprinting method"
// (1993).
package shingles
