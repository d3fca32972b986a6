// Package reconcile answers questions of the Reconciliation Service API about a run, draft 0.2 of the W3C Entity
// Reconciliation Community Group, without HTTP. OpenRefine and other programs ask it to match a column of URLs or titles
// to documents, and to add columns about those that they matched.
//
// An entity is a document of the run, and its URL is its identifier. A URL is matched by a look-up, words by the index of
// what the web calls a page, and then by the name of the page. A score is the weighted sum of its features, which come
// with it, so that a client can weigh them anew.
package reconcile
