// Package topics answers questions to the topical view of a run, which is about the words around the links to a page and
// its own words ([S1] 4, [S3]).
//
// [Related] and [EachRelated] return the documents with the most similar bags, found from the stored pairs as a [Lookup]
// says, and [Exact] those among all documents. [Explain] says why two documents are related or not.
// [Find] finds documents by their names and words. [Clusters] and [ClusterOf] return
// clusters, [Roots], [Children] and [Branch] the tree of topics, and [Recluster] clusters the documents again.
// [NewClassifier] learns categories from examples.
package topics
