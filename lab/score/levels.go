package score

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrTellsNothing is wrapped by the error for a gold that cannot tell a good result from a bad one, because either
// every neighbour would agree or none could.
var ErrTellsNothing = errors.New("this evaluation cannot tell anything")

// CheckLevels returns an error that wraps ErrTellsNothing if no level of the directory distinguishes one neighbour from
// another, and otherwise a warning for each level that does not. It considers only the targets for which here returns
// true; holder says in messages who has them, as in "the run holds".
func (d *Directory) CheckLevels(here func(i int) bool, holder string) (warnings []string, err error) {
	var some []int
	for i := range d.Len() {
		if here(i) {
			some = append(some, i)
		}
	}
	if len(some) < 2 {
		return nil, fmt.Errorf("%w: %s %d of %s, and a pair needs two", ErrTellsNothing, holder, len(some), countOf(d.Len(), "target"))
	}
	told := false
	var why []string
	for k := 1; k <= d.depth && d.Categories(k) > 0; k++ {
		problem := d.indistinct(some, k)
		if problem == "" {
			told = true
			continue
		}
		warnings = append(warnings, fmt.Sprintf("level %d tells nothing: %s", k, problem))
		if !slices.Contains(why, problem) {
			why = append(why, problem)
		}
	}
	if !told {
		return nil, fmt.Errorf("%w: %s; use a gold with several categories, each with several targets that the run holds", ErrTellsNothing, strings.Join(why, "; "))
	}
	return warnings, nil
}

// indistinct returns the reason why a level does not distinguish the given targets, or "" if it does.
func (d *Directory) indistinct(some []int, level int) string {
	in := map[int32]int{} // number of targets in each category
	for _, i := range some {
		seen := map[int32]bool{}
		for _, leaf := range d.leaves[i] {
			if int(d.nodes[leaf].level) >= level {
				seen[d.above(leaf, level)] = true
			}
		}
		for c := range seen {
			in[c]++
		}
	}
	most, of := 0, int32(0)
	for c, n := range in {
		if n > most || n == most && c < of {
			most, of = n, c
		}
	}
	switch {
	case most == len(some):
		return fmt.Sprintf("all %s at hand are in the category %s, so any neighbour agrees", countOf(len(some), "target"), strings.Join(d.path(of), "/"))
	case most < 2:
		return fmt.Sprintf("no two of the %s at hand are in the same category, so no neighbour agrees", countOf(len(some), "target"))
	}
	return ""
}

// countOf returns a number with its noun.
func countOf(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
