// Package label names a cluster of documents with words that a person would use for it: "Vim, text editor".
//
// The words come from what is said of the members: their titles, the anchors of the links that point at them, the
// sentences around those links, and the words of their bags. A word counts by how many of the members it is said of, by
// where it is said (a title or an anchor counts for more than the sentence around it, and that for more than a bag, which
// holds the words of neighbouring links too), and by how rare it is in the crawl. The best words are then widened to the
// phrases in which they usually stand, and shown as they are usually written.
//
// A Labeller is a pure function of the members of a cluster: it knows no files, and the order of the members does not
// change what it says.
package label
