// Package table reads rows of pages or links: CSV and TSV, JSON Lines, and the lists of pages in a WACZ.
//
// The name of a column or of a JSON member decides what it means. The names are listed in columns.go, and [ParseMap]
// overrides them. A row about a page becomes a page. A link row becomes a page that has one link and no content.
package table
