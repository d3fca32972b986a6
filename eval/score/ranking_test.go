package score

import (
	"fmt"
	"testing"
)

// Of the nearest of either side the nearest one is kept, and what is nearest to another.
func TestNearestOfEither(t *testing.T) {
	r := Ranking{Lists: [][]Neighbour{{{1, .9}, {2, .5}, {3, .1}}, {{0, .9}, {2, .3}}, {{0, .5}, {1, .3}}, {{0, .1}}}}
	got := fmt.Sprint(r.NearestOfEither(1).Lists)
	if want := "[[{1 0.9} {2 0.5} {3 0.1}] [{0 0.9}] [{0 0.5}] [{0 0.1}]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
