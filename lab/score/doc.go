// Package score computes figures: how well rankings and clusters agree with the judgements of people. All its functions are pure: they work on data in memory and know neither runs nor files.
//
// [NewDirectory] numbers the targets of a directory, the URLs that people put into categories. A [Ranking] has for each
// target the other targets near it, and [Directory.ScoreRanking] measures it: how often the nearest target, and the
// first ten, share one, two or three levels of a category path, and what chance would give. It also computes Goodman
// and Kruskal's gamma over the pairs of targets that the directory orders, with the familial distance of Haveliwala,
// Gionis, Klein and Indyk (2002). [Directory.ScoreClusters] measures a clustering.
//
// Figures over the queries of a directory have two bootstrap intervals: one resamples queries, the other whole lists.
// The labels of one list were chosen by one person, so they are not independent of one another, and the second interval
// is the honest one.
//
// A figure without any data is undefined ([Figure.Defined]), never 0 and never NaN.
package score
