// Package query opens a finished run and answers questions from its mapped tables.
//
//	r, err := query.Open("my-run")
//	if err != nil {
//		return err
//	}
//	defer r.Close()
//	id, err := r.Lookup("example.org/page")
//	if err != nil {
//		return err
//	}
//	for _, n := range r.Related(id, query.Lookup{Top: 10}) {
//		fmt.Println(n.Similarity, n.URL)
//	}
//	return r.Err()
//
// Documents have ids inside a run and URLs outside it. [Run.Lookup] finds the id of a URL, [Run.Document] returns
// what the run knows about an id, and [Run.Suggest] finds documents with a similar URL.
//
// Questions to the topical view, which is about the words around links to a page:
//   - [Run.Related] and [Run.EachRelated] return the documents with the most similar bags, found from the stored
//     pairs as a [Lookup] says, and [Run.Exact] those among all documents;
//   - [Run.Explain] says why two documents are related or not: terms, linking sentences, signatures and keys;
//   - [Run.TopicalClusters], [Run.TopicalCluster] and [Run.TopicalMembers] list clusters, and [Run.ReclusterTopical]
//     clusters the documents again with other settings.
//
// Questions to the syntactic view, which is about the text of the page itself:
//   - [Run.Duplicates] returns the pages with similar texts that the run has stored, and [Run.Resembling] compares
//     pages with all others;
//   - [Run.Who] lists the pages that contain a text or a part of it, [Certainty] says what such a search may miss,
//     and [Run.Fold] folds near-copies in a list of URLs;
//   - [Run.Diff] marks what two pages share, and [Run.Boilerplate] counts what comparisons leave out;
//   - [Run.SyntacticClusters] and [Run.SyntacticCluster] list clusters, and [Run.ReclusterSyntactic] clusters the
//     pages again with other settings.
//
// Questions to both views: [Run.Compare] finds where they disagree, and [Checks] returns the checks of lshclust info
// --check. Questions about the settings of a run: [Run.Exact] compares all bags, and [Run.Fates] says what became of
// the pairs that it finds. A run keeps no texts; [Run.Pages] and [Run.EachPage] read them from the inputs again.
//
// Questions to several runs over crawls of the same sites: [NewCrawls] takes them in order of time, and finds what
// changed and where dead URLs are in the last one.
//
// Strings and slices in answers point into the tables and are valid until [Run.Close]. An answer is correct only if
// [Run.Err] returns nil afterwards: a Run checks each part of its tables when it first reads it, and keeps the error
// for Err.
package query
