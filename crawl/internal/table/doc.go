// Package table reads rows of pages or links: CSV and TSV, JSON Lines, and the lists of pages in a WACZ.
//
// The name of a column or of a JSON member decides what it means. File columns.go lists the names, and [ParseMap]
// overrides them. A row about a page becomes a page. A link row becomes a page with one link and no content.
package table
