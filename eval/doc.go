// Package eval measures how good the results of a run are. It compares a run ([query.Run]) with the judgements of
// people ([gold.Gold]), using the figures of package score.
//
//	g, err := gold.Read("gold.tsv", run.Rules())
//	e, err := eval.Evaluate(ctx, run, g, eval.Options{Bootstrap: 1000, Seed: 1})
//	fmt.Println(e.Related[0].Levels[0].Hit) // share of the queries whose nearest neighbour is in their category
//
// [Evaluate] measures the related pages and the clusters of a run, next to [Baseline]s. [MeasureRecall] compares
// the pairs that the index found with brute force. [DrawSample] draws neighbours for a person to judge, and package
// eval/report writes the page for it.
//
// The measures for related pages are those of Haveliwala, Gionis, Klein and Indyk, "Evaluating Strategies for
// Similarity Search on the Web" (2002). DrawSample repeats the experiment of Haveliwala, Gionis and Indyk, "Scalable
// Techniques for Clustering the Web" (2000), section 5.
//
// If a gold cannot tell a good result from a bad one, because all targets are in one category or no two are, the
// functions return an error ([score.ErrTellsNothing]) and no figure.
package eval
