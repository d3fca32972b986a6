// Package moved decides where the content of gone pages is now: pages that an older crawl of a site has and a newer one
// does not. This is the "lost and found" of [S1] section 5.
//
// The caller finds a few candidates for each gone page and describes each by its [Evidence]: whether the crawl
// redirects there, how much text the two pages share, and how alike their links, names and paths are. A [Model] turns
// evidence into utilities. The content of a gone page went to one of its candidates or to none of them, so the model is
// a conditional logit (McFadden 1974), and its probabilities add up to 1 for each page. [Model.Decide] then assigns
// candidates to gone pages, one to one where several claim the same candidate, and gives each gone page a [Verdict]
// with a confidence and reasons.
//
// The package does not know runs and files. The candidates of a page must be distinct.
//
// [S1] is Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web, 1997. Fetterly, Manasse, Najork, Wiener: A
// Large-Scale Study of the Evolution of Web Pages, 2003, shows that text alone finds most pages that moved, and what
// share of pages changes between two crawls.
package moved
