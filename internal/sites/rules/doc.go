// Package rules makes redirect rules for web servers and site generators from a list of pages that moved, reads such
// rules, and checks them.
//
// [Resolve] first makes the list sound: no move leads to a URL that itself moved or is gone. [Compress] then replaces
// the moves of a folder, or of a whole host, by one rule if this is exact: every URL below the folder that either crawl
// knows moved in the same way or has a rule that comes first. [Write] writes the rules in one of the formats
// that the table in format.go lists, and [Read] reads them. A [Checker] follows the known URLs of a site through its rules.
//
// All URLs are canonical: without a slash, or index.html, at the end. A rule answers all forms of a URL with the same
// canonical form.
package rules
