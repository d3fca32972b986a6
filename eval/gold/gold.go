// Package gold reads golds. A gold is a set of judgements that people made about URLs: the categories of URLs ([Read]),
// or a person's marks on the neighbours of a sample ([ReadMarks]).
//
// The readers count a row that is not a label with its reason and place (in Skipped). If a file holds something else, they
// return an error that says what it seems to be.
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

// Skips counts the skipped rows by reason, in the order in which the reasons first occurred.
type Skips []Skipped

// Add counts a skipped row. at is its place, as FILE:LINE.
func (s *Skips) Add(reason, at, what string) {
	const examples, most = 5, 120 // kept for each reason, and bytes of each
	i := slices.IndexFunc(*s, func(x Skipped) bool { return x.Reason == reason })
	if i < 0 {
		i = len(*s)
		*s = append(*s, Skipped{Reason: reason, Examples: []string{}})
	}
	if len(what) > most {
		what = what[:most] + "…"
	}
	x := &(*s)[i]
	if x.Count++; x.Count <= examples {
		x.Examples = append(x.Examples, fmt.Sprintf("%s: %q", at, what))
	}
}

// why returns the most frequent reason for skipping rows, for an error message.
func (s Skips) why() string {
	if len(s) == 0 {
		return "it has no rows"
	}
	most := slices.MaxFunc(s, func(a, b Skipped) int { return a.Count - b.Count })
	return fmt.Sprintf("%d × %s, the first %s", most.Count, most.Reason, most.Examples[0])
}
