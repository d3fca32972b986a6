// Package rules makes redirect rules for web servers out of a list of pages that moved.
//
// [Resolve] first makes the list sound: no move leads to a URL that itself moved or is gone. [Compress] then replaces the
// moves of a folder, or of a whole host, by one rule where this is exact: every URL that either crawl knows below the
// folder moved in the same way or has a rule that comes first. [Write] writes the rules in the syntax of a server.
//
// All URLs are canonical: without a slash, or index.html, at the end. A rule answers the forms of a URL that are the same
// canonical URL.
package rules
