// Package label names a cluster of documents with words that a person would use for it: "Vim, text editor".
//
// The words come from the titles of the members, the anchors of the links that point at them, the sentences around
// those links, and the bags. The score of a word depends on the number of members that it is used for, on where it
// occurs (a title or an anchor counts more than the sentence around it, and that more than a bag, which also has the
// words of neighbouring links), and on how rare the word is in the crawl. The package extends the best words to the
// phrases in which they usually occur, and writes them as they are usually written. Before the words come the phrases of
// headings that name the cluster, if there are any.
//
// A [Labeller] is a pure function of the members of a cluster: it reads no files, and the order of the members does not
// change its result.
package label
