// Package compare measures how far two views of the same documents agree, and where they do not.
//
// [Partitions] compares two clusterings of the same elements by the adjusted Rand index over pairs of elements and by
// B-cubed precision and recall over elements. [Histogram] counts pairs of documents by two similarities at once. Its
// corners show where the views agree and where they differ.
//
// Both clusterings must number the same elements in the same order. Labels are only names; the result does not depend
// on the numbers of the clusters.
//
// Sources: L. Hubert, P. Arabie, Comparing partitions, Journal of Classification 2 (1985); A. Bagga, B. Baldwin,
// Entity-based cross-document coreferencing using the vector space model (1998); E. Amigó et al., A comparison of
// extrinsic clustering evaluation metrics based on formal constraints (2009).
package compare
