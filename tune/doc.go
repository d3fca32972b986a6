// Package tune chooses an index of package lsh that finds enough of the similar pairs of a set of documents at the
// lowest cost.
//
// [Similarities] counts how similar a random sample of the documents is to all others. From these counts and from the
// formulas of an index, a [Model] predicts the recall and the cost of a [Choice] of signatures, key size, keys and
// floor, and [Model.Tune] returns the cheapest choices that reach a [Goal].
//
// The formulas ignore large buckets, in which an index pairs only some of the documents. A [Trial] does not: it holds
// the pairs that an index forms with the documents of the sample, so that recall, precision and candidates are counted.
// Try the cheapest choice, give it more keys ([Choice.MoreKeys]) if it finds too little, and go on to the next choice
// if that does not help.
//
// Every figure about the whole set is an [Estimate] with a 95 % interval.
package tune
