// Package views finds where the two views of a run disagree, and measures how far they agree.
//
// [Partitions] compares two clusterings of the same elements by the adjusted Rand index over pairs of elements and by
// B-cubed precision and recall over elements. Sources: L. Hubert, P. Arabie, Comparing partitions, Journal of
// Classification 2 (1985); A. Bagga, B. Baldwin, Entity-based cross-document coreferencing using the vector space model
// (1998); E. Amigó et al., A comparison of extrinsic clustering evaluation metrics based on formal constraints (2009).
package views
