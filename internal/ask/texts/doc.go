// Package texts answers questions to the syntactic view of a run, which is about the texts of pages ([S1], [S2]).
//
// [Duplicates] returns the pages with similar texts that the run has stored, and [Resembling] compares pages with all
// others. [Who] lists the pages that contain a text or a part of it, [Certainty] says what such a search may miss, and
// [Fold] folds near-copies in a list of URLs. [Diff] marks what two pages share, and [Across] finds what two runs share.
// [Clusters] and [ClusterOf] return clusters, and [Recluster] clusters the pages again with other settings.
package texts
