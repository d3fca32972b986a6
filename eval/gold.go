package eval

import (
	"fmt"
	"slices"
)

// Label is one row of a gold: a URL in its canonical form and the path of a category, the broadest level first.
type Label struct {
	URL  string
	Path []string
}

// Gold is a set of labels. A URL may have several.
type Gold struct {
	Name    string
	Labels  []Label   // in the order of the source
	Skipped []Skipped // by reason
}

// Skipped counts rows of a gold that were left out for one reason.
type Skipped struct {
	Reason   string   `json:"reason"`
	Count    int      `json:"count"`
	Examples []string `json:"examples"` // the first few: "file:line: what"
}

// Reasons why a row of a gold is left out.
const (
	NoURL         = "no-url"         // the row has none
	BadURL        = "bad-url"        // it cannot be made canonical
	NoCategory    = "no-category"    // the path is missing or empty
	BadRow        = "bad-row"        // not what the format asks for
	EmptyCategory = "empty-category" // a category without a page
	CategoryCycle = "category-cycle" // a category that links back to one above it
)

// skippedExamples is how many examples of a reason are kept.
const skippedExamples = 5

// skip counts a row that is left out.
func (g *Gold) skip(reason, file string, line int, what string) {
	i := slices.IndexFunc(g.Skipped, func(s Skipped) bool { return s.Reason == reason })
	if i < 0 {
		i = len(g.Skipped)
		g.Skipped = append(g.Skipped, Skipped{Reason: reason, Examples: []string{}})
	}
	s := &g.Skipped[i]
	s.Count++
	if len(s.Examples) < skippedExamples {
		s.Examples = append(s.Examples, fmt.Sprintf("%s:%d: %s", file, line, clip(what)))
	}
}

// clip cuts what a message quotes from a file.
func clip(s string) string {
	const most = 120
	if len(s) > most {
		s = s[:most] + "…"
	}
	return fmt.Sprintf("%q", s)
}

// levels cleans a category path: levels are trimmed, empty ones dropped.
func levels(path []string) []string {
	out := path[:0:0]
	for _, l := range path {
		if l = trim(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}
