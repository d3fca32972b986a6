// Package eval says what the results of a run are worth: it scores rankings and clusters against a gold directory.
//
// A gold is a list of labels, URL and category path, read from a file (ReadGold) or from the crawl itself (Tree,
// Breadcrumbs). NewDirectory numbers its targets. A Ranking has for each target the other targets near it; Score
// measures it: how often the nearest one, and the first ten, share one, two, three levels of the path; what chance would
// give; and Goodman and Kruskal's gamma over pairs of targets that the directory orders, with the familial distance of
// Haveliwala, Gionis, Klein and Indyk, "Evaluating Strategies for Similarity Search on the Web" (2002).
// ScoreClusters measures a clustering. Every figure has a bootstrap interval, over queries and over lists: labels of one
// list were chosen by one person and are no independent witnesses.
//
// The one rule: a figure that has nothing to rest on is undefined (Figure.Defined), never 0 and never NaN.
package eval
