// Package gold reads golds. A gold is a set of judgements that people made about URLs: the categories of URLs ([Read]),
// or a person's marks on the neighbours of a sample ([ReadMarks]).
//
// The readers count a row that is not a label with its reason and place (in Skipped). If a file holds another kind of
// gold, or no gold, they return an error that says what the file seems to be ([ErrWrongKind]).
package gold

import (
	"fmt"
	"slices"
)

// Gold is a set of labels. A URL may have several.
type Gold struct {
	Name    string
	Labels  []Label // in the order of the source
	Skipped Skips   // rows that are not labels
}

// Label is one row of a gold: a URL in its canonical form and the path of a category, the broadest level first.
type Label struct {
	URL  string
	Path []string
}

// Skipped counts the rows of a gold that were skipped for one reason.
type Skipped struct {
	Reason   string   `json:"reason"`
	Count    int      `json:"count"`
	Examples []string `json:"examples"` // the first few, as "file:line: row"
}

// Reasons for skipping a row of a gold.
const (
	NoURL      = "no-url"      // the row has no URL
	BadURL     = "bad-url"     // the URL cannot be made canonical
	NoCategory = "no-category" // the path is missing or empty
	BadRow     = "bad-row"     // not in the format
)

// skippedExamples is the number of examples kept for each reason.
const skippedExamples = 5

// clip shortens what a message quotes from a file.
func clip(s string) string {
	const most = 120
	if len(s) > most {
		s = s[:most] + "…"
	}
	return fmt.Sprintf("%q", s)
}

// levels cleans a category path: it trims the levels and drops empty ones.
func levels(path []string) []string {
	out := path[:0:0]
	for _, l := range path {
		if l = trim(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// Skips counts the skipped rows by reason, in the order in which the reasons first occurred.
type Skips []Skipped

// Add counts a skipped row. at is its place, as FILE:LINE.
func (s *Skips) Add(reason, at, what string) {
	i := slices.IndexFunc(*s, func(x Skipped) bool { return x.Reason == reason })
	if i < 0 {
		i = len(*s)
		*s = append(*s, Skipped{Reason: reason, Examples: []string{}})
	}
	x := &(*s)[i]
	if x.Count++; x.Count <= skippedExamples {
		x.Examples = append(x.Examples, at+": "+clip(what))
	}
}

// skip counts a skipped row of the gold.
func (g *Gold) skip(reason, file string, line int, what string) {
	g.Skipped.Add(reason, fmt.Sprintf("%s:%d", file, line), what)
}
