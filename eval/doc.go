// Package eval says what the results of a run are worth. It puts the rooms of the laboratory together: a run
// ([query.Run]), what people say ([gold.Gold]) and the figures that compare the two ([score.Directory] and its methods).
//
//	g, err := gold.Read("gold.tsv", run.Rules())
//	e, err := eval.Evaluate(ctx, run, g, eval.Options{Bootstrap: 1000, Seed: 1})
//	fmt.Println(e.Related[0].Levels[0].Hit) // share of the queries whose nearest neighbour is in their category
//
// [Evaluate] measures the topical view of a run: its stored neighbours, its clusters, and [Baseline]s beside them.
// [EvaluateLabels] measures the labels of its clusters, [EvaluatePairs], [EvaluateMoved] and [EvaluatePageLabels] the
// syntactic view. [CompareViews] compares several views of the same URLs, [CompareSettings] several settings of the bags.
// [MeasureRecall] compares the pairs that the index found with brute force, and [DrawSample] draws neighbours for a
// person to judge. Package eval/report shows the results on a page.
//
// The measures for related pages are those of Haveliwala, Gionis, Klein and Indyk, "Evaluating Strategies for Similarity
// Search on the Web" (2002); DrawSample repeats the experiment of Haveliwala, Gionis and Indyk, "Scalable Techniques for
// Clustering the Web" (2000), section 5.
//
// The one rule: an evaluation that could tell nothing, because all labels are the same or no two are, is an error
// ([score.ErrTellsNothing]), never a figure.
package eval
