package query

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/sets"
)

// Lookup says how [Run.Related] looks for related documents.
type Lookup struct {
	Top    int  // how many documents to return at most
	Rounds int  // rounds of expansion; 0 returns stored pairs only
	Width  int  // neighbours that a round expands, and neighbours of each that it compares
	Apart  bool // whether to leave out documents that some page links to together with the one asked about
}

// DefaultLookup is the lookup of the command related. One round over 100 neighbours compares a document with about 1,500
// others.
var DefaultLookup = Lookup{Top: 10, Rounds: 1, Width: 100}

// Found says how a neighbour was found.
type Found uint8

// The ways to find a neighbour. InRound gives those of the rounds of expansion.
const (
	FoundSameBag Found = iota + 1 // it has the same bag
	FoundStored                   // the run has stored the pair
	FoundExact                    // all bags were compared
	expanded                      // a neighbour of a neighbour, found in round 1; the later rounds follow
)

// InRound returns the way of a neighbour that was found in a round of expansion, counted from 1.
func InRound(n int) Found { return expanded + Found(min(max(n, 1), maxRounds)-1) }

// maxRounds is the greatest number of rounds that a Found can tell apart.
const maxRounds = 200

// Round returns the round of expansion in which a neighbour was found, 0 if it was found in another way.
func (f Found) Round() int {
	if f < expanded {
		return 0
	}
	return int(f-expanded) + 1
}

// String returns the name of the way in tables: same-bag, stored, exact, or round-1, round-2 and so on.
func (f Found) String() string {
	switch {
	case f >= expanded:
		return fmt.Sprintf("round-%d", f.Round())
	case f == 0:
		return ""
	}
	return [...]string{"", "same-bag", "stored", "exact"}[f]
}

// Together returns the number of pages that link to both of two documents.
func (r *Run) Together(a, b uint32) int { return sets.Common(r.sources.Of(a), r.sources.Of(b)) }
