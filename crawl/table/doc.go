// Package table reads rows of pages or links: CSV and TSV, JSON Lines, and the lists of pages of a WACZ.
//
// The name of a column or of a JSON member decides what it means; columns.go holds the list, and [ParseMap] overrides it.
// A row about a page becomes a page. A link row becomes a page with one link and no content of its own.
package table
